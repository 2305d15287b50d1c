import {testClock} from '#core/service/api/testing/clock.ts'

import {createBackOff} from './back-off.ts'

function fail(backOff: ReturnType<typeof createBackOff>, address: string, times = 5) {
	for (let round = 0; round < times; round += 1) backOff.begin('i', address)?.end('bad')
}

describe('the memory of failed attempts', () => {
	it('holds a limited number of addresses, and drops the oldest first', () => {
		const backOff = createBackOff(() => 0)
		fail(backOff, 'first')
		for (let index = 0; index < 9_999; index += 1) fail(backOff, `other${index}`, 1)
		expect(backOff.waitMs('i', 'first')).toBe(1000)
		for (let index = 0; index < 2; index += 1) fail(backOff, `more${index}`, 5)
		expect(backOff.waitMs('i', 'first')).toBe(0)
		expect(backOff.waitMs('i', 'more1')).toBe(1000)
	})

	it('counts each instance by itself', () => {
		const backOff = createBackOff(() => 0)
		fail(backOff, '192.0.2.1')
		expect([backOff.waitMs('i', '192.0.2.1'), backOff.waitMs('j', '192.0.2.1')]).toEqual([1000, 0])
	})

	it('lets no attempt start while they are held back, and counts only decided ones', async () => {
		const clock = testClock()
		const backOff = createBackOff(clock.monotonic)
		for (let round = 0; round < 20; round += 1) backOff.begin('i', 'a')?.end('undecided')
		expect(backOff.waitMs('i', 'a')).toBe(0)
		fail(backOff, 'a')
		expect(backOff.begin('i', 'a')).toBeNull()
		await clock.advance(1000)
		const attempt = backOff.begin('i', 'a')
		expect(attempt).not.toBeNull()
		// One at a time from here on.
		expect(backOff.begin('i', 'a')).toBeNull()
		attempt?.end('good')
		expect(backOff.begin('i', 'a')).not.toBeNull()
	})

	it('forgets them a quarter of an hour after the last', async () => {
		const clock = testClock()
		const backOff = createBackOff(clock.monotonic)
		fail(backOff, 'a', 1)
		await clock.advance(800_000)
		fail(backOff, 'a', 3)
		await clock.advance(900_001)
		fail(backOff, 'a', 4)
		await clock.advance(900_000)
		expect(backOff.waitMs('i', 'a')).toBe(0)
		fail(backOff, 'a', 1)
		expect(backOff.waitMs('i', 'a')).toBe(1000)
	})

	it('is cleared by a successful authentication of another kind', () => {
		const backOff = createBackOff(() => 0)
		fail(backOff, 'a', 4)
		backOff.forgive('i', 'a')
		fail(backOff, 'a', 4)
		expect(backOff.waitMs('i', 'a')).toBe(0)
	})
})
