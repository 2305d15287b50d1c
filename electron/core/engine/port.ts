/**
 * The storage port of the engine: rows of runs, their journal, signals, definitions and drafts. Only plain values cross it,
 * so that an adapter may live in another thread or process. Times are Unix milliseconds.
 */
import type {ProcessIdentity} from '#core/store/process-identity.ts'

/** A JSON value. `undefined` counts as `null`. */
export type Plain = unknown

/**
 * `open`: it runs, or should. `held`: it could not continue and waits for an operator. The others are ends; a `failed` run opens
 * again when one of its failed steps is retried or skipped.
 */
type RunState = 'open' | 'held' | 'done' | 'failed' | 'cancelled'

/** A run without its input and output, which may be large. */
export interface RunHead {
	readonly id: string
	/** Name of the program. */
	readonly kind: string
	/** Version of the program that began it. */
	readonly version: number
	/** The object it belongs to, such as a connection. */
	readonly subject: string | null
	readonly title: string
	readonly startedAt: number
	readonly startedBy: string
	readonly endedAt: number | null
	readonly state: RunState
	/** The program's own name of its progress. */
	readonly phase: string | null
	/** Why it is held, failed or was cancelled, in a sentence. */
	readonly because: string | null
	/** Kept by the program for readers. */
	readonly facts: Readonly<Record<string, Plain>>
	/** SHA-256 of the definition at its start; see `RunStore.definition`. */
	readonly definition: string | null
	/** Steps whose failure ended it. */
	readonly failed: readonly string[]
	/** An operator asked it to begin nothing for now. */
	readonly paused: boolean
	/** 1: begins nothing more; 2: nor waits for the effects of what it began. */
	readonly cancels: 0 | 1 | 2
	readonly owner: ProcessIdentity | null
	/** Number of claims. A write under an older number is refused. */
	readonly epoch: number
	/** When its owner last wrote. */
	readonly aliveAt: number
	/** Whether the program's `begin` is over. */
	readonly begun: boolean
	readonly parent: {run: string; step: string} | null
	/** Unique among runs. */
	readonly key: string | null
	/** Steps by their tag; `null` until the run ends. */
	readonly tally: Tally | null
}

export type Tally = Readonly<Record<string, number>>

export interface RunRow extends RunHead {
	readonly input: Plain
	readonly output: Plain
}

/**
 * `planned`: not started. `intent`: begun, outcome not known yet. `unknown`: ended with unknown outcome. `skipped`: an operator
 * chose to continue without it.
 */
export type StepPhase = 'planned' | 'intent' | 'done' | 'failed' | 'unknown' | 'skipped'

export interface StepError {
	readonly code: string
	readonly message: string
	/** Such as the field that is wrong. */
	readonly details?: Readonly<Record<string, Plain>> | undefined
}

/** An attempt that was followed by another. */
export type PastAttempt = Pick<StepRow, 'attempt' | 'phase' | 'error' | 'begunAt' | 'endedAt'>

/** One row of the journal; unique by step id within a run. */
export interface StepRow {
	readonly id: string
	/** Order of first appearance, from 0. */
	readonly position: number
	readonly kind: 'step' | 'sleep' | 'decision' | 'child'
	readonly label: string
	readonly phase: StepPhase
	/** The program's own name of the step's state, counted by `tally`. By default the phase. */
	readonly tag: string
	/** How often it was started. */
	readonly attempt: number
	readonly input: Plain
	/** SHA-256 of the first input. */
	readonly digest: string | null
	readonly output: Plain
	readonly error: StepError | null
	/** Newest last, at most 100. */
	readonly past: readonly PastAttempt[]
	readonly begunAt: number | null
	readonly endedAt: number | null
	/** When a sleep ends, or a decision times out. */
	readonly due: number | null
}

