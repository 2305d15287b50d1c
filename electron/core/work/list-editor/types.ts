import type {DraftWindow, ListDifference, Staged} from '#contract/editor.ts'
import type {DraftState, DraftView, HashSource, ListOperation, SourceReport} from '#model/list-draft.ts'
import type {JobPlan} from '#model/job.ts'
import type {TextFile} from '#model/text-file.ts'

import type {DraftId} from './drafts.ts'
import type {LintFacts} from './lint.ts'

/** A list as the editor needs it. */
export interface EditedList {
	readonly guid: string
	readonly name: string
	readonly type: string
	/** All of its items were read. */
	readonly read: boolean
}

/** What the local copies of one connection know; all of it is on this computer. */
export interface EditorSource {
	/** `undefined` when there is no such list. */
	list(guid: string): EditedList | undefined
	/** Which of the given hashes are on the list, and which on others. */
	holdings(list: EditedList, hashes: readonly string[]): Pick<LintFacts, 'here' | 'elsewhere'>
	/** Every hash of the list, as far as it was read. */
	hashesOf(guid: string): readonly string[]
	seen(hashes: readonly string[]): LintFacts['seen']
	/** Computers that the service says saw the file: one call. */
	prevalence(sha256: string, signal: AbortSignal | undefined): Promise<number>
	/** By the guard rules of the connection. */
	prevalentFrom(): number
	/** Changes whenever an answer above may change. */
	version(): string
}

/** Hashes of files that belong to this computer's own system. */
export interface SystemFiles {
	/** Path by hash, of those known so far. */
	known(): ReadonlyMap<string, string>
	progress(): {readonly known: number; readonly of: number | null}
	/** Begins to hash them, if that was not done yet. */
	look(): void
	stop(): Promise<void>
}

/** A change that may be sent: what the job engine takes. */
export interface ReadyChange {
	readonly sha256: string
	readonly operation: ListOperation
	readonly note: string
	readonly reason: string | null
}

export interface CommitWish {
	readonly reason: string
	/** Only what this job left behind. */
	readonly retryOf?: string | undefined
}

export interface ListEditor {
	inspect(source: HashSource): SourceReport
	state(draft: DraftId): DraftState
	rows(draft: DraftId, window: {readonly view: DraftView; readonly offset: number; readonly limit: number}): DraftWindow
	stage(draft: DraftId, operation: ListOperation, source: HashSource): Staged
	annotate(
		draft: DraftId,
		keys: readonly string[],
		change: {readonly note?: string | undefined; readonly reason?: string | null | undefined},
	): DraftState
	drop(draft: DraftId, keys: readonly string[]): DraftState
	discard(draft: DraftId): DraftState
	prevalence(draft: DraftId, keys: readonly string[], signal?: AbortSignal): Promise<DraftState>
	difference(draft: DraftId, other: {readonly list: string} | {readonly source: HashSource}): ListDifference
	export(draft: DraftId, format: 'csv' | 'json'): TextFile
	/** What would be sent. */
	ready(draft: DraftId): readonly ReadyChange[]
	/** One plan of what is ready, or of what a job left behind. Throws `usage` when there is nothing, or no full reading. */
	plan(draft: DraftId, wish: CommitWish, signal?: AbortSignal): Promise<JobPlan>
	/** No longer follows the jobs of commits. */
	stop(): void
}
