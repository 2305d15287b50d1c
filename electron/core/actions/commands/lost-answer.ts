/** What to do when a change was sent and its outcome is unknown: read the state, never send again. */
import {CordonError, type ErrorCode} from '#contract/errors.ts'

import type {CallOptions} from '#core/service/api/types.ts'
import type {HandlerContext, HandlerOutcome} from './types.ts'

export interface Recovery<T> {
	readonly read: (options: CallOptions) => Promise<T>
	/** The state in words, as it stands after "is" or "now:". */
	readonly words: (state: T) => string
	/** What the service calls it, where `words` differ. */
	readonly state?: (state: T) => string
	/** The outcome when the wanted effect is visible, else `undefined`. */
	readonly effect: (state: T) => HandlerOutcome | undefined
	/** Why it was not carried out, in a sentence, where the state is the effect of another request. */
	readonly refusal?: (state: T) => Promise<string | undefined>
}

/** A success with errors says as little about the effect as no answer. */
const ambiguous: ReadonlySet<ErrorCode> = new Set(['outcome_unknown', 'errors_in_success'])

const readDeadlineMs = 30_000
/** What rules a change out is read twice: one reading may come from a lagging part of the service. */
const settledAfterMs = 10_000

/** Sends a change; when its answer is lost, the state decides what is reported. */
export async function sendOnce<T>(context: HandlerContext, send: () => Promise<HandlerOutcome>, recovery: Recovery<T>) {
	try {
		return await send()
	} catch (error) {
		if (!(error instanceof CordonError) || !ambiguous.has(error.code)) throw error
		return await readBack(context, error, recovery)
	}
}

async function readBack<T>(context: HandlerContext, lost: CordonError, recovery: Recovery<T>): Promise<HandlerOutcome> {
	let state = await stateAfter(context, lost, recovery)
	let refusal = await recovery.refusal?.(state)
	if (refusal !== undefined) {
		const again = await laterState(context, lost, recovery)
		refusal = again && (await recovery.refusal?.(again))
		state = again ?? state
	}
	const words = recovery.words(state)
	if (refusal !== undefined) throw told(lost, `${refusal} ${lostBecause(lost)}`, recovery.state?.(state), 'conflict')
	const outcome = recovery.effect(state)
	if (outcome === undefined) {
		const message = `${lostBecause(lost)} Checked afterwards: ${words}. Nothing was sent again. Check again before retrying.`
		throw told(lost, message, recovery.state?.(state) ?? words)
	}
	return {...outcome, message: `${outcome.message} ${lostBecause(lost)} The state was checked afterwards: ${words}.`}
}

async function stateAfter<T>(context: HandlerContext, lost: CordonError, recovery: Recovery<T>) {
	const {signal, purpose, onProgress} = context.call
	if (signal.aborted) throw told(lost, 'Cancelled after the request was sent. Outcome unknown. Check the current state before retrying.')
	try {
		return await recovery.read({signal, purpose, onProgress, deadlineMs: readDeadlineMs, maxQuotaWaitMs: readDeadlineMs})
	} catch (error) {
		const why = error instanceof CordonError ? error.message : 'it could not be read.'
		throw told(lost, `${lostBecause(lost)} The state could not be checked either: ${why}`)
	}
}

async function laterState<T>(context: HandlerContext, lost: CordonError, recovery: Recovery<T>) {
	try {
		await context.clock.sleep(settledAfterMs, context.call.signal)
		return await stateAfter(context, lost, recovery)
	} catch {
		// The first reading alone rules nothing out.
		return undefined
	}
}

function lostBecause(lost: CordonError) {
	if (lost.code === 'errors_in_success') return lost.message
	const what = lost.details.status === undefined ? 'was lost' : 'does not tell the outcome'
	return `The answer to the request ${what}${lost.cause instanceof CordonError ? `: ${lost.cause.message}` : '.'}`
}

function told(lost: CordonError, message: string, state?: string, code: ErrorCode = 'outcome_unknown') {
	return new CordonError(code, message, {...lost.details, ...(state !== undefined && {state})}, {cause: lost})
}
