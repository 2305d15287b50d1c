import {connect} from 'node:net'

import {basic, openBench, type Bench} from './testing/running.ts'

const quotaHeaders = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'x-ratelimit-resetdate']

describe('access to the service', () => {
	let bench: Bench
	beforeAll(async () => {
		bench = await openBench()
	})
	afterAll(() => bench.stop())

	test('answers its version to a known credential', async () => {
		const {status, body} = await bench.get('/v1/version')
		expect(status).toBe(200)
		expect(body).toEqual({version: 'v1.2.0', metadata: {links: {self: `${bench.sandbox.url}/v1/version`}}, data: {}})
	})

	test.each([
		['no header', undefined],
		['another scheme', 'Bearer abc'],
		['no base64', 'Basic ***'],
		['no colon', `Basic ${Buffer.from('abc').toString('base64')}`],
		['an unknown id', basic('nobody', 'key')],
		['a wrong key', basic('5a7d0b0c5a7d0b0c0001', 'wrong')]
	])('refuses %s with the body of the live 401', async (_what, authorization) => {
		const {status, body, headers} = await bench.raw('/v1/version', authorization === undefined ? {} : {headers: {authorization}})
		expect(status).toBe(401)
		expect(body).toEqual({
			version: null,
			data: {},
			errors: [{error_code: 401, description: 'Unauthorized', details: ['Unknown API key or Client ID']}]
		})
		expect(headers.get('www-authenticate')).toBeNull()
	})

	test('ignores the case of the scheme', async () => {
		const authorization = basic(bench.sandbox.clientId, bench.sandbox.apiKey).replace('Basic', 'bAsIc')
		expect((await bench.raw('/v1/version', {headers: {authorization}})).status).toBe(200)
	})

	test.each([
		['GET', '/v1/version', 200],
		['GET', '/v1/computers?limit=0', 400],
		['GET', '/v1/nowhere', 404],
		['GET', '/v1/computers/00000000-0000-4000-8000-000000000000', 404],
		['POST', '/v1/computers', 404]
	])('puts API limit, request id and date on %s %s', async (method, path, status) => {
		const reply = await bench.call(method, path)
		expect(reply.status).toBe(status)
		for (const name of [...quotaHeaders, 'x-request-id', 'date']) expect(reply.headers.get(name), name).not.toBeNull()
	})

	test('puts the API limit on a 401 too, from a window of its own', async () => {
		const {headers} = await bench.raw('/v1/version', {headers: {authorization: basic('somebody else', 'x')}})
		expect(headers.get('x-ratelimit-remaining')).toBe('999999')
		expect(headers.get('x-ratelimit-reset')).toBe('3600')
	})

	test('gives the read-only credential everything but writes', async () => {
		expect((await bench.readOnly('GET', '/v1/computers?limit=1')).status).toBe(200)
		const guid = await bench.guidOf('FIN-LT-0107')
		const refused = await bench.readOnly('PUT', `/v1/computers/${guid}/isolation`)
		expect(refused.status).toBe(403)
		expect(refused.at('errors', 0, 'error_code')).toBe(403)
		expect((await bench.get(`/v1/computers/${guid}/isolation`)).at('data', 'status')).toBe('not_isolated')
	})

	test('keeps an encoded slash inside its segment', async () => {
		const guid = await bench.guidOf('FIN-LT-0107')
		expect((await bench.get(`/v1/computers%2F${guid}`)).status).toBe(404)
		expect((await bench.get(`/v1/computers/${guid}%2Fisolation`)).status).toBe(404)
		expect((await bench.get('/v1/computers/%zz')).status).toBe(400)
	})

	test('names an unexpected parameter', async () => {
		const {status, detail} = await bench.get('/v1/groups?sort=name')
		expect(status).toBe(400)
		expect(detail).toBe('Unexpected parameter: sort')
	})

	test('tolerates a trailing slash', async () => {
		expect((await bench.get('/v1/computers/?limit=1')).at('metadata', 'results', 'current_item_count')).toBe(1)
	})
})

test('the API limit is a fixed window from the first call, with 429 when exhausted', async () => {
	const bench = await openBench({quota: 2, windowSeconds: 60})
	const first = await bench.get('/v1/version')
	bench.pass(20_500)
	const second = await bench.get('/v1/version')
	const third = await bench.get('/v1/version')
	expect(first.headers.get('x-ratelimit-resetdate')).toBe('2026-03-04T09:31:00Z')
	expect(second.headers.get('x-ratelimit-resetdate')).toBe('2026-03-04T09:31:00Z')
	expect(second.headers.get('x-ratelimit-remaining')).toBe('0')
	expect(third.status).toBe(429)
	expect(third.headers.get('x-ratelimit-reset')).toBe('40')
	expect(third.at('errors', 0, 'description')).toBe('Too Many Requests')
	bench.pass(40_000)
	const fresh = await bench.get('/v1/version')
	expect([fresh.status, fresh.headers.get('x-ratelimit-remaining')]).toEqual([200, '1'])
	await bench.stop()
})

describe('starting and stopping', () => {
	test('stops while a request hangs for ever and a connection idles', async () => {
		const bench = await openBench({weather: ['GET /v1/version=hang', 'GET /v1/groups=latency:600000']})
		const hanging = Promise.allSettled([bench.get('/v1/version'), bench.get('/v1/groups')])
		const idle = connect(Number(new URL(bench.sandbox.url).port), '127.0.0.1')
		const ended = new Promise(resolve => void idle.on('close', resolve).on('error', () => {}))
		await expect.poll(() => bench.sandbox.requests.length).toBe(2)
		await bench.stop()
		await ended
		expect((await hanging).map(({status}) => status)).toEqual(['rejected', 'rejected'])
	})

	test('serves an empty tenant', async () => {
		const bench = await openBench({computers: 0})
		for (const path of ['computers', 'events', 'computers/activity?q=chrome.exe']) expect((await bench.get(`/v1/${path}`)).rows).toEqual([])
		await bench.stop()
	})

	test('survives weather that cannot be sent', async () => {
		const bench = await openBench({weather: [{method: 'GET', path: '/v1/groups', effect: {kind: 'redirect', location: 'http://no\nwhere'}}]})
		await expect(bench.get('/v1/groups')).rejects.toThrow()
		expect((await bench.get('/v1/version')).status).toBe(200)
		await bench.stop()
	})

	test('refuses a port that is taken', async () => {
		const bench = await openBench()
		await expect(openBench({port: Number(new URL(bench.sandbox.url).port)})).rejects.toThrow('EADDRINUSE')
		await bench.stop()
	})

	test('logs what it received', async () => {
		const bench = await openBench()
		await bench.get('/v1/groups?limit=2')
		await bench.call('POST', '/v1/groups')
		expect(bench.sandbox.requests).toEqual([
			{method: 'GET', path: '/v1/groups?limit=2', at: bench.now(), status: 200},
			{method: 'POST', path: '/v1/groups', at: bench.now(), status: 404}
		])
		bench.sandbox.clearRequests()
		expect(bench.sandbox.requests).toEqual([])
		await bench.stop()
	})
})
