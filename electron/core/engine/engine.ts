/** The engine of one process: its own runs and those that other processes left. */
import {CordonError, usageError, hasCode} from '#contract/errors.ts'
import {digestOfJson} from '#base/canonical.ts'
import {timeOrderedId} from '#base/ids.ts'
import {isAlive as isProcessAlive, ownIdentity, type ProcessIdentity} from '#core/store/process-identity.ts'

import {groupCommit, type Submit} from './batch.ts'
import type {Family, NewChild} from './child.ts'
import {Over, RunTaken} from './ends.ts'
import {startLife, type Claimed, type Life} from './life.ts'
import {ignoreBusy, leftRuns, type Left} from './left.ts'
import type {Frame} from './owned.ts'
import {wishes, type Skip} from './perform.ts'
import {
	controls,
	type DraftRow,
	type NewRun,
	type Op,
	type OpOf,
	type RunChanged,
	type RunHead,
	type RunQuery,
	type RunRow,
	type StepQuery,
	type StepRow,
	type Tally
} from './port.ts'
import type {BeginRequest, EngineOptions, Program, RunsWhere, SignalFate} from './types.ts'
import {createChanges, watchStore, type Changes} from './watch.ts'

const usualWatchEveryMs = 500

export function createEngine(options: EngineOptions) {
	return new Engine(options)
}

/**
 * Runs of one process. Rejects with `CordonError`: `unknown_run`, `taken` (as `RunTaken`), `busy` when another process has
 * the run, `usage`, `storage`, `disk_full`, or `cancelled` while the engine stops.
 */
export class Engine {
	readonly #options: EngineOptions
	readonly #programs: Map<string, Program>
	readonly #self: ProcessIdentity
	readonly #submit: Submit
	readonly #frame: Frame
	readonly #changes: Changes
	#watch: {stop(): Promise<void>} | undefined
	/** Set before anything is awaited: two callers that start the same run at once share one life. */
	readonly #own = new Map<string, Life>()
	readonly #left: Left
	/** Aborted once no more events are sent. */
	readonly #closing = new AbortController()
	/** The store could not release these runs: this process is still named as owner, but does not run them. */
	readonly #leftBehind = new Set<string>()
	#stopped: Promise<void> | undefined

