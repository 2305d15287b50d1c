import {testClock} from '#core/service/api/testing/clock.ts'

import {createPlaces, isPlace, type Place} from './places.ts'
import {createRateLimit} from './rate-limit.ts'

describe('the rate of an address', () => {
	it('lets a burst through, then as many as flow in, and says when to come back', async () => {
		const clock = testClock()
		const limit = createRateLimit(clock.monotonic)
		const take = (address = '192.0.2.1') => limit.take('i', address, 2, 3)
		expect([take(), take(), take()]).toEqual([null, null, null])
		expect(take()).toMatchObject({status: 429, reason: 'rate_limited', fields: ['Retry-After', '1']})
		expect(take('192.0.2.2')).toBeNull()
		await clock.advance(500)
		expect(take()).toBeNull()
		expect(take()).not.toBeNull()
		await clock.advance(60_000)
		expect([take(), take(), take()]).toEqual([null, null, null])
		expect(take()).not.toBeNull()
	})

	it('below one a second is given in whole seconds', () => {
		const limit = createRateLimit(() => 0)
		expect(limit.take('i', '192.0.2.1', 0.1, 1)).toBeNull()
		expect(limit.take('i', '192.0.2.1', 0.1, 1)).toMatchObject({fields: ['Retry-After', '10']})
		expect(limit.take('other', '192.0.2.1', 0.1, 1)).toBeNull()
	})

	it('has no limit at 0', () => {
		const limit = createRateLimit(() => 0)
		for (let index = 0; index < 1000; index += 1) expect(limit.take('i', '192.0.2.1', 0, 1)).toBeNull()
	})

	it('is not forgotten because of many other addresses at a faster instance', async () => {
		const clock = testClock()
		const limit = createRateLimit(clock.monotonic)
		limit.take('slow', '192.0.2.1', 0.01, 1)
		for (let index = 0; index < 40_000; index += 1) limit.take('fast', `h${index}`, 1000, 1)
		await clock.advance(1000)
		expect(limit.take('slow', '192.0.2.1', 0.01, 1)).not.toBeNull()
	})

	it('holds only so many addresses in memory', () => {
		const limit = createRateLimit(() => 0)
		for (let index = 0; index < 60_000; index += 1) limit.take('i', `h${index}`, 0.001, 1)
		expect(limit.take('i', 'h0', 0.001, 1)).toBeNull()
		expect(limit.take('i', 'h59999', 0.001, 1)).not.toBeNull()
	})
})

describe('the places of an instance', () => {
	function start(concurrency: number, queue: number) {
		const places = createPlaces()
		const order: string[] = []
		const enter = (name: string, limit = concurrency) => {
			const entered = places.enter('i', limit, queue, () => order.push(name))
			if (!isPlace(entered)) throw new Error(entered.reason)
			return entered
		}
		return {places, order, enter}
	}

	it('are taken at once while there are some, then waited for in order, then refused', () => {
		const {order, enter} = start(1, 2)
		const first = enter('first')
		const second = enter('second')
		enter('third')
		expect([first.waits, second.waits]).toEqual([false, true])
		expect(() => enter('fourth')).toThrow('queue_full')
		first.leave()
		expect([order, second.waits]).toEqual([['second'], false])
		second.leave()
		expect(order).toEqual(['second', 'third'])
	})

	it('are given up by a client that leaves, waiting or not, and only once', () => {
		const {order, enter, places} = start(1, 9)
		const first = enter('first')
		const second = enter('second')
		const third = enter('third')
		second.leave()
		expect(places.waiting('i')).toBe(1)
		first.leave()
		first.leave()
		expect(order).toEqual(['third'])
		const fourth = enter('fourth')
		expect(fourth.waits).toBe(true)
		third.leave()
		expect(order).toEqual(['third', 'fourth'])
	})

	it('are not taken by a newcomer while others wait', () => {
		const {order, enter} = start(1, 9)
		enter('first')
		const second = enter('second')
		const third = enter('third', 2)
		expect(order).toEqual(['second'])
		expect(third.waits).toBe(true)
		second.leave()
		expect(order).toEqual(['second', 'third'])
	})

	it('are unlimited at 0, and those who waited go on when the limit is taken away', () => {
		const {order, enter} = start(1, 9)
		enter('first')
		enter('second')
		expect(enter('third', 0).waits).toBe(false)
		expect(order).toEqual(['second'])
	})

	it('pass through a long queue of requests that end at once', () => {
		const places = createPlaces()
		let turns = 0
		const first = places.enter('i', 1, 100_000, () => {})
		const held: Place[] = []
		for (let index = 0; index < 50_000; index += 1) {
			const entered = places.enter('i', 1, 100_000, () => {
				turns += 1
				held[index]?.leave()
			})
			if (isPlace(entered)) held.push(entered)
		}
		if (isPlace(first)) first.leave()
		expect([turns, places.waiting('i')]).toEqual([50_000, 0])
	})

	it('of one instance do not count for another', () => {
		const places = createPlaces()
		places.enter('a', 1, 0, () => {})
		expect(isPlace(places.enter('b', 1, 0, () => {}))).toBe(true)
		expect(places.enter('a', 1, 0, () => {})).toMatchObject({status: 429, fields: ['Retry-After', '1']})
	})
})
