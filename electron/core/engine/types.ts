/** The engine of long-running work, as its clients see it. */
import type {Clock} from '#base/ports.ts'
import type {ProcessIdentity} from '#core/store/process-identity.ts'
import type {DraftRow, NewStep, Plain, RunHead, RunRow, RunStore, StepError, StepPhase, StepRow, Tally} from './port.ts'

/** How a run ends. The default state is `done`. */
export interface Ending {
	readonly state?: 'done' | 'failed' | 'cancelled' | undefined
	readonly output?: Plain
	/** Why, in a sentence. */
	readonly because?: string | null | undefined
	readonly phase?: string | undefined
}

/** What happens to a run whose process ended. */
export type Recovery =
	| {kind: 'go_on'}
	/** It waits for `resume`. */
	| {kind: 'hold'; because: string}
	| {kind: 'end'; because: string}
	/** Not now, such as while its connection is unknown. */
	| {kind: 'leave'}

/**
 * A kind of work, registered when the engine is made. `run` is an ordinary asynchronous function over its context. When a process
 * ends halfway, the next one calls `run` again from its beginning, and finished steps answer from the journal. So everything that
 * decides its path comes from the context: time, chance and readings too.
 */
export interface Program {
	readonly kind: string
	/** Kept with each run. */
	readonly version: number
	/** Runs begun by an older version than this are held. Default: `version`. */
	readonly oldest?: number | undefined
	/**
	 * Called once the run exists, before anything else. When it throws, there is no run. After a kill the next process calls it
	 * again, so it first checks whether its work was done.
	 */
	begin?(context: RunContext): Promise<void>
	/**
	 * Called when a run was taken over, before `run`. With `context.amend` and few readings it may settle many steps whose intent
	 * has no outcome. The others are settled one by one, by their own `reconcile`.
	 */
	reconcile?(context: RunContext): Promise<void>
	/**
	 * Throws `StepFailed` or `RunFailed` to end the run as failed. Any other error holds the run, which `resume` continues.
	 */
	run(context: RunContext): Promise<Ending>
	/** Asked by `recover`. Default: go on. */
	recover?(run: RunHead, now: number): Recovery
	/** Final state of the steps of a run that nobody continues. Default: unchanged. */
	abandon?(steps: readonly StepRow[], because: string): Ended
	/** Called before its end is stored, whatever ended it. After a kill it is called again with the same steps. */
	ending?(run: RunHead, steps: readonly StepRow[]): Promise<void>
}

interface Ended {
	steps: readonly Amendment[]
	phase?: string | undefined
}

/** The result of an attempt. */
export type Outcome =
	| {phase: 'done' | 'skipped'; output?: Plain; tag?: string | undefined}
	| {phase: 'failed' | 'unknown'; error: StepError; output?: Plain; tag?: string | undefined}
	/** Nothing happened: the step is as before this attempt. */
	| {phase: 'not_done'; output?: Plain; tag?: string | undefined}

export interface Attempt {
	/** From 1. */
	readonly number: number
	/** Aborted when nothing more is to be started. The answer to a request already sent is still awaited. */
	readonly signal: AbortSignal
}

interface StepFrame {
	/** Unique in the run, and the same on every execution of the program. */
	id: string
	/** For people. Default: the id. */
	label?: string | undefined
	/** What it is about to do, for people. It must be the same on every execution of the program. */
	input?: Plain
	/** Also acts after a cancel, for example to clean up. */
	always?: boolean | undefined
}

/** The basic form of a step: outcomes are values, and failure is one of them. */
export interface Act extends StepFrame {
	/** The tag while it is under way. */
	readonly tag?: string | undefined
	/** Whether the intent is on the disk before `act` is called. Default: when there is a `reconcile`. */
	readonly durable?: boolean | undefined
	act(attempt: Attempt): Promise<Outcome>
	/**
	 * Finds out what happened to an attempt whose process ended before its outcome was known, or whose outcome is unknown and
	 * that is retried. It only reads. Without it the step itself only reads, and is repeated.
	 */
	reconcile?(attempt: Attempt): Promise<Outcome>
}

/** The simple form of a step: the result of `act` is stored, an error is a failure, and its outcome is unknown after `outcome_unknown`. */
export interface Step<Output> extends StepFrame {
	act(attempt: Attempt): Promise<Output>
	/** As in `Act`. `undefined`: nothing happened. */
	reconcile?(attempt: Attempt): Promise<{output: Output} | undefined>
}

