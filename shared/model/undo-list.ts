/**
 * Changes that can be undone, and how. A compensating call is a change like any other: it goes through the runner and into the
 * log.
 */
import type {Drift, JobPlan} from './job.ts'

export type UndoKind = 'move' | 'policies' | 'add_hash' | 'remove_hash'

/** A change or a whole job of the last 24 hours. */
export type UndoItem = Readonly<{
	/** Entry of the incident log, or `job:` and the id of the job. */
	id: string
	kind: UndoKind
	at: string
	by: string
	/** The change, in a sentence. */
	title: string
	/** Number of changed objects. */
	targets: number
	/** Calls that loading the present state of its objects costs. */
	reads: number
	/** Why it cannot be undone; `null` when it can. */
	impossible: string | null
	/** When it was undone here. */
	undoneAt: string | null
	/** Leaves the history after this. */
	until: string
}>

export type UndoCall = Readonly<{
	/** GUID of the computer or group, or the hash. */
	id: string
	label: string
	/** In command line syntax, without the connection. */
	command: string
	/** In a sentence: "Moves FIN-LT-0231 back to the group Finance." */
	effect: string
}>

export type UndoPreview = Readonly<{
	item: UndoItem
	calls: readonly UndoCall[]
	/** Objects that someone has changed since: they are skipped. */
	drift: readonly Drift[]
	/** For a job: the plans to apply, one for each restored value. */
	plans: readonly JobPlan[]
	/** The name or count to type, if the tier requires it. */
	confirm: string | null
	/** Its cost, including reads. */
	cost: number
}>

export interface UndoResult {
	readonly message: string
	/** Intents in the incident log, for single changes. */
	readonly entries: readonly string[]
	/** Started jobs, for a job. */
	readonly jobs: readonly string[]
}
