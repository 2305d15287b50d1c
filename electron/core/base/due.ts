import type {Clock} from './ports.ts'

/** Resolves when it is aborted. */
export function aborted(signal: AbortSignal): Promise<void> {
	if (signal.aborted) return Promise.resolve()
	return new Promise(resolve => signal.addEventListener('abort', () => resolve(), {once: true}))
}

/** How soon a forward jump of the clock, as after a sleep of the computer, is noticed. */
const sliceMs = 30_000

/**
 * Resolves when the wall clock has passed `due`, or the remaining time was measured: whichever comes first. A clock that is
 * set back makes nobody wait longer than from `since` to `due`. Rejects when aborted.
 */
export async function waitUntilDue(clock: Clock, {since, due}: {since: number; due: number}, signal: AbortSignal) {
	const from = clock.monotonic()
	const left = Math.min(due - clock.now(), due - since)
	for (;;) {
		const wait = Math.min(due - clock.now(), left - (clock.monotonic() - from))
		if (wait <= 0) return
		await clock.sleep(Math.min(wait, sliceMs), signal)
	}
}
