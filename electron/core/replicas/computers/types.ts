import type {ComputerWindow, FoundObject, Suggestion} from '#shared/contract/contract.ts'
import type {ComputerFacets} from '#shared/contract/computer-list.ts'
import type {CompletionSource} from '#shared/commands/define.ts'
import type {Computer, ComputerRow} from '#shared/model/computer.ts'
import type {InventoryCounts, InventoryState} from '#shared/model/frame.ts'
import type {Group, GroupRow} from '#shared/model/group.ts'

import type {Exporter} from './export.ts'
import type {MarkReader} from './marked.ts'
import type {ComputerSpread, InventorySums, SeenComputers} from './aggregates.ts'
import type {ComputerQuery, FewComputers} from './queries.ts'

/** The local copy of one connection: one SQLite file, shared by every process on the profile. */
export interface Inventory {
	query(query: ComputerQuery & {readonly offset: number; readonly limit: number}): ComputerWindow
	/** Some rows of a filter, by name where there are few, and their number up to `most`. */
	few(filter: string, limit: number, most: number): FewComputers
	guids(query: ComputerQuery): readonly string[]
	position(query: ComputerQuery & {readonly guid: string}): number
	/** Counts of the facets; it takes turns with other questions. */
	facets(filter: string, signal: AbortSignal | undefined): Promise<ComputerFacets>
	/** The rows of a query, or a frozen list of them, as a file. */
	export: Exporter['export']
	row(guid: string): ComputerRow | undefined
	/** The service's record as it was last read. */
	record(guid: string): Computer | undefined
	/** Since when the isolation status is what it is, as far as readings tell; ISO 8601. */
	stateSince(guid: string): string | undefined
	state(): InventoryState
	counts(): InventoryCounts
	/** GUIDs whose isolation is pending, with the ISO time since when. */
	pending(): readonly {readonly guid: string; readonly status: string; readonly since: string}[]
	groups(): readonly GroupRow[]
	groupPath(guid: string): readonly string[]
	/** Sums over all listed computers; looked at once for each revision. */
	sums(): InventorySums
	/** All listed computers by group, policy and operating system; looked at once for each revision. */
	spread(): readonly ComputerSpread[]
	/** How many were last seen at or after `from` and before `to`, in Unix milliseconds. */
	seenBetween(from: number, to: number): number
	/** Isolated computers that were last seen before that time, or never. */
	silentSince(before: number, limit: number): SeenComputers
	/** GUIDs of listed computers that these rules protect, and of those that are isolated; looked at once for each revision. */
	marks: MarkReader['marks']
	suggest(source: CompletionSource, prefix: string, limit: number): readonly Suggestion[]
	find(text: string, limit: number): readonly FoundObject[]
	/** GUIDs of the computers with exactly that name, without regard to capitals. By an index: a job may ask for 10,000. */
	named(hostname: string): readonly string[]
	/** Reads the whole listing of computers and groups again; one at a time, a second call joins the first. */
	refresh(signal?: AbortSignal): Promise<InventoryState>
	refreshMissing(signal?: AbortSignal): Promise<InventoryState>
	/** What another reading or an answer told of a computer. */
	observe(records: readonly Computer[], at: number): void
	observeIsolation(guid: string, isolation: {readonly available: boolean; readonly status: string}, at: number): void
	observeGroups(groups: readonly Group[], at: number): void
	/** The service answered 404 for it. */
	vanished(guid: string, at: number): void
	onChange(listener: (change: {readonly guid: string | null}) => void): () => void
	stop(): Promise<void>
}
