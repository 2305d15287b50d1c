import fc from 'fast-check'

import type {QuotaState} from '#model/frame.ts'

import {plannedPrice} from './guards.ts'

const now = Date.UTC(2026, 0, 1, 12)

function quota(change: Partial<QuotaState> = {}) {
	return {
		limit: 3000,
		remaining: 2400,
		resetAt: new Date(now + 1_800_000).toISOString(),
		observedAt: new Date(now).toISOString(),
		reserve: 150,
		waitingUntil: null,
		waiting: 0,
		reserved: 250,
		others: null,
		...change
	}
}

const plan = {writes: 300, reads: 20, usesReserve: false, now}

test('a change has a cost in calls, in time and in calls left for others', () => {
	expect(plannedPrice(plan, quota())).toMatchObject({
		calls: 320,
		leaves: 1680,
		seconds: 150,
		sentence: '320 calls of 2,000; 1,680 left this hour, plus 150 kept for releases and 250 for jobs.'
	})
})

test('calls beyond this hour wait for the next one', () => {
	const price = plannedPrice({...plan, writes: 2100}, quota())
	expect(price).toMatchObject({leaves: 0, seconds: 1050 + 1800})
	expect(price.sentence).toBe('2,120 calls of 2,000, plus 150 kept for releases and 250 for jobs; the rest waits 30 min for the reset.')
})

test('a release may spend the reserve', () => {
	const spent = quota({remaining: 150, reserved: 0})
	expect(plannedPrice({...plan, writes: 1, reads: 8, usesReserve: true}, spent).leaves).toBe(141)
	expect(plannedPrice({...plan, writes: 1, reads: 8}, spent).seconds).toBeGreaterThan(1700)
	const release = {...plan, writes: 1, reads: 8, usesReserve: true}
	expect(plannedPrice(release, spent).sentence).toBe('9 calls of 150; 141 left this hour.')
	expect(plannedPrice(release, quota({remaining: 5})).sentence).toBe('9 calls of 5; the rest waits 30 min for the reset.')
})

test('where no call is left, all wait for the reset, of which it says when', () => {
	for (const remaining of [200, 0])
		expect(plannedPrice(plan, quota({remaining})).sentence).toBe('320 calls, after a wait of 30 min for the reset.')
	expect(plannedPrice({...plan, writes: 4000}, quota({remaining: 0})).sentence).toBe(
		'4,020 calls, after a wait of 30 min for the reset, the last 1 h 30 min.'
	)
})

test('an hour that is over counts as a fresh one, and the rest waits for the next', () => {
	const now = Date.parse(quota().resetAt) + 1
	expect(plannedPrice({...plan, now, writes: 3000}, quota({reserved: 0})).sentence).toContain('the rest waits 60 min for the reset.')
})

test('before the first answer nothing is promised', () => {
	expect(plannedPrice(plan, null)).toMatchObject({calls: 320, leaves: null, resetAt: null})
})

test('whatever the API limit: the reserve and the calls of jobs are never touched', () => {
	const any = fc.record({remaining: fc.nat(3000), reserved: fc.nat(500), writes: fc.nat(5000), reads: fc.nat(500)})
	fc.assert(
		fc.property(any, ({remaining, reserved, writes, reads}) => {
			const price = plannedPrice({writes, reads, usesReserve: false, now}, quota({remaining, reserved}))
			const spendable = Math.max(0, remaining - 150 - reserved)
			expect(price.leaves).toBe(Math.max(0, spendable - writes - reads))
			if (writes + reads > spendable) expect(price.seconds).toBeGreaterThanOrEqual(1800)
		})
	)
})