/** What a planned step has not yet done. */
export const blankStep = {
	kind: 'step',
	phase: 'planned',
	attempt: 0,
	digest: null,
	output: null,
	error: null,
	past: [],
	begunAt: null,
	endedAt: null,
	due: null
} as const

/** Attempts of all steps, those before a retry included. */
export function attemptsOf(steps: readonly StepRow[]) {
	return steps.reduce((sum, {attempt, past}) => sum + attempt + past.length, 0)
}

/** A message to a run. It waits until a step takes it. */
export interface SignalRow {
	/** Increases with each signal of the store. */
	readonly seq: number
	readonly run: string
	readonly name: string
	readonly payload: Plain
	readonly at: number
}

export type NewStep = Pick<StepRow, 'id' | 'label' | 'input' | 'tag'>

/** A run that is not in the store yet. It belongs to its owner with epoch 1. */
export interface NewRun extends Pick<
	RunRow,
	'id' | 'kind' | 'version' | 'subject' | 'title' | 'startedAt' | 'startedBy' | 'input' | 'phase' | 'facts'
> {
	readonly parent: RunHead['parent']
	readonly key: string | null
	readonly definition: {digest: string; body: Plain} | null
	readonly owner: ProcessIdentity
}

/** Omitted or `undefined` fields stay as they are. */
export type RunChange = {
	readonly [Field in 'state' | 'phase' | 'because' | 'facts' | 'failed' | 'endedAt' | 'output' | 'begun' | 'startedAt' | 'tally']?:
		| RunRow[Field]
		| undefined
}

/** Fields of a write that only the owner may do. */
export interface Held {
	readonly run: string
	/** The owner's epoch. */
	readonly epoch: number
	/** When the write was requested. */
	readonly at: number
}

interface MaybeDurable {
	/** Whether the write has to be on the disk when the call resolves. A later durable write includes all earlier ones. */
	durable: boolean
}

/** Write operations. Each is applied whole or not at all, independent of the others of its batch. */
export type Op =
	/** Inserts the run and removes its draft; with `under`, only while that parent is held, whose step is written too. */
	| {kind: 'begin'; run: NewRun; steps: readonly NewStep[]; draft: string | null; under: (Held & {step: StepRow; takes: number | null}) | null}
	/** Claims the run from its owner under `epoch`, which the caller knows to be gone. Ended runs cannot be claimed. */
	| ({kind: 'claim'; owner: ProcessIdentity} & Held)
	/** Writes whole rows of the journal. `takes`: the signal used up with it. */
	| ({kind: 'steps'; steps: readonly StepRow[]; takes: number | null} & Held & MaybeDurable)
	/** With an `endedAt` the run has no owner any more. */
	| ({kind: 'change'; change: RunChange} & Held & MaybeDurable)
	/**
	 * Takes the first signal of that name, which ends the step with the tag `answered` and `{ payload, at }` as its output;
	 * without one, and with `late`, the step ends with the tag `timed_out` and `null`.
	 */
	| ({kind: 'decide'; step: StepRow; name: string; late: boolean} & Held)
	/** Keeps a signal; `id` is unique. The names of `controls` also set `paused` and `cancels`. */
	| (Omit<SignalRow, 'seq'> & {
			kind: 'signal'
			id: string | null
			/** Whether a failed run is open again. */
			reopens: boolean
	  })
	/** The run has no owner any more. */
	| ({kind: 'release'} & Held)
	/** Removes the run and restores its draft. Only while `begun` is false. */
	| ({kind: 'withdraw'; draft: DraftRow | null} & Held)
	| {kind: 'draft'; draft: DraftRow; keptSince: number}
	/** Removes those that have ended, with the runs under them and all that only these had. */
	| {kind: 'forget'; runs: readonly string[]}

export type OpKind = Op['kind']
export type OpOf<K extends OpKind> = Extract<Op, {kind: K}>

/** Signals that the engine answers itself. The payload of `cancel` is its level, 1 or 2. */
export const controls = {pause: '$pause', resume: '$resume', cancel: '$cancel'} as const