export interface Question extends StepFrame {
	/** Name of the signal that answers it. Default: the id. */
	name?: string | undefined
	/** Milliseconds from the first time it is asked. Default: no limit. */
	timeoutMs?: number | undefined
}

/** `null`: it timed out. */
export type Answer = {payload: Plain; at: number} | null

export interface ChildRequest extends StepFrame {
	kind: string
	title: string
	definition?: Plain
	facts?: RunHead['facts'] | undefined
}

/** Changes of a journal row that has an outcome, or gets one by it. */
export interface Amendment extends Partial<Pick<StepRow, 'tag' | 'attempt' | 'output' | 'error' | 'begunAt' | 'endedAt'>> {
	readonly id: string
	readonly phase?: Exclude<StepPhase, 'intent'> | undefined
}

/** The journal rows of a run, in its owner's memory. */
export interface StepBook {
	readonly all: readonly StepRow[]
	get(id: string): StepRow | undefined
	with(...tags: readonly string[]): readonly StepRow[]
	/** Does not visit each row. */
	count(...tags: readonly string[]): number
	tally(): Tally
}

/**
 * The context of a program. Every method rejects with the reason of `halted` once nothing more may be started. When the process
 * ends or another one has the run, nothing the program does counts any more.
 */
export interface RunContext {
	run: RunRow
	/** The definition at its start. */
	definition: Plain
	/** Another process, or an earlier life in this one, had the run before. */
	resumed: boolean
	steps: StepBook
	/** Aborted by a cancel, when the process ends, and when another process has the run. */
	halted: AbortSignal
	/** Aborted when the process ends or another one has the run: nothing the program does counts any more. */
	over: AbortSignal
	cancels: 0 | 1 | 2
	paused: boolean
	/** Rejects with `StepFailed`. */
	step<Output>(step: Step<Output>): Promise<Output>
	/** Resolves with the row also on failure. A step that was not done may be performed again. */
	perform(act: Act): Promise<StepRow>
	/** At least this long by the wall clock, or as measured while the process runs: a clock may be set. */
	sleep(id: string, ms: number): Promise<void>
	/** The first signal of its name that no step took, including earlier ones. */
	decision(question: Question): Promise<Answer>
	/** Begins another run and waits for its end. Resolves with its output; rejects with `StepFailed`. */
	child(request: ChildRequest): Promise<Plain>
	/**
	 * Runs all at the same time, and ends when all have ended. Throws `StepFailed`s and `RunFailed`s together, as an
	 * `AggregateError`.
	 */
	all<Result>(branches: readonly (() => Promise<Result>)[]): Promise<readonly Result[]>
	/** Settles rows that `act` left open, or about which more is known now. */
	amend(changes: readonly Amendment[], durable?: boolean): Promise<void>
	/** For readers of the run. Facts are merged with existing ones. */
	note(change: {phase?: string | undefined; because?: string | null | undefined; facts?: RunHead['facts'] | undefined}): Promise<void>
	/** A pause that is not stored. Ends early by a signal to the run, a cancel, or the end of the process; never rejects. */
	rest(ms: number): Promise<void>
	/** Ends the pauses of `rest`. */
	wake(): void
}

export interface BeginRequest {
	kind: string
	/** Default: a new one. Unique among runs. */
	id?: string | undefined
	title: string
	startedBy: string
	subject?: string | null | undefined
	input?: Plain
	/** Stored separately and pinned: the run keeps the definition it began with. */
	definition?: Plain
	steps?: readonly NewStep[] | undefined
	phase?: string | undefined
	facts?: RunHead['facts'] | undefined
	key?: string | null | undefined
	/** The draft that becomes this run. */
	draft?: DraftRow | undefined
}

export type RunsWhere = 'here' | 'elsewhere' | 'nowhere'

export type SignalFate = 'kept' | 'duplicate' | 'ended'

export interface EngineOptions {
	store: RunStore
	clock: Clock
	random(bytes: number): Uint8Array
	/** Default: none. More may be registered later. */
	programs?: readonly Program[] | undefined
	onTrouble: (message: string, error: unknown) => void
	/** How often to look for writes of other processes, in milliseconds of real time. Default: 500. */
	watchEveryMs?: number | undefined
	/** Identity of this process, and whether another still runs; for tests. */
	self?: ProcessIdentity | undefined
	isAlive?: ((process: ProcessIdentity) => boolean) | undefined
}
