import type {ComputerWindow, FoundObject, Suggestion} from '#contract/contract.ts'
import type {ComputerFacets} from '#contract/computer-list.ts'
import type {CompletionSource} from '#shared/commands/define.ts'
import type {Computer, ComputerRow} from '#model/computer.ts'
import type {InventoryCounts, InventoryState} from '#model/frame.ts'
import type {Group, GroupRow} from '#model/group.ts'

import type {Exporter} from './export.ts'
import type {MarkReader} from './marked.ts'
import type {ComputerSpread, InventorySums, SeenComputers} from './aggregates.ts'
import type {ComputerQuery, FewComputers} from './queries.ts'

/** The local copy of one connection: one SQLite file, shared by all processes on the profile. */
export interface Inventory {
	query(query: ComputerQuery & {readonly offset: number; readonly limit: number}): ComputerWindow
	few(filter: string, limit: number, most: number): FewComputers
	guids(query: ComputerQuery): readonly string[]
	position(query: ComputerQuery & {readonly guid: string}): number
	/** Counts of the facets; other queries run in between. */
	facets(filter: string, signal: AbortSignal | undefined): Promise<ComputerFacets>
	export: Exporter['export']
	row(guid: string): ComputerRow | undefined
	record(guid: string): Computer | undefined
	/** Since when the isolation status has been the same, as far as readings show; ISO 8601. */
	stateSince(guid: string): string | undefined
	/** What was read is good while it is the same: it changes with the file, by whichever process, and with labels. `null`: ask anew. */
	version(): string | null
	state(): InventoryState
	counts(): InventoryCounts
	/** Computers with a pending isolation change, with its ISO start time. */
	pending(): readonly {readonly guid: string; readonly status: string; readonly since: string}[]
	groups(): readonly GroupRow[]
	groupPath(guid: string): readonly string[]
	/** The GUIDs of a group and its ancestors; `undefined` when no record of that group was read. */
	ancestryOf(guid: string): readonly string[] | undefined
	/** Sums over all listed computers; computed once for each revision. */
	sums(): InventorySums
	/** All listed computers by group, policy and operating system; computed once for each revision. */
	spread(): readonly ComputerSpread[]
	/** How many were last seen from `from` until before `to`, in Unix milliseconds. */
	seenBetween(from: number, to: number): number
	/** Isolated computers last seen before that time, or never. */
	silentSince(before: number, limit: number): SeenComputers
	/** GUIDs of listed computers that these rules protect, and of isolated ones; computed once for each revision. */
	marks: MarkReader['marks']
	suggest(source: CompletionSource, prefix: string, limit: number): readonly Suggestion[]
	find(text: string, limit: number): readonly FoundObject[]
	/** GUIDs of the computers with exactly that name, ignoring case. Uses an index: a job may look up 10,000. */
	named(hostname: string): readonly string[]
	/** Reads all computers and groups again. One refresh runs at a time; a second call joins it. */
	refresh(signal?: AbortSignal): Promise<InventoryState>
	refreshMissing(signal?: AbortSignal): Promise<InventoryState>
	/** Takes records that another reading or an answer contained. */
	observe(records: readonly Computer[], at: number): void
	observeIsolation(guid: string, isolation: {readonly available: boolean; readonly status: string}, at: number): void
	observeGroups(groups: readonly Group[], at: number): void
	/** The service answered 404 for this computer. */
	vanished(guid: string, at: number): void
	onChange(listener: (change: {readonly guid: string | null}) => void): () => void
	stop(): Promise<void>
}
