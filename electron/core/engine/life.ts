/** A run from its claim to its end in this process. */
import {contextOf} from './context.ts'
import type {Family} from './child.ts'
import {becauseOfFailure, Cancelled, failedSteps, isFailure, Over, stepErrorOf} from './ends.ts'
import {openOwned, type Frame, type Owned} from './owned.ts'
import type {DraftRow, RunRow} from './port.ts'
import type {Ending, Program, RunContext} from './types.ts'

/** A run that this process has just written or claimed. */
export interface Claimed {
	readonly row: RunRow
	readonly program: Program
	/** Whether another owner had it before. */
	readonly resumed: boolean
	/** Restored when the program cannot begin. */
	readonly draft: DraftRow | null
}

export type Life = ReturnType<typeof startLife>

interface LifeDependencies {
	frame: Frame
	family: Family
	onTrouble: (message: string, error: unknown) => void
}

interface Begun {
	owned: Owned
	context: RunContext
}

/** Calls `gone` at the end, when nothing uses this life any more. */
export function startLife(deps: LifeDependencies, claimed: Promise<Claimed>, gone: (row: RunRow | undefined) => void) {
	let owned: Owned | undefined
	let reason: Over | undefined
	const open = async (one: Claimed) => {
		owned = await openOwned(deps.frame, one.row)
		if (reason !== undefined) owned.control.end(reason)
		return owned
	}
	const opened = openLife(deps, claimed, open)
	const live = async () => {
		try {
			const begun = await opened
			await carryOut(deps, await claimed, begun)
			await quietly(deps, () => begun.owned.release())
		} catch {
			// The caller of `begin` gets the error.
		} finally {
			gone(owned?.row)
		}
	}
	return {
		/** Rejects when the run could not begin here. It has no owner then. */
		begun: opened.then(() => {}),
		/** Never rejects. The run itself reports what went wrong. */
		ended: live(),
		get paused() {
			return owned?.control.paused ?? false
		},
		/** Starts nothing more; waits for what is under way. */
		end(why: Over) {
			reason ??= why
			owned?.control.end(why)
		},
		/** Call when another process has written to the run. */
		look: async () => await owned?.look()
	}
}

async function openLife(deps: LifeDependencies, claimed: Promise<Claimed>, open: (claimed: Claimed) => Promise<Owned>): Promise<Begun> {
	const one = await claimed
	/** A run whose program could not begin is removed, unless the process ends halfway. */
	let neverWas = !one.resumed
	try {
		const owned = await open(one)
		const {over} = owned.control
		over.throwIfAborted()
		const context = contextOf(owned, deps.family, one.resumed)
		if (one.row.begun) return {owned, context}
		over.addEventListener('abort', () => (neverWas = false))
		await one.program.begin?.(context)
		await owned.change({begun: true}, true)
		return {owned, context}
	} catch (error) {
		await letGo(deps, one, neverWas)
		throw error
	}
}

async function letGo(deps: LifeDependencies, {row, draft}: Claimed, neverWas: boolean) {
	const {submit, clock} = deps.frame
	const held = {run: row.id, epoch: row.epoch, at: clock.now()}
	await quietly(deps, () => (neverWas ? submit({kind: 'withdraw', ...held, draft}) : submit({kind: 'release', ...held})))
}

interface Lived {
	deps: LifeDependencies
	program: Program
	owned: Owned
}

async function carryOut(deps: LifeDependencies, {program, resumed}: Claimed, {owned, context}: Begun) {
	const lived: Lived = {deps, program, owned}
	try {
		if (resumed) await program.reconcile?.(context)
		const ending = await program.run(context)
		if (!owned.control.over.aborted) await finish(lived, ending)
	} catch (error) {
		await stopped(lived, error)
	}
}

async function finish({deps, program, owned}: Lived, {state = 'done', output, because, phase}: Ending, failed?: readonly string[]) {
	const end = {state, because: because ?? null}
	const tally = owned.book.tally()
	await quietly(deps, async () => await program.ending?.({...owned.row, ...end, tally}, owned.book.all))
	await owned.change({...{state, output: output ?? null, because, phase, tally}, ...{endedAt: owned.frame.clock.now(), failed}}, true)
}

async function stopped(lived: Lived, error: unknown) {
	const {deps, owned} = lived
	const {reason} = owned.control.over
	if (reason instanceof Over) return await endedByEngine(lived, reason)
	await quietly(deps, async () => {
		const steps = failedSteps(error)
		if (error instanceof Cancelled) return await finish(lived, {state: 'cancelled', because: 'Cancelled.'})
		if (!isFailure(error)) return await hold(deps, owned, error)
		const ending = {state: 'failed', because: [...new Set(becauseOfFailure(error))].join(' ')} as const
		await finish(
			lived,
			ending,
			steps.map(({id}) => id)
		)
	})
}

/** A store that refused one write may accept another: then readers of the run see why it stopped. */
async function endedByEngine({deps, owned}: Lived, {kind, cause}: Over) {
	if (kind !== 'fault') return
	const {row, frame, epoch} = owned
	deps.onTrouble('The state of a run could not be stored.', cause)
	const change = {state: 'held', because: becauseOf(cause)} as const
	const op = {kind: 'change', run: row.id, epoch, at: frame.clock.now(), change, durable: true} as const
	// The trouble was reported.
	await frame.submit(op).catch(() => {})
}

async function hold(deps: LifeDependencies, owned: Owned, error: unknown) {
	deps.onTrouble(`The run ${owned.row.id} could not go on.`, error)
	await owned.change({state: 'held', because: becauseOf(error)}, true)
}

function becauseOf(error: unknown) {
	return `It could not go on: ${stepErrorOf(error).message}`
}

async function quietly({onTrouble}: LifeDependencies, work: () => Promise<unknown>) {
	try {
		await work()
	} catch (error) {
		if (error instanceof Over && error.kind !== 'fault') return
		onTrouble('The state of a run could not be stored.', error)
	}
}
