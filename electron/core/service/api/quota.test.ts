import {mergeQuota} from './quota-record.ts'
import {createQuota, othersOf, type Pass, reserveOf} from './quota.ts'
import {memoryLedger} from './testing/client.ts'
import {settle, testClock} from './testing/clock.ts'
import type {QuotaRecord, Purpose} from './types.ts'

interface Asked {
	pass?: Pass
	error?: {code?: string; details?: unknown}
	waits: number[]
}

function gateWith(record?: Partial<QuotaRecord>, ledger = memoryLedger()) {
	const clock = testClock()
	const quota = createQuota({clock, ledger, changed: () => {}})
	/** Observes an answer of now, with a minute left of its window. */
	const see = (seen: Partial<QuotaRecord>, sentAt = clock.monotonic()) =>
		quota.observe({limit: 3000, remaining: 3000, resetAt: clock.now() + 60_000, observedAt: clock.now(), ...seen}, true, sentAt)
	if (record !== undefined) see(record)
	/** Asks to enter; the result tells its outcome so far. */
	const ask = (purpose: Purpose = 'interactive', {maxWaitMs = 3_600_000, signal}: {maxWaitMs?: number; signal?: AbortSignal} = {}) => {
		const asked: Asked = {waits: []}
		quota.enter({purpose, signal, maxWaitMs, onWait: until => asked.waits.push(until - clock.now())}).then(
			pass => (asked.pass = pass),
			(error: Asked['error']) => Object.assign(asked, {error})
		)
		return asked
	}
	return Object.assign(quota, {clock, ask, see})
}

const passed = (asked: readonly Asked[]) => asked.map(({pass}) => pass !== undefined)

test('programs leave a quarter of the API limit to people, and say so', async () => {
	const gate = gateWith({limit: 1000, remaining: 251})
	const [first, second] = [gate.ask('program'), gate.ask('program', {maxWaitMs: 5000})]
	gate.see({limit: 1000, remaining: 250, observedAt: gate.clock.now() + 1})
	first.pass?.leave()
	const [third, person] = [gate.ask('program', {maxWaitMs: 5000}), gate.ask('interactive')]
	await settle()
	expect(first.pass).toBeDefined()
	for (const {error} of [second, third]) expect(error).toMatchObject({code: 'rate_limited', message: expect.stringContaining('left to people')})
	expect(third.error?.details).toMatchObject({retryAt: '2026-01-01T00:01:00.000Z'})
	expect(person.pass).toBeDefined()
})

test('a clock that is set back leaves no call waiting for a window in the future', async () => {
	const ledger = memoryLedger()
	const clock = testClock()
	const tomorrow = clock.now() + 86_400_000
	ledger.observe({limit: 3000, remaining: 0, resetAt: tomorrow + 3_600_000, observedAt: tomorrow})
	const gate = gateWith(undefined, ledger)
	const asked = gate.ask()
	await settle()
	expect(asked.pass).toBeDefined()
	expect(gate.state()).toBeNull()
})

describe('the reserve', () => {
	test.each([
		[3000, 150],
		[10_000, 150],
		[1000, 50],
		[100, 5],
		[20, 1],
		[19, 0],
		[5, 0],
		[0, 0]
	])('of a limit of %i is %i', (limit, reserve) => {
		expect(reserveOf(limit)).toBe(reserve)
	})

	test('is left alone by everything but a release', async () => {
		const gate = gateWith({remaining: 150})
		const asked = (['interactive', 'background', 'release'] as const).map(purpose => gate.ask(purpose))
		await settle()
		expect(passed(asked)).toEqual([false, false, true])
		expect(gate.state()).toMatchObject({reserve: 150, waiting: 2, waitingUntil: '2026-01-01T00:01:00.000Z'})
	})
})

describe('the gate', () => {
	test('is open while the API limit is unknown', async () => {
		const gate = gateWith()
		const asked = gate.ask()
		await settle()
		expect(asked.pass?.waitedMs).toBe(0)
		expect(gate.state()).toBeNull()
	})

	test('holds a call until the window ends, says so, and lets it pass then', async () => {
		const gate = gateWith({remaining: 0})
		const asked = gate.ask('release')
		await gate.clock.advance(59_999)
		expect([asked.pass, asked.waits]).toEqual([undefined, [60_000]])
		await gate.clock.advance(1)
		expect(asked.pass?.waitedMs).toBe(60_000)
		expect(gate.state()).toMatchObject({waiting: 0, waitingUntil: null})
	})

	test('counts running calls, and opens as they return', async () => {
		const gate = gateWith({limit: 10, remaining: 2})
		const asked = [gate.ask(), gate.ask(), gate.ask()]
		await settle()
		expect(passed(asked)).toEqual([true, true, false])
		expect(asked[2]?.waits).toEqual([])
		gate.see({limit: 10, remaining: 1})
		asked[0]?.pass?.leave()
		await settle()
		expect(asked[2]?.pass).toBeUndefined()
		asked[1]?.pass?.leave()
		await settle()
		expect(asked[2]?.pass).toBeDefined()
	})

	test('lets no more calls into an unseen new window than fit', async () => {
		const gate = gateWith({limit: 3, remaining: 0})
		const asked = [gate.ask(), gate.ask(), gate.ask(), gate.ask()]
		await gate.clock.advance(60_000)
		expect(passed(asked)).toEqual([true, true, true, false])
	})

	test('opens early when another process sees a new window', async () => {
		const gate = gateWith({remaining: 0})
		const asked = gate.ask()
		await gate.clock.advance(10_000)
		gate.see({remaining: 2999, resetAt: gate.clock.now() + 3_600_000})
		await settle()
		expect(asked.pass?.waitedMs).toBe(10_000)
	})

	test('refuses at once when the wait would be too long, and says when to try again', async () => {
		const gate = gateWith({remaining: 0})
		const asked = gate.ask('interactive', {maxWaitMs: 59_000})
		await settle()
		expect(asked.error).toMatchObject({code: 'rate_limited', details: {retryAt: '2026-01-01T00:01:00.000Z'}})
		expect(gate.clock.pending()).toEqual([])
	})

	test('can be aborted without leaving a timer', async () => {
		const gate = gateWith({remaining: 0})
		const abort = new AbortController()
		const asked = gate.ask('interactive', {signal: abort.signal})
		await settle()
		abort.abort()
		await settle()
		expect(asked.error?.code).toBe('cancelled')
		expect(gate.clock.pending()).toEqual([])
		expect(gate.state()?.waiting).toBe(0)
	})

	test('knows what another process on the profile saw', async () => {
		const ledger = memoryLedger()
		const other = gateWith({remaining: 0}, ledger)
		const asked = gateWith(undefined, ledger).ask()
		await settle()
		expect([asked.pass, asked.waits, other.state()?.remaining]).toEqual([undefined, [60_000], 0])
	})
})