	constructor(options: EngineOptions) {
		const {store, clock, random, onTrouble} = options
		this.#options = options
		this.#programs = new Map(options.programs?.map(program => [program.kind, program]))
		this.#self = options.self ?? ownIdentity()
		this.#submit = this.#tracked(groupCommit(store))
		this.#changes = createChanges(onTrouble)
		const changed = ({id, kind, subject}: RunRow) => this.#changes.tell({run: id, kind, subject})
		this.#frame = {store, submit: this.#submit, clock, random, changed}
		this.#left = leftRuns({
			frame: this.#frame,
			self: this.#self,
			programs: this.#programs,
			whereIs: run => this.whereIs(run),
			goOn: run => this.#goOn(run).begun,
			onTrouble
		})
	}

	/** Starts with the first run or wait here: an unused engine does not touch its store. */
	#watchOthers() {
		const {store, onTrouble, watchEveryMs: everyMs = usualWatchEveryMs} = this.#options
		if (this.#stopped !== undefined) return
		this.#watch ??= watchStore({
			...{store, onTrouble, everyMs},
			changed: one => {
				this.#look(one.run)
				this.#changes.tell(one)
			}
		})
	}

	/** Call before any run of its kind is started, resumed or recovered. */
	register(program: Program): void {
		if (this.#programs.has(program.kind)) throw new Error(`the program ${program.kind} is registered twice`)
		this.#programs.set(program.kind, program)
	}

	/**
	 * Resolves when the run exists and its program's `begin` is over. The run continues automatically. After `storage` and
	 * `disk_full` it may exist anyway, and continues with `resume` or `recover`: programs check `resumed`.
	 */
	async begin(request: BeginRequest): Promise<string> {
		const id = request.id ?? this.#newId()
		if (this.#own.has(id)) throw new RunTaken(id)
		await this.#live(id, this.#insert(id, request)).begun
		return id
	}

	/** An early signal is kept until a step takes it. `id` is unique. */
	async signal(run: string, name: string, payload: unknown = null, id?: string): Promise<SignalFate> {
		if (name.startsWith('$')) throw usageError('Names of signals that begin with $ are reserved.')
		return await this.#send(run, name, payload, id ?? null)
	}

	/** Begins no step for now. */
	async pause(run: string): Promise<SignalFate> {
		return await this.#send(run, controls.pause, null, null)
	}

	/** Continues a run that was paused or held, or whose process ended. Resolves when it runs here or elsewhere. */
	async resume(run: string): Promise<void> {
		const life = this.#goOn(run)
		try {
			await life.begun
			if (life.paused) await this.#send(run, controls.resume, null, null)
		} catch (error) {
			const isElsewhere = hasCode(error, 'busy')
			if (!isElsewhere || (await this.get(run))?.paused !== true) throw error
			await this.#send(run, controls.resume, null, null)
		}
	}

	/** 1: starts nothing more. 2: nor waits for effects. An unclaimed run ends at once. */
	async cancel(run: string, level: 1 | 2 = 1, because = 'Cancelled.'): Promise<SignalFate> {
		const fate = await this.#send(run, controls.cancel, level, null)
		if (fate !== 'ended') await this.#left.end(await this.#row(run), because)
		return fate
	}

	/** Repeats a failed step, or one with an unknown outcome, that ended the run. */
	async retry(run: string, step: string): Promise<void> {
		await this.#answer(run, step, wishes.retry(step), null)
	}

	/** Continues as if the step had ended with this output. */
	async skip(run: string, step: string, reason: string, output: unknown = null): Promise<void> {
		const skip: Skip = {reason, output}
		await this.#answer(run, step, wishes.skip(step), skip)
	}

	/** Takes over runs of ended processes, as each program says. */
	async recover(): Promise<void> {
		await this.#left.recover()
	}

	/** Resolves with the run when this process no longer works on it. */
	async settled(run: string): Promise<RunRow> {
		await this.#own.get(run)?.ended
		return await this.#row(run)
	}

	/** Resolves with the run when it has ended, in whichever process. */
	async ended(run: string, given: AbortSignal = this.#closing.signal): Promise<RunRow> {
		const signal = AbortSignal.any([this.#closing.signal, given])
		const aborted = new Promise<never>((_resolve, reject) => {
			signal.addEventListener('abort', () => reject(signal.reason), {once: true})
		})
		aborted.catch(() => {})
		this.#watchOthers()
		for (;;) {
			signal.throwIfAborted()
			const next = this.#changes.next(run)
			// The watch of the store does not keep the process alive.
			const alive = setInterval(() => {}, 60_000)
			try {
				const row = await this.#row(run)
				if (row.endedAt !== null) return row
				await Promise.race([next.changed, aborted])
			} finally {
				clearInterval(alive)
				next.off()
			}
		}
	}

	get(run: string) {
		return this.#options.store.run(run)
	}

	find(query: RunQuery) {
		return this.#options.store.runs(query)
	}

	steps(query: StepQuery) {
		return this.#options.store.steps(query)
	}

	outline(run: string) {
		return this.#options.store.outline(run)
	}

	async tally(runs: readonly RunHead[]): Promise<Readonly<Record<string, Tally>>> {
		const open = runs.filter(({tally}) => tally === null).map(({id}) => id)
		const counted = open.length === 0 ? {} : await this.#options.store.tally(open)
		return {...Object.fromEntries(runs.map(({id, tally}) => [id, tally ?? {}])), ...counted}
	}

	async signals(run: string) {
		return (await this.#options.store.pending(run))?.signals ?? []
	}

	async definitionOf({definition}: RunHead): Promise<unknown> {
		return definition === null ? null : await this.#options.store.definition(definition)
	}

	async keepDraft(draft: DraftRow, keptSince: number): Promise<void> {
		await this.#submit({kind: 'draft', draft, keptSince})
	}

	/** Those that have not ended stay. */
	async forget(runs: readonly string[]): Promise<void> {
		await this.#submit({kind: 'forget', runs})
	}

	draft(id: string) {
		return this.#options.store.draft(id)
	}

	/** Where it runs, as known now. */
	whereIs(run: RunHead): RunsWhere {
		if (this.#own.has(run.id)) return 'here'
		return this.#isFree(run) ? 'nowhere' : 'elsewhere'
	}

	/** Called once for all changes of a turn, here or in another process. Returns an unsubscribe function. */
	onChange(listener: (changed: RunChanged) => void) {
		this.#watchOthers()
		return this.#changes.on(listener)
	}

	/** Begins nothing more, waits for what is under way, and leaves the rest for the next process. Does not close the store. */
	stop(): Promise<void> {
		this.#stopped ??= this.#stop()
		return this.#stopped
	}

	async #stop() {
		const lives = [...this.#own.values()]
		for (const life of lives) life.end(new Over('closing'))
		await this.#watch?.stop()
		await Promise.all(lives.map(({ended}) => ended))
		this.#closing.abort(new Over('closing'))
		this.#changes.stop()
	}

	#newId() {
		return timeOrderedId(this.#frame.clock.now(), this.#options.random)
	}

	#program(kind: string, version?: number) {
		const program = this.#programs.get(kind)
		if (program === undefined) throw usageError(`This program cannot run ${kind}.`)
		if (version !== undefined && (version > program.version || version < (program.oldest ?? program.version)))
			throw usageError('Another version of Cordon began this run. Continue the run with that version.')
		return program
	}

	async #row(run: string) {
		const row = await this.get(run)
		if (row === undefined) throw unknownRun()
		return row
	}

	/** Neither a running process nor another engine of this process has the run. */
	#isFree({id, owner}: RunHead) {
		if (owner === null) return true
		if (owner.pid === this.#self.pid && owner.started === this.#self.started) return this.#leftBehind.has(id)
		return !(this.#options.isAlive ?? isProcessAlive)(owner)
	}

	#tracked(submit: Submit): Submit {
		return async op => {
			const run = takenBy(op)
			if (run === null) return await submit(op)
			try {
				const result = await submit(op)
				this.#leftBehind.delete(run)
				return result
			} catch (error) {
				this.#leftBehind.add(run)
				throw error
			}
		}
	}

	#live(run: string, claimed: Promise<Claimed>) {
		this.#watchOthers()
		const family = this.#family()
		const {onTrouble} = this.#options
		const life = startLife({frame: this.#frame, family, onTrouble}, claimed, row => {
			this.#own.delete(run)
			if (row !== undefined) this.#frame.changed(row)
		})
		this.#own.set(run, life)
		if (this.#stopped !== undefined) life.end(new Over('closing'))
		return life
	}

	async #insert(id: string, request: BeginRequest, child?: NewChild): Promise<Claimed> {
		if (this.#stopped !== undefined) throw new Over('closing')
		const program = this.#program(request.kind)
		const run = this.#newRun(id, program, request, child)
		const result = await this.#submit({
			kind: 'begin',
			run,
			steps: request.steps ?? [],
			draft: request.draft?.id ?? null,
			under: child === undefined ? null : underOf(child, this.#frame.clock.now())
		})
		if ('taken' in result) throw new RunTaken(result.taken)
		if ('lost' in result) throw new Over('lost')
		const row = await this.#row(id)
		this.#frame.changed(row)
		return {row, program, resumed: false, draft: request.draft ?? null}
	}

	#newRun(id: string, {kind, version}: Program, request: BeginRequest, child?: NewChild): NewRun {
		const {definition} = request
		return {
			...{id, kind, version, title: request.title, startedBy: request.startedBy, subject: request.subject ?? null},
			...{startedAt: this.#frame.clock.now(), input: request.input ?? null, phase: request.phase ?? null},
			...{facts: request.facts ?? {}, key: child?.key ?? request.key ?? null, owner: this.#self},
			parent: child === undefined ? null : {run: child.parent.row.id, step: child.step.id},
			definition: definition === undefined ? null : {digest: digestOfJson(definition), body: definition}
		}
	}

	/** Continues in the current life of the run here, or in a new one. */
	#goOn(run: string) {
		return this.#own.get(run) ?? this.#live(run, this.#claim(run))
	}

	async #claim(run: string): Promise<Claimed> {
		if (this.#stopped !== undefined) throw new Over('closing')
		const row = await this.#row(run)
		refuseEnded(row)
		if (!this.#isFree(row)) throw busy()
		const program = this.#program(row.kind, row.version)
		const held = {run, epoch: row.epoch, at: this.#frame.clock.now()}
		const epoch = await this.#submit({kind: 'claim', ...held, owner: this.#self})
		const now = await this.#row(run)
		if (epoch === null) refuseEnded(now)
		if (epoch === null || now.epoch !== epoch) throw busy()
		this.#frame.changed(now)
		return {row: now, program, resumed: true, draft: null}
	}

	async #send(run: string, name: string, payload: unknown, id: string | null, reopens = false): Promise<SignalFate> {
		const at = this.#frame.clock.now()
		const fate = await this.#submit({kind: 'signal', run, name, payload, id, at, reopens})
		if (fate === 'no_run') throw unknownRun()
		this.#look(run)
		const row = await this.get(run)
		if (row !== undefined) this.#frame.changed(row)
		return fate
	}

	#look(run: string) {
		// A failed read is repeated with the next look.
		this.#own
			.get(run)
			?.look()
			.catch((error: unknown) => this.#options.onTrouble('A run could not be read.', error))
	}

	async #answer(run: string, id: string, name: string, payload: unknown) {
		const row = await this.#row(run)
		const {rows} = await this.steps({run, ids: [id], offset: 0, limit: 1})
		const [step] = rows
		refuseAnswer(row, step)
		await this.#send(run, name, payload, `${name}#${step?.attempt}`, true)
		await this.resume(run)
	}

	#family(): Family {
		return {
			newId: () => this.#newId(),
			begin: async child => {
				const {id, request} = child
				const {startedBy, subject} = child.parent.row
				await this.#live(id, this.#insert(id, {...request, startedBy, subject}, child)).begun
			},
			get: run => this.get(run),
			ended: async (run, signal) => {
				const row = await this.get(run)
				if (row?.endedAt === null && this.whereIs(row) === 'nowhere') await this.#goOn(run).begun.catch(ignoreBusy)
				return await this.ended(run, signal)
			},
			cancel: async (run, level) => {
				await this.cancel(run, level).catch((error: unknown) => this.#options.onTrouble('A run could not be told to stop.', error))
			}
		}
	}
}

/** The run that another process now owns, or none. */
function takenBy(op: Op) {
	if (op.kind === 'begin') return op.run.id
	return op.kind === 'claim' || op.kind === 'release' || op.kind === 'withdraw' ? op.run : null
}

function unknownRun() {
	return new CordonError('unknown_run', 'There is no such run on this profile.')
}

function busy() {
	return new CordonError('busy', 'Another program on this profile carries out this run. Nothing was sent.')
}

function refuseEnded({endedAt}: RunHead) {
	if (endedAt !== null) throw usageError('The run has ended. Start a new one.')
}

/** Only a failure that ended the run can be answered: the program has dealt with any other. */
function refuseAnswer({state, failed}: RunHead, step: StepRow | undefined) {
	if (state === 'failed' && step !== undefined && failed.includes(step.id)) return
	throw usageError('This step does not wait to be retried or skipped. Nothing was sent.', 'step')
}

function underOf({parent, step, takes}: NewChild, at: number): OpOf<'begin'>['under'] {
	return {run: parent.row.id, epoch: parent.epoch, at, step, takes: takes?.seq ?? null}
}
