import type {QuotaState} from '#model/frame.ts'

import type {Clock} from '#base/ports.ts'

export const firstPauseMs = 2000
export const longestPauseMs = 30_000

/** Agents answer within seconds, or not for long: readings come close together at first. */
export function nextPause(ms: number) {
	return Math.min(Math.round(ms * 1.25), longestPauseMs)
}

/** When to poll next: every two seconds at first, then ever more slowly. */
export type Pace = ReturnType<typeof createPace>

export function createPace(clock: Clock) {
	let pauseMs = firstPauseMs
	let nextAt = 0
	const left = () => Math.max(0, nextAt - clock.monotonic())
	return {
		/** Something new happened: begin again. */
		restart() {
			pauseMs = firstPauseMs
			nextAt = clock.monotonic() + pauseMs
		},
		slower() {
			pauseMs = nextPause(pauseMs)
			nextAt = clock.monotonic() + pauseMs
		},
		/** The next poll comes no sooner than after `ms` milliseconds. */
		atLeast(ms: number) {
			nextAt = Math.max(nextAt, clock.monotonic() + ms)
		},
		due: () => left() === 0,
		left
	}
}

/** A share worth fewer polls than this is spread out at once. */
const fewPolls = 20

/**
 * The shortest pause at which polls at `cost` calls each spend at most half of the calls left for background work until the
 * limit resets. 0 while the usual pace is affordable. `now` in Unix milliseconds.
 */
export function affordablePause(quota: QuotaState | null, cost: number, now: number) {
	if (quota === null || cost === 0) return 0
	const leftMs = Date.parse(quota.resetAt) - now
	const polls = Math.floor((quota.remaining - quota.reserve) / 2 / cost)
	if (leftMs <= 0) return 0
	if (polls < 1) return leftMs
	const affordable = polls >= fewPolls && leftMs / polls <= longestPauseMs
	return affordable ? 0 : leftMs / polls
}
