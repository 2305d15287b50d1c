import fc from 'fast-check'

import {failed, type Outcome} from './failure.ts'
import {backOffMs, withRetries, type Attempt} from './retry.ts'
import {testClock} from './testing/clock.ts'

const passing: Outcome<never> = {ok: false, failure: failed('reset', 'broken', {retry: true})}
const lasting: Outcome<never> = {ok: false, failure: failed('not_found', 'gone', {})}

function setUp(change: {deadlineMs?: number; random?: number; signal?: AbortSignal} = {}) {
	const clock = testClock({eager: true})
	const {deadlineMs = 180_000, random = 0, signal} = change
	return {clock, policy: {clock, deadlineMs, signal, onProgress: undefined, random: () => random}}
}

test('each pause doubles, and jitter takes away up to half of it', () => {
	fc.assert(
		fc.property(fc.nat(20), fc.double({min: 0, max: 0.999, noNaN: true}), (retries, random) => {
			const full = Math.min(8000, 500 * 2 ** retries)
			const ms = backOffMs(retries, random)
			expect(ms).toBeLessThanOrEqual(full)
			expect(ms).toBeGreaterThanOrEqual(full / 2)
		})
	)
})

test('four retries with 0.5, 1, 2 and 4 seconds between them, then the last failure', async () => {
	const {clock, policy} = setUp()
	let attempts = 0
	const outcome = await withRetries(async () => ((attempts += 1), passing), policy)
	expect([outcome, attempts, clock.asked]).toEqual([passing, 5, [500, 1000, 2000, 4000]])
})

test('a failure that lasts is not repeated', async () => {
	const {clock, policy} = setUp()
	expect(await withRetries(async () => lasting, policy)).toEqual(lasting)
	expect(clock.asked).toEqual([])
})

test('no retry starts after the deadline, and waiting for the API limit moves it', async () => {
	const slow = (ms: number, waited: number) => {
		const {clock, policy} = setUp({deadlineMs: 10_000})
		let attempts = 0
		const attempt = async (how: Attempt): Promise<Outcome<never>> => {
			attempts += 1
			await clock.sleep(ms)
			how.waited(waited)
			return passing
		}
		return withRetries(attempt, policy).then(() => attempts)
	}
	expect(await slow(4000, 0)).toBe(3)
	expect(await slow(4000, 4000)).toBe(5)
})

test('the time that is left goes to each attempt', async () => {
	const {policy} = setUp({deadlineMs: 10_000})
	const left: number[] = []
	await withRetries(async how => (left.push(how.leftMs), passing), policy)
	expect(left).toEqual([10_000, 9500, 8500, 6500, 2500])
})

test('aborting ends the pause', async () => {
	const abort = new AbortController()
	const clock = testClock()
	const {policy} = setUp({signal: abort.signal})
	const result = withRetries(async () => passing, {...policy, clock})
	await clock.advance(100)
	abort.abort()
	expect(await result).toMatchObject({ok: false, failure: {error: {code: 'cancelled'}}})
	expect(clock.pending()).toEqual([])
})
