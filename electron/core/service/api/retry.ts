import type {RunProgress} from '#contract/live.ts'

import type {Clock} from '#base/ports.ts'
import {abortError, failed, type Failure, type Outcome} from './failure.ts'

/** How many times a reading is repeated after its first attempt. */
const maxRetries = 4

interface RetryPolicy {
	clock: Clock
	signal: AbortSignal | undefined
	/** Over all attempts and pauses; waiting for the quota does not count. */
	deadlineMs: number
	onProgress: ((progress: RunProgress) => void) | undefined
	/** From 0 to below 1. */
	random: () => number
}

export interface Attempt {
	/** Time that is left before the deadline. */
	readonly leftMs: number
	/** Time spent waiting for the quota moves the deadline. */
	readonly waited: (ms: number) => void
}

/** Repeats a reading that failed in a way that may pass. Resolves with the last failure when nothing helps. */
export async function withRetries<T>(attempt: (how: Attempt) => Promise<Outcome<T>>, policy: RetryPolicy): Promise<Outcome<T>> {
	const {clock, signal} = policy
	const from = clock.monotonic()
	let waitedMs = 0
	const left = () => policy.deadlineMs - (clock.monotonic() - from - waitedMs)
	for (let retries = 0; ; retries += 1) {
		const outcome = await attempt({leftMs: left(), waited: ms => (waitedMs += ms)})
		if (outcome.ok || !outcome.failure.retry || retries === maxRetries) return outcome
		const inMs = backOffMs(retries, policy.random())
		if (inMs >= left()) return outcome
		report(policy, retries + 1, inMs, outcome.failure)
		try {
			await clock.sleep(inMs, signal)
		} catch (error) {
			if (signal?.aborted !== true) throw error
			return {ok: false, failure: {...failed('cancelled', undefined, {}), error: abortError(signal)}}
		}
	}
}

/** 0.5, 1, 2, 4 seconds, each shortened by up to half so that many callers do not come back together. */
export function backOffMs(retriesBefore: number, random: number) {
	return Math.round(Math.min(8000, 500 * 2 ** retriesBefore) * (1 - random / 2))
}

function report(policy: RetryPolicy, attempt: number, inMs: number, failure: Failure) {
	policy.onProgress?.({kind: 'retrying', attempt, of: maxRetries, inMs, because: failure.error.message})
}
