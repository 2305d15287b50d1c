/** The engine for work that lasts, as its clients see it. */
import type {Clock} from '#core/base/ports.ts'
import type {ProcessIdentity} from '#core/store/process-identity.ts'
import type {
	DraftRow,
	NewStep,
	Plain,
	RunChanged,
	RunHead,
	RunQuery,
	RunRow,
	RunStore,
	SignalRow,
	StepError,
	StepPhase,
	StepQuery,
	StepRow,
	Tally,
	Window,
} from './port.ts'

/** How a run ends. The default state is `done`. */
export interface Ending {
	readonly state?: 'done' | 'failed' | 'cancelled' | undefined
	readonly output?: Plain
	/** Why, in a sentence. */
	readonly because?: string | null | undefined
	readonly phase?: string | undefined
}

/** What becomes of a run whose process ended. */
export type Recovery =
	| {readonly kind: 'go_on'}
	/** It waits for `resume`. */
	| {readonly kind: 'hold'; readonly because: string}
	| {readonly kind: 'end'; readonly because: string}
	/** Not here, such as while its connection is unknown. */
	| {readonly kind: 'leave'}

/**
 * A kind of work, registered when the engine is made. `run` is an ordinary asynchronous function over its context. When a
 * process ends in the middle, the next one calls it again from its beginning, and steps that came to their end answer from
 * the journal. So everything that decides its way comes from the context: time, chance and readings too.
 */
export interface Program {
	readonly kind: string
	/** Kept with each run. */
	readonly version: number
	/** Runs that an older version than this began are held. Default: `version`. */
	readonly oldest?: number | undefined
	/**
	 * Called once the run exists, before anything else. When it throws, there is no run. A process that is killed in it has
	 * it called again by the next one, so it looks first whether its work was done.
	 */
	begin?(context: RunContext): Promise<void>
	/**
	 * Called when a run was taken over, before `run`, and may settle with `context.amend` many steps whose intent has no
	 * outcome by few readings. Those that it leaves are settled one by one, by their own `reconcile`.
	 */
	reconcile?(context: RunContext): Promise<void>
	/**
	 * Throws `StepFailed` or `RunFailed` to end the run as failed. Any other error holds the run, which `resume` continues.
	 */
	run(context: RunContext): Promise<Ending>
	/** Asked by `recover`. Default: go on. */
	recover?(run: RunHead, now: number): Recovery
	/** Where the steps of a run end that nobody goes on with. Default: they stay as they are. */
	abandon?(steps: readonly StepRow[], because: string): Ended
	/** Called before its end is stored. After a process that is killed in it, it is called again with the same steps. */
	ending?(run: RunHead, steps: readonly StepRow[]): Promise<void>
	/** Called once its end is stored, whoever brought it about. A process that is killed in it does not call it again. */
	ended?(run: RunHead): Promise<void>
}

export interface Ended {
	readonly steps: readonly Amendment[]
	readonly phase?: string | undefined
}

/** What came of an attempt. */
export type Outcome =
	| {readonly phase: 'done' | 'skipped'; readonly output?: Plain; readonly tag?: string | undefined}
	| {readonly phase: 'failed' | 'unknown'; readonly error: StepError; readonly output?: Plain; readonly tag?: string | undefined}
	/** Nothing of it happened: the step is as it was before this attempt. */
	| {readonly phase: 'not_done'; readonly output?: Plain; readonly tag?: string | undefined}

export interface Attempt {
	/** From 1. */
	readonly number: number
	/** The same for every attempt of a step, for services that know such keys. */
	readonly key: string
	/** Aborted when nothing more is to be started. What was sent already still has its answer. */
	readonly signal: AbortSignal
}

interface StepFrame {
	/** Unique in the run, and the same each time the program runs. */
	readonly id: string
	/** For people. Default: the id. */
	readonly label?: string | undefined
	/** What it is about to do, for people. It must be the same each time the program runs. */
	readonly input?: Plain
	/** Also acts after a cancel, such as to clean up. */
	readonly always?: boolean | undefined
}