/** The state of the run after a write; `null`: another process has it, or it is gone, and nothing was written. */
export type Written = Pick<RunHead, 'paused' | 'cancels'> | null

export interface OpResults {
	/** `taken`: the existing run of the same id or key. `lost`: the parent is no longer held. */
	readonly begin: {begun: true} | {taken: string} | {lost: true}
	/** The new epoch; `null` when another process was faster, or the run has ended. */
	readonly claim: number | null
	readonly steps: Written
	readonly change: Written
	readonly decide: {taken: SignalRow | null; late: boolean} | null
	readonly signal: 'kept' | 'duplicate' | 'ended' | 'no_run'
	readonly release: Written
	readonly withdraw: Written
	readonly draft: true
	readonly forget: true
}

export type OpResult = OpResults[OpKind]

/** A definition without a run yet, such as a plan that waits for approval. */
export interface DraftRow {
	readonly id: string
	readonly kind: string
	readonly subject: string | null
	readonly keptAt: number
	readonly body: Plain
}

export interface RunQuery {
	kind?: string | undefined
	subject?: string | undefined
	subjects?: readonly string[] | undefined
	states?: readonly RunState[] | undefined
	parent?: string | undefined
	/** Part of the id, the title or the starter's name, case-insensitive. */
	search?: string | undefined
	/** Started at or after. */
	from?: number | undefined
	/** Only the last one of each playbook. */
	last?: boolean | undefined
	/** Those that have not ended come before the others. */
	openFirst?: boolean
	offset: number
	limit: number
}

export type StepOutline = Pick<StepRow, 'id' | 'label' | 'kind' | 'phase' | 'attempt'>

export interface StepQuery {
	/** Default: all runs. */
	run?: string | undefined
	ids?: readonly string[] | undefined
	kinds?: readonly StepRow['kind'][] | undefined
	phases?: readonly StepPhase[] | undefined
	tags?: readonly string[] | undefined
	/** Part of the id or the label, case-insensitive. */
	search?: string | undefined
	offset: number
	limit: number
}

export interface Window<Row> {
	readonly rows: readonly Row[]
	/** Number without offset and limit. */
	readonly matching: number
}

export interface RunChanged {
	readonly run: string
	readonly kind: string
	readonly subject: string | null
}

/** Every method rejects with `CordonError` of `storage` or `disk_full` when the store cannot be used. */
export interface RunStore {
	/** Applies all in one transaction. Resolves with one result for each, in order. */
	apply(ops: readonly Op[]): Promise<readonly OpResult[]>
	run(id: string): Promise<RunRow | undefined>
	/** The newest first. */
	runs(query: RunQuery): Promise<Window<RunHead>>
	/** In the order of runs and positions. */
	steps(query: StepQuery): Promise<Window<StepRow & {run: string}>>
	/** All steps of a run without what they hold, in order. */
	outline(run: string): Promise<readonly StepOutline[]>
	/** Steps of these runs by their tag. A run without steps has an empty one. */
	tally(runs: readonly string[]): Promise<Readonly<Record<string, Tally>>>
	/** What the owner needs to know: who owns the run, and the signals that no step took, oldest first. */
	pending(run: string): Promise<(Pick<RunHead, 'epoch' | 'paused' | 'cancels'> & {signals: readonly SignalRow[]}) | undefined>
	definition(digest: string): Promise<Plain>
	draft(id: string): Promise<DraftRow | undefined>
	/** Runs written to since, by any process; `now` is for the next call. Begin with 0 runs: `since` of -1. */
	changes(since: number): Promise<{now: number; runs: readonly RunChanged[]}>
	close(): Promise<void>
}

/** The same, in one thread. */
export type RunRepository = {
	readonly [Method in keyof RunStore]: (...given: Parameters<RunStore[Method]>) => Awaited<ReturnType<RunStore[Method]>>
}
