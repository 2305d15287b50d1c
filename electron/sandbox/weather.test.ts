import fc from 'fast-check'
import {basic, openBench, type Bench} from './testing/running.ts'
import {parseWeather} from './weather.ts'

let bench: Bench
beforeEach(async () => {
	bench = await openBench({computers: 60})
})
afterEach(() => bench.stop())

const list = '/v1/computers?limit=10'

const weather = (lines: readonly string[]) => bench.sandbox.weather.set(lines)

const statusOf = async (reply: ReturnType<Bench['get']>) => (await reply).status

function listIn(rule: string) {
	weather([rule])
	return bench.get(list)
}

describe('weather that gives another answer', () => {
	test('429 tells when to come back', async () => {
		const reply = await listIn('GET /v1/computers=429:17')
		expect([reply.status, reply.headers.get('x-ratelimit-reset'), reply.headers.get('x-ratelimit-remaining')]).toEqual([429, '17', '0'])
		expect(reply.at('errors', 0, 'error_code')).toBe(429)
	})

	test.each([500, 502, 503, 504])('%d comes in the envelope, with the API limit', async status => {
		const reply = await listIn(`* /v1/*=${status}`)
		expect([reply.status, reply.at('errors', 0, 'error_code')]).toEqual([status, status])
		expect(reply.headers.get('x-ratelimit-remaining')).not.toBeNull()
	})

	test('an HTML page comes as a gateway sends it', async () => {
		const reply = await listIn('GET *=html:503')
		expect([reply.status, reply.headers.get('content-type')]).toEqual([503, 'text/html'])
		expect(reply.text).toMatch(/^<html>/)
	})

	test('a redirect names the place', async () => {
		const reply = await listIn('GET *=redirect:https://other.example/v1/computers?x=1')
		expect([reply.status, reply.headers.get('location')]).toEqual([302, 'https://other.example/v1/computers?x=1'])
	})

	test('errors stand beside a success', async () => {
		const reply = await listIn('GET *=errors')
		expect(reply.status).toBe(200)
		expect(reply.rows).toHaveLength(10)
		expect(reply.at('errors', 0, 'error_code')).toBe(500)
	})

	test('an empty body is empty', async () => {
		expect(await listIn('GET *=empty')).toMatchObject({status: 200, text: ''})
	})

	test('malformed JSON cannot be read', async () => {
		const {status, text} = await listIn('GET *=malformed')
		expect(status).toBe(200)
		expect(() => JSON.parse(text)).toThrow(SyntaxError)
	})

	test('a skewed clock shows in the Date header', async () => {
		const {headers} = await listIn('GET *=skew:-3600')
		expect(Date.parse(headers.get('date') ?? '')).toBe(bench.now() - 3_600_000)
	})
})

describe('weather on the wire', () => {
	const headers = () => ({authorization: basic(bench.sandbox.clientId, bench.sandbox.apiKey)})

	test.each(['reset', 'drop', 'truncate'])('%s breaks the answer', async kind => {
		await expect(listIn(`GET *=${kind}`)).rejects.toThrow()
	})

	test('a truncated answer promises more than it brings', async () => {
		const whole = await bench.get(list)
		weather(['GET *=truncate'])
		const response = await fetch(bench.sandbox.url + list, {headers: headers()})
		expect(response.headers.get('content-length')).toBe(String(Buffer.byteLength(whole.text)))
		await expect(response.text()).rejects.toThrow()
	})

	test('a hanging request gets no answer', async () => {
		weather(['GET *=hang'])
		const gaveUp = bench.raw(list, {headers: headers(), signal: AbortSignal.timeout(80)})
		await expect(gaveUp).rejects.toThrow('aborted due to timeout')
	})

	test('a delay ends when the weather changes', async () => {
		weather(['GET *=latency:600000'])
		const answer = fetch(bench.sandbox.url + list, {headers: headers()})
		await expect.poll(() => bench.sandbox.requests.length).toBe(1)
		bench.sandbox.weather.clear()
		expect((await answer).status).toBe(200)
	})

	test('latency comes before the answer and the drip within it', async () => {
		weather(['GET *=latency:60', 'GET *=drip:5'])
		const began = performance.now()
		const response = await fetch(bench.sandbox.url + list, {headers: headers()})
		const head = performance.now()
		const text = await response.text()
		expect(head - began).toBeGreaterThan(55)
		expect(performance.now() - head).toBeGreaterThan(50)
		expect(JSON.parse(text)).toHaveProperty('data')
	})
})