/** The basic form of a step: its outcomes are values, and a failure is one of them. */
export interface Act extends StepFrame {
	/** The tag while it is under way. */
	readonly tag?: string | undefined
	/** Whether the intent is on the disk before `act` is called. Default: when there is a `reconcile`. */
	readonly durable?: boolean | undefined
	act(attempt: Attempt): Promise<Outcome>
	/**
	 * What happened to an attempt whose process ended before its outcome was known, or whose outcome is unknown and that is
	 * retried: a reading, which sends nothing that changes anything. Without it the step only reads, and is done again.
	 */
	reconcile?(attempt: Attempt): Promise<Outcome>
}

/** The simple form of a step: what `act` resolves with is kept, what it throws is a failure. */
export interface Step<Output> extends StepFrame {
	act(attempt: Attempt): Promise<Output>
	/** As in `Act`. `undefined`: nothing of it happened. */
	reconcile?(attempt: Attempt): Promise<{readonly output: Output} | undefined>
	/** Whether this error leaves open what happened. Default: those of the code `outcome_unknown`. */
	isUnknown?(error: unknown): boolean
	/** How often it is retried automatically, and the pause after an attempt, in milliseconds. Default: once. */
	readonly attempts?: {readonly most: number; pauseMs(attempt: number): number} | undefined
	/** A failure waits for `retry`, `skip` or a cancel instead of being thrown. */
	readonly holds?: boolean | undefined
}

export interface Question extends StepFrame {
	/** Of the signal that answers it. Default: the id. */
	readonly name?: string | undefined
	/** In milliseconds from when it is first asked. Without it, it waits for ever. */
	readonly timeoutMs?: number | undefined
}

/** `null`: it timed out. */
export type Answer = {readonly payload: Plain; readonly at: number} | null

export interface ChildRequest extends StepFrame {
	readonly kind: string
	readonly title: string
	readonly definition?: Plain
	readonly facts?: RunHead['facts'] | undefined
}

/** Changes of a row of the journal that has an outcome already, or gets one by it. */
export interface Amendment extends Partial<Pick<StepRow, 'tag' | 'attempt' | 'output' | 'error' | 'begunAt' | 'endedAt'>> {
	readonly id: string
	readonly phase?: Exclude<StepPhase, 'intent'> | undefined
}

/** The rows of the journal of a run, in the memory of its owner. */
export interface StepBook {
	readonly all: readonly StepRow[]
	get(id: string): StepRow | undefined
	with(...tags: readonly string[]): readonly StepRow[]
	/** Without looking at each. */
	count(...tags: readonly string[]): number
	tally(): Tally
}

/**
 * What a program works with. Every method rejects with the reason of `halted` once nothing more may be started. When the
 * process ends, or another one has the run, whatever the program does no longer counts.
 */
export interface RunContext {
	readonly run: RunRow
	/** What it began with, whatever became of it since. */
	readonly definition: Plain
	/** Another process, or another life of this one, had it before. */
	readonly resumed: boolean
	readonly steps: StepBook
	/** Aborted by a cancel, when the process ends, and when another process has the run. */
	readonly halted: AbortSignal
	/** The process ends, or another one has the run: nothing that it does counts any more. */
	readonly over: AbortSignal
	readonly cancels: 0 | 1 | 2
	readonly paused: boolean
	/** Rejects with `StepFailed`. */
	step<Output>(step: Step<Output>): Promise<Output>
	/** Resolves with the row also when it failed. A step that was not done may be performed again. */
	perform(act: Act): Promise<StepRow>
	/** For at least so long by the clock of the wall, or as measured while the process runs: a clock may be set. */
	sleep(id: string, ms: number): Promise<void>
	/** The first signal of its name that no step took, also one that came before it was asked. */
	decision(question: Question): Promise<Answer>
	/** Begins another run and waits for its end. Resolves with its output; rejects with `StepFailed`. */
	child(request: ChildRequest): Promise<Plain>
	/** Made once and kept: for the time, for chance. */
	value<Value>(id: string, make: () => Value): Promise<Value>
	/** Runs them at the same time, and ends when all have ended. Throws `StepFailed`s and `RunFailed`s together, as an `AggregateError`. */
	all<Result>(branches: readonly (() => Promise<Result>)[], atOnce?: number): Promise<readonly Result[]>
	/** Settles rows that `act` left open, or that were learned more about. */
	amend(changes: readonly Amendment[], durable?: boolean): Promise<void>
	/** For readers of the run. Facts are merged into those that are there. */
	note(change: {
		readonly phase?: string | undefined
		readonly because?: string | null | undefined
		readonly facts?: RunHead['facts'] | undefined
	}): Promise<void>
	/** A pause that is not kept. Ends early by a signal to the run, a cancel, or the end of the process; never rejects. */
	rest(ms: number): Promise<void>
	/** Ends the pauses of `rest`. */
	wake(): void
}

