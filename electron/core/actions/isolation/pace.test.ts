import type {QuotaState} from '#model/frame.ts'

import {testClock} from '#core/service/api/testing/clock.ts'
import {affordablePause, createPace} from './pace.ts'

const now = Date.UTC(2026, 0, 1)

function quota(remaining: number): QuotaState {
	const resetAt = new Date(now + 3_600_000).toISOString()
	return {limit: 3000, remaining, reserve: 100, resetAt, observedAt: '', waitingUntil: null, waiting: 0, reserved: 0, others: null}
}

test('the pace is two seconds at first and grows to thirty', async () => {
	const clock = testClock()
	const pace = createPace(clock)
	pace.restart()
	const pauses: number[] = []
	for (let poll = 0; poll < 16; poll += 1) {
		pauses.push(pace.left())
		await clock.advance(pace.left())
		expect(pace.due()).toBe(true)
		pace.slower()
	}
	expect(pauses.slice(0, 3)).toEqual([2000, 2500, 3125])
	expect(pauses.at(-1)).toBe(30_000)
})

describe('the quota', () => {
	test.each([
		[null, 5, 0],
		[quota(3000), 3, 0],
		[quota(3000), 29, 72_000],
		[quota(160), 3, 360_000],
		[quota(100), 1, 3_600_000],
		[quota(50), 1, 3_600_000]
	])('%j at %d calls a poll asks for a pause of %d ms', (state, cost, pause) => {
		expect(affordablePause(state, cost, now)).toBe(pause)
	})

	test('of a window that is over asks for none', () => {
		expect(affordablePause(quota(0), 5, now + 4_000_000)).toBe(0)
	})
})