describe('what a write leaves behind', () => {
	test.each([
		['drop', 'pending_start'],
		['truncate', 'pending_start'],
		['empty', 'pending_start'],
		['malformed', 'pending_start'],
		['errors', 'pending_start'],
		['reset', 'not_isolated'],
		['503', 'not_isolated'],
		['html', 'not_isolated'],
		['429', 'not_isolated']
	])('after %s the computer is %s', async (kind, status) => {
		const path = `/v1/computers/${await bench.guidOf('FIN-LT-0107')}/isolation`
		weather([`PUT /v1/computers/*/isolation=${kind},times:1`])
		await bench.call('PUT', path).catch(() => {})
		expect((await bench.get(path)).at('data', 'status')).toBe(status)
	})
})

describe('where and when it applies', () => {
	test('only the method and the path that it names', async () => {
		weather(['GET /v1/computers/*=500'])
		const guid = await bench.guidOf('FIN-LT-0107')
		expect(await statusOf(bench.get(`/v1/computers/${guid}`))).toBe(500)
		expect(await statusOf(bench.get(`/v1/computers/${guid}/isolation`))).toBe(500)
		expect(await statusOf(bench.call('OPTIONS', `/v1/computers/${guid}/isolation`))).toBe(204)
	})

	test('one page of a listing, by its query', async () => {
		weather(['GET /v1/computers?*offset=20*=503'])
		const statuses = await Promise.all([0, 20, 40].map(async offset => (await bench.get(`/v1/computers?limit=20&offset=${offset}`)).status))
		expect(statuses).toEqual([200, 503, 200])
	})

	test('after some requests and so many times', async () => {
		weather(['GET /v1/version=503,after:1,times:2'])
		const statuses: number[] = []
		for (let i = 0; i < 5; i += 1) statuses.push((await bench.get('/v1/version')).status)
		expect(statuses).toEqual([200, 503, 503, 200, 200])
	})

	test('by chance, the same chance with the same seed', async () => {
		const run = async () => {
			weather(['GET /v1/version=503,p:0.5'])
			let statuses = ''
			for (let i = 0; i < 24; i += 1) statuses += (await bench.get('/v1/version')).status === 503 ? 'x' : '.'
			return statuses
		}
		const first = await run()
		expect(first).toMatch(/x/)
		expect(first).toMatch(/\./)
		expect(await run()).toBe(first)
	})

	test('never the control calls, and it clears', async () => {
		await bench.control('PUT', '/sandbox/weather', {rules: ['* *=500']})
		expect((await bench.control('GET', '/sandbox/weather')).at('rules', 0, 'effect')).toEqual({kind: 'status', status: 500})
		expect(await statusOf(bench.get('/v1/version'))).toBe(500)
		await bench.control('DELETE', '/sandbox/weather')
		expect(await statusOf(bench.get('/v1/version'))).toBe(200)
	})
})

describe('the text form', () => {
	test.each([
		['GET /v1/computers*=latency:2000', {method: 'GET', path: '/v1/computers*', effect: {kind: 'latency', ms: 2000}}],
		[
			'put /v1/computers/*/isolation=drop,times:1,after:2',
			{method: 'PUT', path: '/v1/computers/*/isolation', effect: {kind: 'drop'}, times: 1, after: 2}
		],
		['* *=429,p:0.25', {method: '*', path: '*', effect: {kind: 'rate_limit', resetSeconds: 60}, probability: 0.25}],
		['GET /v1/events?*offset=500*=html', {method: 'GET', path: '/v1/events?*offset=500*', effect: {kind: 'html', status: 502}}]
	])('reads %s', (text, rule) => {
		expect(parseWeather(text)).toEqual(rule)
	})

	test.each(['', 'GET', 'GET /v1', 'GET /v1=rain', 'GET /v1=latency', 'GET /v1=latency:soon', 'GET /v1=status:99', 'GET /v1=500,often:2'])(
		'refuses "%s"',
		text => {
			expect(() => parseWeather(text)).toThrow(TypeError)
		}
	)

	test('refuses or reads any text, but never breaks otherwise', () => {
		fc.assert(
			fc.property(fc.string(), text => {
				try {
					return parseWeather(text).path.length > 0
				} catch (error) {
					return error instanceof TypeError
				}
			})
		)
	})
})