export interface BeginRequest {
	readonly kind: string
	/** Default: a new one. There is one run of each id. */
	readonly id?: string | undefined
	readonly title: string
	readonly startedBy: string
	readonly subject?: string | null | undefined
	readonly input?: Plain
	/** Kept apart and pinned: each run has the very one that it began with. */
	readonly definition?: Plain
	readonly steps?: readonly NewStep[] | undefined
	readonly phase?: string | undefined
	readonly facts?: RunHead['facts'] | undefined
	readonly key?: string | null | undefined
	/** The draft that becomes this run. */
	readonly draft?: DraftRow | undefined
}

export type RunsWhere = 'here' | 'elsewhere' | 'nowhere'

export type SignalFate = 'kept' | 'duplicate' | 'ended'

export interface EngineOptions {
	readonly store: RunStore
	readonly clock: Clock
	random(bytes: number): Uint8Array
	/** More may be registered later. Default: none yet. */
	readonly programs?: readonly Program[] | undefined
	readonly onTrouble: (message: string, error: unknown) => void
	/** How often writes of other processes are looked for, in milliseconds of real time. Default: 500. */
	readonly watchEveryMs?: number | undefined
	/** This process, and whether another still runs; for tests. */
	readonly self?: ProcessIdentity | undefined
	readonly isAlive?: ((process: ProcessIdentity) => boolean) | undefined
}

/**
 * Runs of one process. Rejects with `CordonError`: `unknown_run`, `taken` (as `RunTaken`), `busy` when another process has
 * the run, `usage`, `storage`, `disk_full`, or `cancelled` while the engine stops.
 */
export interface Engine {
	/** Before any run of its kind is started, resumed or recovered. */
	register(program: Program): void
	/**
	 * Resolves when the run exists and its program's `begin` is over. The run continues automatically. After `storage` and
	 * `disk_full` it may exist anyway, and goes on with `resume` or `recover`: programs look at `resumed`.
	 */
	begin(request: BeginRequest): Promise<string>
	/** A signal that nobody waits for yet is kept. `id`: of each there is one. */
	signal(run: string, name: string, payload?: Plain, id?: string): Promise<SignalFate>
	/** Begins no step for now. */
	pause(run: string): Promise<SignalFate>
	/** Goes on with a run that was paused, that is held, or whose process ended. Resolves when it runs here or elsewhere. */
	resume(run: string): Promise<void>
	/** 1: starts nothing more. 2: nor waits for effects. An unclaimed run ends where it is. */
	cancel(run: string, level?: 1 | 2, because?: string): Promise<SignalFate>
	/** Does a failed step again, or one whose outcome is unknown, that holds the run or ended it. */
	retry(run: string, step: string): Promise<void>
	/** Goes on as if that step had ended with this output. */
	skip(run: string, step: string, reason: string, output?: Plain): Promise<void>
	/** Takes over what ended processes left, as each program says. */
	recover(): Promise<void>
	/** Resolves with the run when nothing of it runs in this process any more. */
	settled(run: string): Promise<RunRow>
	/** Resolves with the run when it has ended, wherever it runs. */
	ended(run: string, signal?: AbortSignal): Promise<RunRow>
	get(run: string): Promise<RunRow | undefined>
	find(query: RunQuery): Promise<Window<RunHead>>
	steps(query: StepQuery): Promise<Window<StepRow & {readonly run: string}>>
	tally(runs: readonly RunHead[]): Promise<Readonly<Record<string, Tally>>>
	signals(run: string): Promise<readonly SignalRow[]>
	definitionOf(run: RunHead): Promise<Plain>
	keepDraft(draft: DraftRow, keptSince: number): Promise<void>
	draft(id: string): Promise<DraftRow | undefined>
	/** Who runs it, as known at this moment. */
	whereIs(run: RunHead): RunsWhere
	/** Called after runs changed, here or in another process, once for all changes of a turn. Returns the way to stop. */
	onChange(listener: (changed: RunChanged) => void): () => void
	/** Begins nothing more, waits for what is under way, and leaves the rest for the next process. Does not close the store. */
	stop(): Promise<void>
}
