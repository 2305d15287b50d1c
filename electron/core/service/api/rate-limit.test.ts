import {tellingWaits} from '#base/acting.ts'
import {CordonError} from '#contract/errors.ts'

import {until} from '#base/testing/until.ts'
import {openBench} from './testing/bench.ts'
import {testClient} from './testing/client.ts'
import {testClock, type TestClock} from './testing/clock.ts'
import {alwaysBad, bad, good, type Answerer} from './testing/server.ts'
import type {CallOptions, ClientOptions} from './types.ts'
import {issueWriteToken} from './write-token.ts'

const {onClose, serving, closeAll} = openBench()

afterEach(closeAll)

async function setUp(answer: Answerer, change: Partial<ClientOptions> = {}) {
	const server = await serving(answer)
	const clock = testClock()
	const client = testClient(server.url, {clock, ...change})
	onClose(client.stop)
	return {server, clock, client}
}

const version = {method: 'GET', path: ['version']} as const
const isolate = {method: 'PUT', path: ['computers', 'x', 'isolation']} as const

function once429(headers: Readonly<Record<string, string>>): Answerer {
	return (_request, response, count) => (count === 1 ? bad(response, 429, 'slow down', headers) : good(response))
}

/** The client asks the clock for its pause. */
const paused = (clock: TestClock) => until('its pause', () => clock.pending().length > 0)

test.each([
	['as long as the service says', {'x-ratelimit-reset': '7'}, 7000],
	['also in the spelling of the documentation', {'X-Rate-Limit-Reset': '9'}, 9000],
	['60 s when it does not say', {}, 60_000],
	['at least a second', {'x-ratelimit-reset': '0'}, 1000]
])('after a 429 a call waits %s, visibly, and is repeated', async (_name, headers, ms) => {
	for (const request of [version, isolate]) {
		const {server, clock, client} = await setUp(once429(headers))
		const progress: unknown[] = []
		const options: CallOptions = {token: issueWriteToken('i', 'test'), onProgress: step => progress.push(step)}
		const waits: number[] = []
		const call = tellingWaits(
			wait => waits.push(wait),
			() => client.call(request, options)
		)
		await paused(clock)
		expect(waits).toEqual([ms])
		expect(progress).toEqual([{kind: 'waiting_for_quota', until: new Date(clock.now() + ms).toISOString()}])
		expect(client.quota()).toMatchObject({waiting: 1, remaining: 0})
		await clock.advance(ms - 1)
		expect(server.requests).toHaveLength(1)
		await clock.advance(1)
		expect((await call).status).toBe(200)
		expect(server.requests).toHaveLength(2)
	}
})

test('an implausible wait is cut to a day, and the call is refused with it', async () => {
	const {client} = await setUp(once429({'x-ratelimit-reset': '99999999999999'}))
	await expect(client.call(version)).rejects.toMatchObject({code: 'rate_limited', details: {retryAt: '2026-01-02T00:00:00.000Z'}})
})

test('a successful change stays one when the API limit cannot be stored', async () => {
	const told = {'x-ratelimit-limit': '3000', 'x-ratelimit-remaining': '2999', 'x-ratelimit-reset': '3600'}
	const broken = () => {
		throw new CordonError('disk_full')
	}
	const ledger = {read: broken, observe: broken, own: broken, reserved: broken}
	const {client} = await setUp((_request, response) => good(response, {}, told), {ledger})
	expect((await client.call(isolate, {token: issueWriteToken('i', 'test')})).status).toBe(200)
	expect(client.quota()).toMatchObject({remaining: 2999})
})

test('the wait can be aborted', async () => {
	const {server, clock, client} = await setUp(once429({'x-ratelimit-reset': '3000'}))
	const abort = new AbortController()
	const call = client.call(version, {signal: abort.signal})
	await paused(clock)
	abort.abort()
	await expect(call).rejects.toMatchObject({code: 'cancelled'})
	expect(server.requests).toHaveLength(1)
})

test('a wait that is longer than allowed is refused with the time at which it ends', async () => {
	const {client} = await setUp(once429({'x-ratelimit-reset': '3000'}))
	const call = client.call(isolate, {token: issueWriteToken('i', 'test'), maxQuotaWaitMs: 60_000})
	await expect(call).rejects.toMatchObject({
		code: 'rate_limited',
		message: 'API limit reached. Calls are available again at 00:50:00 UTC.',
		details: {retryAt: '2026-01-01T00:50:00.000Z', status: 429, requestId: 'req-1'}
	})
})

test('waits add up to the allowed maximum', async () => {
	const {clock, client} = await setUp(alwaysBad(429, 'no', {'x-ratelimit-reset': '40'}))
	const call = client.call(version, {maxQuotaWaitMs: 60_000})
	const outcome = call.then(
		() => 'ok',
		(error: {code: string}) => error.code
	)
	await paused(clock)
	await clock.advance(40_000)
	expect(await outcome).toBe('rate_limited')
})

test('without hints the wait grows', async () => {
	const {clock, client} = await setUp((_request, response, count) => (count < 4 ? bad(response, 429, 'no') : good(response)))
	const call = client.call(version)
	for (const seconds of [60, 120, 240]) {
		await paused(clock)
		expect(clock.pending()).toEqual([seconds * 1000])
		await clock.advance(seconds * 1000)
	}
	expect((await call).status).toBe(200)
})

test('waiting for the API limit does not count against the deadline of a reading', async () => {
	const {clock, client} = await setUp((_request, response, count) =>
		count === 1 ? bad(response, 429, 'no', {'x-ratelimit-reset': '3000'}) : count === 2 ? bad(response, 503, 'no') : good(response)
	)
	const call = client.call(version, {deadlineMs: 30_000})
	await paused(clock)
	await clock.advance(3_000_000)
	await paused(clock)
	await clock.advance(1000)
	expect((await call).status).toBe(200)
})

test('no call is sent when the last answer left none', async () => {
	const spent = {'x-ratelimit-limit': '100', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '30'}
	const {server, clock, client} = await setUp((_request, response, count) => good(response, {}, count === 1 ? spent : {}))
	await client.call(version)
	const call = client.call(version)
	await paused(clock)
	expect(server.requests).toHaveLength(1)
	await clock.advance(30_000)
	await call
})