test.each([
	['interactive', 2985],
	['release', 2000]
] as const)('a refusal closes the gate for %s calls until its own end, even if the window has %i calls left', async (purpose, remaining) => {
	const gate = gateWith({remaining})
	gate.refuse(gate.clock.now() + 3000)
	const asked = gate.ask(purpose)
	await gate.clock.advance(2999)
	expect([asked.pass, asked.waits]).toEqual([undefined, [3000]])
	await gate.clock.advance(1)
	expect(asked.pass).toBeDefined()
})

test('a refusal that names no window is lifted by no answer that was under way, and by one that was asked for later', async () => {
	const gate = gateWith({remaining: 2985})
	await gate.clock.advance(1000)
	gate.refuse(gate.clock.now() + 60_000)
	await gate.clock.advance(100)
	const asked = gate.ask('release')
	gate.see({remaining: 2984, resetAt: gate.clock.now() + 3_000_000}, 900)
	await settle()
	expect([asked.pass, asked.waits]).toEqual([undefined, [59_900]])
	gate.see({remaining: 2984, resetAt: gate.clock.now() + 3_000_000}, 1050)
	await settle()
	expect(asked.pass).toBeDefined()
})

describe('what jobs have set aside', () => {
	test('is left alone by background reading only', async () => {
		const gate = gateWith({remaining: 400}, memoryLedger({reserved: 250}))
		const asked = (['background', 'interactive', 'job', 'release'] as const).map(purpose => gate.ask(purpose))
		await settle()
		expect(passed(asked)).toEqual([false, true, true, true])
		expect(gate.state()).toMatchObject({reserved: 250})
	})

	test('blocks others only as long as the job lasts, even if no call reports its end', async () => {
		let reserved = 250
		const gate = gateWith({remaining: 400}, {...memoryLedger(), reserved: () => reserved})
		const asked = gate.ask('background')
		await gate.clock.advance(30_000)
		expect([asked.pass, asked.waits]).toEqual([undefined, [60_000]])
		expect(gate.state()).toMatchObject({waiting: 1, waitingUntil: '2026-01-01T00:01:00.000Z'})
		reserved = 0
		await gate.clock.advance(2000)
		expect(asked.pass?.waitedMs).toBeLessThanOrEqual(32_000)
		expect(gate.state()).toMatchObject({waiting: 0, waitingUntil: null})
		expect(gate.clock.pending()).toEqual([])
	})

	test('is checked rarely once the window is used up', async () => {
		const gate = gateWith({remaining: 100}, memoryLedger({reserved: 250}))
		gate.ask('background')
		await settle()
		expect(gate.clock.pending()).toEqual([60_000])
	})
})

describe('calls made elsewhere', () => {
	const record: QuotaRecord = {limit: 3000, remaining: 2500, resetAt: Date.UTC(2026, 0, 1, 15), observedAt: 0}

	test.each([
		['are told with the beginning of the window', 160, 0, {calls: 340, since: '2026-01-01T14:00:00.000Z'}],
		['are none while answers are on their way', 480, 15, null],
		['are none where a few answers were lost', 495, 0, null],
		['are not guessed where nobody counted', null, 0, null]
	])('%s', (_what, own, inFlight, others) => {
		expect(othersOf(record, own, inFlight)).toEqual(others)
	})
})

describe('two observations', () => {
	const base: QuotaRecord = {limit: 3000, remaining: 2000, resetAt: 100_000, observedAt: 1000}

	test('of one window: the calls left only fall, whichever answer came later', () => {
		const overtaken = {...base, remaining: 2001, observedAt: 1010, resetAt: 100_700}
		expect(mergeQuota(base, overtaken)).toMatchObject({remaining: 2000, observedAt: 1010, resetAt: 100_700})
		expect(mergeQuota(overtaken, base)).toMatchObject({remaining: 2000, observedAt: 1010})
	})

	test('of two windows: the later observation counts', () => {
		const next = {...base, remaining: 2999, observedAt: 100_001, resetAt: 3_700_000}
		expect(mergeQuota(base, next)).toEqual(next)
		expect(mergeQuota(next, base)).toEqual(next)
	})

	test('after the end of a short window the new one counts, however near its end is', () => {
		const short = {...base, remaining: 0, resetAt: 2000}
		const next = {...base, remaining: 9, observedAt: 2000, resetAt: 3000}
		expect(mergeQuota(short, next)).toEqual(next)
	})

	test('with nothing: what there is', () => {
		expect(mergeQuota(null, base)).toEqual(base)
		expect(mergeQuota(base, null)).toEqual(base)
		expect(mergeQuota(null, null)).toBeNull()
	})
})
