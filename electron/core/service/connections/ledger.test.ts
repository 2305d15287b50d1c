import fc from 'fast-check'

import {observeQuota} from '../api/quota-record.ts'
import type {QuotaRecord} from '../api/types.ts'
import {createWorld, profileDatabase, type World} from '#core/store/testing/world.ts'
import {openLedger} from './connections.ts'
import {reserveCalls} from './reservations.ts'

let world: World
beforeEach(() => {
	world = createWorld()
})

function record(change: Partial<QuotaRecord>): QuotaRecord {
	return {limit: 3000, remaining: 100, resetAt: 3_600_000, observedAt: 1_000_000, ...change}
}

test('two processes share one API limit', () => {
	const [one, two] = [profileDatabase(world), profileDatabase(world)]
	openLedger(one, 'c1').observe(record({remaining: 7}))
	expect(openLedger(two, 'c1').read()).toEqual(record({remaining: 7}))
	expect(openLedger(two, 'c2').read()).toBeNull()
})

test.each([
	['an answer of the same window that tells fewer', {remaining: 90, observedAt: 1_000_100}, 90],
	['a late answer of the same window that tells more', {remaining: 110, observedAt: 1_000_100}, 100],
	['an older answer that tells fewer', {remaining: 90, observedAt: 999_000}, 90],
	['an answer whose end of window is off by a second', {remaining: 110, resetAt: 3_601_000}, 100],
	['an answer of the next window', {remaining: 2999, resetAt: 7_200_000, observedAt: 3_600_500}, 2999],
	['an answer of the window before', {remaining: 1, resetAt: 900_000, observedAt: 1_000_000}, 100],
	['an answer of a short window after this one ended', {remaining: 5, resetAt: 3_601_000, observedAt: 3_600_000}, 5],
	['an answer after the clock was set back', {remaining: 500, resetAt: 900_000, observedAt: 0}, 500]
])('after %s the right number counts', (_what, change, remaining) => {
	expect(observeQuota(record({}), record(change)).remaining).toBe(remaining)
})

test('within a window the number never grows, in whatever order answers arrive', () => {
	const answer = fc.record({
		remaining: fc.nat(3000),
		observedAt: fc.integer({min: 1_000_000, max: 1_050_000}),
		resetAt: fc.integer({min: 3_599_000, max: 3_600_000})
	})
	fc.assert(
		fc.property(fc.array(answer, {minLength: 1}), answers => {
			const merged = answers.map(record).reduce<QuotaRecord | null>(observeQuota, null)
			expect(merged?.remaining).toBe(Math.min(...answers.map(one => one.remaining)))
		})
	)
})

test('calls, and what live jobs set aside, are counted over all processes', () => {
	const [one, two] = [profileDatabase(world), profileDatabase(world)]
	const [first, second] = [openLedger(one, 'c1'), openLedger(two, 'c1')]
	first.observe(record({remaining: 99}))
	second.observe(record({remaining: 98, observedAt: 1_000_100}))
	// A refusal is no call of the window, and ends before it does.
	second.observe(record({remaining: 0, observedAt: 1_000_200, resetAt: 1_004_000}), false)
	expect(first.read()).toMatchObject({remaining: 0, resetAt: 1_004_000})
	expect([first.own(3_600_000), first.own(7_200_000)]).toEqual([2, null])
	const reservation = reserveCalls(one, {connection: 'c1', id: 'j1', title: 'Isolate 40', calls: 40})
	reservation.set(30)
	expect([second.reserved(), openLedger(two, 'c2').reserved()]).toEqual([30, 0])
	one.run('INSERT INTO budget_reservation VALUES (?, ?, ?, ?, ?, ?)', 'j0', 'c1', 'dead', 500, 1, 'long ago')
	expect(second.reserved()).toBe(30)
	reservation.end()
	expect(second.reserved()).toBe(0)
})

test('a late answer does not turn our own calls into those of others', () => {
	const database = profileDatabase(world)
	const ledger = openLedger(database, 'c1')
	ledger.observe(record({remaining: 2999}))
	ledger.observe(record({remaining: 2998, resetAt: 3_607_000, observedAt: 1_007_000}))
	expect(ledger.own(3_607_000)).toBe(2)
	ledger.observe(record({remaining: 2999, resetAt: 7_210_000, observedAt: 3_610_000}))
	expect(ledger.own(7_210_000)).toBe(1)
	ledger.observe(record({remaining: 2998, resetAt: 7_210_000, observedAt: 3_611_000}))
	// The clock is set back: within the same window, and then in another.
	ledger.observe(record({remaining: 2997, resetAt: 6_000_000, observedAt: 2_401_000}))
	expect(ledger.own(6_000_000)).toBe(3)
	ledger.observe(record({remaining: 2999, resetAt: 3_600_000, observedAt: 1_000_000}))
	expect(ledger.own(3_600_000)).toBe(1)
})
