/**
 * Changes that can be undone, and how. A compensating call is a change like any other: it goes through the runner and into the
 * log.
 */
import type {Drift, JobPlan} from './job.ts'

export type UndoKind = 'move' | 'policies' | 'add_hash' | 'remove_hash'

/** A change or a whole job of the last 24 hours. */
export interface UndoItem {
	/** Entry of the incident log, or `job:` and the id of the job. */
	readonly id: string
	readonly kind: UndoKind
	readonly at: string
	readonly by: string
	/** The change, in a sentence. */
	readonly title: string
	/** Number of changed objects. */
	readonly targets: number
	/** Calls that loading the present state of its objects costs. */
	readonly reads: number
	/** Why it cannot be undone; `null` when it can. */
	readonly impossible: string | null
	/** When it was undone here. */
	readonly undoneAt: string | null
	/** Leaves the history after this. */
	readonly until: string
}

export interface UndoCall {
	/** GUID of the computer or group, or the hash. */
	readonly id: string
	readonly label: string
	/** In command line syntax, without the connection. */
	readonly command: string
	/** In a sentence: "Moves FIN-LT-0231 back to the group Finance." */
	readonly effect: string
}

export interface UndoPreview {
	readonly item: UndoItem
	readonly calls: readonly UndoCall[]
	/** Objects that someone has changed since: they are skipped. */
	readonly drift: readonly Drift[]
	/** For a job: the plans to apply, one for each restored value. */
	readonly plans: readonly JobPlan[]
	/** The name or count to type, if the tier requires it. */
	readonly confirm: string | null
	/** Its cost, including reads. */
	readonly cost: number
}

export interface UndoResult {
	readonly message: string
	/** Intents in the incident log, for single changes. */
	readonly entries: readonly string[]
	/** Started jobs, for a job. */
	readonly jobs: readonly string[]
}
