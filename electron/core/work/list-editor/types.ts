import type {ListOperation} from '#model/list-draft.ts'

import type {LintFacts} from './lint.ts'

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
	/** Changes whenever an answer above may change: the second with what was seen, the first with the others. */
	version(): readonly [string, number]
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
