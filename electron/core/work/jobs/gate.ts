/** Checks before every send: not stopped, changes unlocked, and API calls left without the reserve. */
import {createTurns, type Turn} from '#base/turns.ts'
import {CordonError} from '#contract/errors.ts'
import type {RunState} from './run-state.ts'
import {iso} from './rows.ts'

/** A wait is cut into pieces, so that a stop or the lock of another process is noticed. */
const sliceMs = 2000

/** Why nothing more is sent, in a sentence; `closing`: this process ends, or another has the job, and goes on. */
export type StopReason = {kind: 'stopped'; because: string} | {kind: 'closing'}

/**
 * Waits until one target may be sent, or with why none may; `ended` says so of the others. The call is counted as on its way
 * before anybody else asks.
 */
export async function pass<T>(run: RunState, ended: () => StopReason | null, work: (refusal: StopReason | null) => Promise<T>) {
	const refusal = await passed(run, ended)
	try {
		return await work(refusal)
	} finally {
		if (refusal === null) run.inFlight -= 1
	}
}

async function passed(run: RunState, ended: () => StopReason | null) {
	let told: number | null = null
	for (;;) {
		const reason = ended() ?? stopReason(run)
		const until = reason === null ? waitUntil(run) : null
		if (until === null) {
			if (told !== null) await run.context.note({facts: {waitingUntil: null}})
			if (reason === null) run.inFlight += 1
			return reason
		}
		if (until !== told) await run.context.note({facts: {waitingUntil: iso(until)}})
		told = until
		await run.context.rest(Math.min(sliceMs, Math.max(1, until - run.services.clock.now())))
	}
}

const stopWords = {
	locked: 'Changes were locked.',
	connection: 'The connection was made read-only on this computer.',
	managed: 'The administrator made the connection read-only.'
} as const

/** This process ends, or another took its job: nothing more is sent or reported from here. */
export function isOver({context}: Pick<RunState, 'context'>) {
	return context.over.aborted
}

export function stopReason(run: RunState): StopReason | null {
	const {services, context, connection} = run
	if (isOver(run)) return {kind: 'closing'}
	if (context.cancels > 0) return {kind: 'stopped', because: 'Cancelled.'}
	const mode = services.connections.mode(connection.id)
	if (mode.kind === 'guarded') return null
	return {kind: 'stopped', because: stopWords[mode.because]}
}

/** `most` changes are on their way; `ended` is asked again when one has its turn, as its intent may be older. */
export function turnsOf(most: number, ended: () => StopReason | null): Turn {
	const turn = createTurns(most)
	return work =>
		turn(async () => {
			if (ended() !== null) throw new CordonError('cancelled', 'The job was stopped. Nothing was sent.')
			return await work()
		})
}

/** Unix milliseconds, or `null` when the quota has room for one more. */
function waitUntil({services, id, connection, inFlight, notBefore}: RunState) {
	const now = services.clock.now()
	if (notBefore.at > now && notBefore.measured > services.clock.monotonic()) return notBefore.at
	const room = services.planner.room(connection.id, id)
	if (room === null || room.calls > inFlight) return null
	// The next answer reveals a new window.
	return room.resetAt > now ? room.resetAt : inFlight === 0 ? null : now + sliceMs
}
