/** What can be undone, and how. A compensating call is a change like any other: it goes through the runner and into the log. */
import type {Drift, JobPlan} from './job.ts'

export type UndoKind = 'move' | 'policies' | 'add_hash' | 'remove_hash'

/** One change, or a whole job, of the last 24 hours. */
export interface UndoItem {
	/** Entry of the incident log, or `job:` and the id of the job. */
	readonly id: string
	readonly kind: UndoKind
	readonly at: string
	readonly by: string
	/** What was done, in a sentence. */
	readonly title: string
	/** How many objects it changed. */
	readonly targets: number
	/** Why it cannot be undone; `null` when it can. */
	readonly impossible: string | null
	/** When it was undone, by this list. */
	readonly undoneAt: string | null
	/** After this it leaves the list. */
	readonly until: string
}

/** One compensating call. */
export interface UndoCall {
	/** GUID of the computer or group, or the hash. */
	readonly id: string
	readonly label: string
	/** As the command line would say it, without the connection. */
	readonly command: string
	/** In a sentence: "Moves FIN-LT-0231 back to the group Finance." */
	readonly effect: string
}

export interface UndoPreview {
	readonly item: UndoItem
	readonly calls: readonly UndoCall[]
	/** Objects that are not as the change left them: they are not touched. */
	readonly drift: readonly Drift[]
	/** For a job: the plans that would be applied, one for each value that comes back. */
	readonly plans: readonly JobPlan[]
	/** The name or count to type, where the tier asks for it. */
	readonly confirm: string | null
	/** What it costs, readings included. */
	readonly cost: number
}

export interface UndoResult {
	readonly message: string
	/** Intents in the incident log, for single changes. */
	readonly entries: readonly string[]
	/** Jobs that were started, for a job. */
	readonly jobs: readonly string[]
}
