import {gzipSync} from 'node:zlib'

import fc from 'fast-check'
import {codeOf, refused, expectRefused} from '#base/testing/code-of.ts'
import type {ErrorCode} from '#contract/errors.ts'

import {isolate, isolateRequest, liveToken, openBench, versionRequest} from './testing/bench.ts'
import {memoryLedger, testKey} from './testing/client.ts'
import {askedAt} from './pages.ts'
import {testClock} from './testing/clock.ts'
import {always, alwaysBad, alwaysGood, bad, good, type Answerer} from './testing/server.ts'
import type {ApiClient, ApiRequest, ClientOptions} from './types.ts'
import {issueWriteToken, revokeWriteToken} from './write-token.ts'

const {serving, servingGood, clientOf, clientFor, closeAll} = openBench()

afterEach(closeAll)

describe('a request on the wire', () => {
	test('carries Basic credentials, JSON and gzip as headers and nothing secret in its address', async () => {
		const server = await servingGood()
		await clientOf(server.url).call(versionRequest)
		expect(server.requests).toEqual(['GET /v1/version'])
		expect(server.headers[0]).toMatchObject({
			authorization: `Basic ${Buffer.from(`a1b2c3:${testKey}`).toString('base64')}`,
			accept: 'application/json',
			'accept-encoding': 'gzip',
			'user-agent': 'Cordon/test'
		})
	})

	test('uses the key that is valid at that moment', async () => {
		const server = await servingGood()
		let key = 'old'
		const client = clientOf(server.url, {apiKey: async () => key})
		await client.call(versionRequest)
		key = 'new'
		await client.call(versionRequest)
		expect(server.headers.map(headers => headers.authorization)).toEqual([basic('old'), basic('new')])
	})

	test('uses one connection for many readings and one for each change', async () => {
		const server = await servingGood()
		const client = clientOf(server.url)
		await client.call(versionRequest)
		await client.call(versionRequest)
		expect(server.connections()).toBe(1)
		await isolate(client)
		await isolate(client)
		expect(server.connections()).toBe(3)
	})

	test('sends a body as JSON, also with DELETE, and no type without a body', async () => {
		const server = await servingGood()
		const client = clientOf(server.url)
		await isolate(client)
		await client.call({...isolateRequest, method: 'DELETE', body: {comment: 'clean “now”'}}, {token: liveToken()})
		await client.call({method: 'PUT', path: isolateRequest.path}, {token: liveToken()})
		expect(server.bodies).toEqual(['{"comment":"x"}', '{"comment":"clean “now”"}', ''])
		expect(server.headers.map(headers => headers['content-type'])).toEqual(['application/json', 'application/json', undefined])
	})

	test('repeats array parameters in brackets and encodes a plus', async () => {
		const server = await servingGood()
		const query = [
			['hostname[]', 'a b'],
			['hostname[]', 'c&d'],
			['start_date', '2026-01-01T00:00:00+00:00']
		] as const
		await clientOf(server.url).call({method: 'GET', path: ['events'], query})
		expect(server.requests).toEqual(['GET /v1/events?hostname[]=a%20b&hostname[]=c%26d&start_date=2026-01-01T00%3A00%3A00%2B00%3A00'])
	})

	test('never reaches another endpoint, whatever a segment or a value holds', async () => {
		const server = await servingGood()
		const client = clientOf(server.url)
		const text = fc.oneof(
			fc.string({unit: 'binary', maxLength: 12}),
			fc
				.array(fc.constantFrom('/', '?', '#', '..', '.', '%2e', '%2F', '\\', '&', ';', '@', ' ', '\r\n', 'x'), {maxLength: 6})
				.map(parts => parts.join(''))
		)
		await fc.assert(
			fc.asyncProperty(text, text, async (segment, value) => {
				const before = server.requests.length
				const request: ApiRequest = {method: 'GET', path: ['computers', segment, 'isolation'], query: [['q', value]]}
				const failure = await client.call(request).then(
					() => {},
					(error: unknown) => error
				)
				const sent = server.requests.slice(before)
				if (failure !== undefined) {
					expect(failure).toMatchObject({code: 'invalid_argument'})
					expect(sent).toEqual([])
					return
				}
				expect(sent).toHaveLength(1)
				const url = new URL(sent[0]?.slice(4) ?? '', server.url)
				const parts = url.pathname.split('/')
				expect([parts.length, parts[1], parts[2], decodeURIComponent(parts[3] ?? ''), parts[4]]).toEqual([
					5,
					'v1',
					'computers',
					segment,
					'isolation'
				])
				expect([...url.searchParams]).toEqual([['q', value]])
			}),
			{
				numRuns: 300,
				examples: [
					['..', ''],
					['.', ''],
					['', ''],
					['../../groups', 'a+b'],
					['%2e%2e', '#'],
					['\ud800', '']
				]
			}
		)
	})
})

describe('a good answer', () => {
	test('keeps integers beyond 2^53 exactly, gzip or not', async () => {
		const text = '{"version":"v1.2.0","data":[{"id":6839681950832132112,"small":7}]}'
		const client = await clientFor((_request, response, count) => {
			const zipped = count === 1
			response.writeHead(200, zipped ? {'content-encoding': 'gzip'} : {})
			response.end(zipped ? gzipSync(text) : text)
		})
		for (const _ of [1, 2]) {
			expect((await client.call(versionRequest)).body).toMatchObject({data: [{id: 6839681950832132112n, small: 7}]})
		}
	})

	test('gives a time that without its duration is that of the request, to the millisecond', async () => {
		let ms = 0.9
		const clock = {...testClock({eager: true}), now: () => Math.floor(1000 + ms), monotonic: () => ms}
		const client = await clientFor(
			(_request, response) => {
				ms = 10.2
				good(response)
			},
			{clock}
		)
		expect(askedAt(await client.call(versionRequest))).toBe(1000)
	})

	test('gives status, request id, time, allowed methods and clock difference', async () => {
		const clock = testClock({eager: true})
		const date = new Date(clock.now() - 90_000).toUTCString()
		const client = await clientFor(
			(_request, response) => {
				response.writeHead(204, {allow: 'OPTIONS, get, PUT', 'x-request-id': 'abc', date})
				response.end()
			},
			{clock}
		)
		const answer = await client.call({method: 'OPTIONS', path: isolateRequest.path})
		expect(answer).toMatchObject({status: 204, body: undefined, allow: ['OPTIONS', 'GET', 'PUT'], requestId: 'abc', at: clock.now()})
		expect(client.clockSkewMs()).toBe(89_500)
	})

	test('reports the API limit, in either spelling of its headers', async () => {
		for (const prefix of ['X-RateLimit', 'X-Rate-Limit']) {
			const clock = testClock({eager: true})
			const headers = {[`${prefix}-Limit`]: '3000', [`${prefix}-Remaining`]: '2986', [`${prefix}-Reset`]: '2635'}
			const client = await clientFor((_request, response) => good(response, {}, headers), {clock})
			await client.call(versionRequest)
			expect(client.quota()).toEqual({
				limit: 3000,
				remaining: 2986,
				resetAt: '2026-01-01T00:43:55.000Z',
				observedAt: '2026-01-01T00:00:00.000Z',
				reserve: 150,
				waitingUntil: null,
				waiting: 0,
				reserved: 0,
				others: null
			})
		}
	})
})

describe('the write gate', () => {
	const gated = async (change: Partial<ClientOptions>, options: Parameters<ApiClient['call']>[1]) => {
		const server = await servingGood()
		const code = await codeOf(clientOf(server.url, change).call(isolateRequest, options))
		expect(server.requests).toEqual([])
		expect(server.connections()).toBe(0)
		return code
	}

	test("refuses a change without a token, or with a revoked, a forged or another connection's", async () => {
		const revoked = liveToken()
		revokeWriteToken(revoked)
		expect(await gated({}, undefined)).toBe('write_not_permitted')
		expect(await gated({}, {token: revoked})).toBe('write_not_permitted')
		expect(await gated({}, {token: {intent: 'x', connection: 'test'}})).toBe('write_not_permitted')
		expect(await gated({}, {token: issueWriteToken('x', 'other')})).toBe('write_not_permitted')
	})

	test('refuses every change on a read-only or locked connection, token or not', async () => {
		for (const because of ['connection', 'locked'] as const) {
			const mode = () => ({kind: 'read_only', because, since: null}) as const
			expect(await gated({mode}, {token: liveToken()})).toBe('read_only')
		}
	})

	test('lets GET and OPTIONS pass on a read-only connection', async () => {
		const mode = () => ({kind: 'read_only', because: 'connection', since: null}) as const
		const client = await clientFor(alwaysGood, {mode})
		expect((await client.call(versionRequest)).status).toBe(200)
		expect((await client.call({...isolateRequest, method: 'OPTIONS'})).status).toBe(200)
	})

	test('checks again after a wait for the API limit', async () => {
		const clock = testClock()
		const ledger = memoryLedger()
		ledger.observe({limit: 100, remaining: 0, resetAt: clock.now() + 5000, observedAt: clock.now()})
		const server = await servingGood()
		const held = liveToken()
		const failing = refused(clientOf(server.url, {clock, ledger}).call(isolateRequest, {token: held}))
		await clock.advance(4000)
		revokeWriteToken(held)
		await clock.advance(1000)
		expect((await failing).code).toBe('write_not_permitted')
		expect(server.requests).toEqual([])
	})
})

describe('an answer other than success', () => {
	const cases: [name: string, status: number, request: ApiRequest, code: ErrorCode, message: RegExp][] = [
		['400', 400, versionRequest, 'bad_request', /did not accept.*The service says: because\.$/],
		['401', 401, versionRequest, 'unauthorized', /Client ID or API key/],
		['403', 403, versionRequest, 'forbidden', /lacks permission/],
		['404 of a list', 404, {method: 'GET', path: ['computers']}, 'not_found', /does not know the address \/v1\/computers\./],
		['404 of streams', 404, {method: 'GET', path: ['event_streams']}, 'not_found', /offers no event streams\./],
		['404 of a computer', 404, {method: 'GET', path: ['computers', 'x']}, 'not_found', /no such computer/],
		['404 of hashes', 404, {method: 'GET', path: ['file_lists', 'x', 'files']}, 'not_found', /no such file list/],
		['405 on isolation', 405, {...isolateRequest, method: 'OPTIONS'}, 'isolation_not_allowed', /policy/],
		['405 elsewhere', 405, versionRequest, 'unexpected_status', /405/],
		['409 when isolating', 409, isolateRequest, 'conflict', /already isolated, or a change.*under way.*because/],
		['409 when releasing', 409, {...isolateRequest, method: 'DELETE'}, 'conflict', /not isolated/],
		['409 of a hash', 409, {method: 'POST', path: ['file_lists', 'x', 'files', 'y']}, 'conflict', /already on the list/],
		['418', 418, versionRequest, 'unexpected_status', /418/],
		['500', 500, versionRequest, 'service_error', /answered with an error \(status 500, request req-1\)/],
		['503', 503, versionRequest, 'service_error', /status 503/]
	]
	test.each(cases)('%s', async (_name, status, request, code, message) => {
		const client = await clientFor(alwaysBad(status, 'because'))
		const error = await refused(client.call(request, {token: liveToken()}))
		expect(error).toMatchObject({code, details: {status, requestId: 'req-1', service: 'because'}})
		expect(error.message).toMatch(message)
	})

	test('a failed reading names its request, without credentials; a change never does', async () => {
		const client = await clientFor(alwaysBad(500, 'because'))
		const query = [['hostname[]', 'FIN DC']] as const
		const reading = await refused(client.call({method: 'GET', path: ['computers'], query}))
		const {method, url = ''} = reading.details.asked ?? {}
		expect(method).toBe('GET')
		expect(new URL(url)).toMatchObject({pathname: '/v1/computers', username: '', password: ''})
		expect([...new URL(url).searchParams]).toEqual(query)
		expect((await refused(isolate(client))).details).not.toHaveProperty('asked')
	})

	test('401 on a change after a good reading means a read-only key', async () => {
		const client = await clientFor((request, response) => (request.method === 'GET' ? good(response) : bad(response, 401, 'Unknown API key')))
		await client.call(versionRequest)
		await expectRefused(isolate(client), 'forbidden')
	})

	const answers: [name: string, answer: Answerer, code: ErrorCode][] = [
		['200 with errors', always(200, {}, '{"data":{},"errors":[{"details":["half done"]}]}'), 'errors_in_success'],
		['200 with errors as an object', always(200, {}, '{"data":{},"errors":{"a":1}}'), 'errors_in_success'],
		['an HTML page', always(200, {}, '<html>Login</html>'), 'bad_json'],
		['half of the JSON', always(200, {}, '{"data":[{"id":1'), 'bad_json'],
		['JSON without an envelope', always(200, {}, '[1]'), 'unexpected_shape'],
		['an empty body', always(200), 'empty_body'],
		['204 to a GET', always(204), 'empty_body'],
		['an encoding that was not asked for', always(200, {'content-encoding': 'br'}, 'x'), 'bad_json'],
		['broken gzip', always(200, {'content-encoding': 'gzip'}, 'no gzip'), 'bad_json'],
		['an HTML page with 500', always(500, {}, '<html>'), 'service_error']
	]
	test.each(answers)('%s is an error for a reading', async (_name, answer, code) => {
		const client = await clientFor(answer)
		await expectRefused(client.call(versionRequest), code)
	})

	test('a change whose success cannot be read has an unknown outcome', async () => {
		for (const text of ['<html>', '', '{"data":', '[]']) {
			const client = await clientFor((_request, response) => response.setHeader('x-request-id', 'r9').end(text))
			expect(await refused(isolate(client)), text).toMatchObject({code: 'outcome_unknown', details: {status: 200, requestId: 'r9'}})
		}
	})

	test('errors within a success of a change are named as such', async () => {
		const client = await clientFor(always(200, {}, '{"data":{},"errors":[{"details":["half done"]}]}'))
		const error = await refused(isolate(client))
		expect([error.code, error.details.service]).toEqual(['errors_in_success', 'half done'])
	})

	test('gzip that unpacks to more than 64 MB is refused', async () => {
		const bomb = gzipSync(Buffer.alloc(65 * 1024 * 1024))
		const client = await clientFor(always(200, {'content-encoding': 'gzip'}, bomb))
		await expectRefused(client.call(versionRequest), 'too_large')
	})

	test('a body of more than 64 MB is refused while it arrives', async () => {
		const client = await clientFor((_request, response) => {
			const piece = Buffer.alloc(1024 * 1024, 32)
			const pour = () => {
				while (!response.destroyed && response.write(piece));
			}
			response.on('drain', pour).on('error', () => {})
			pour()
		})
		await expectRefused(client.call(versionRequest), 'too_large')
	})
})

describe('redirects', () => {
	test('to the same origin are followed for GET, three times', async () => {
		const server = await serving((request, response) => {
			const hop = Number(new URL(request.url ?? '', 'http://x').searchParams.get('hop') ?? 0)
			if (hop === 3) good(response, {arrived: true})
			else void response.writeHead(302, {location: `/v1/version?hop=${hop + 1}`}).end()
		})
		expect((await clientOf(server.url).call(versionRequest)).body).toMatchObject({data: {arrived: true}})
		expect(server.requests).toHaveLength(4)
	})

	test('do not loop for ever', async () => {
		const server = await serving(always(302, {location: '/v1/version'}))
		await expectRefused(clientOf(server.url).call(versionRequest), 'unexpected_redirect')
		expect(server.requests).toHaveLength(4)
	})

	test('to another origin get neither request nor credentials', async () => {
		const elsewhere = await servingGood()
		const server = await serving(always(307, {location: `${elsewhere.url}/v1/version`}))
		const error = await refused(clientOf(server.url).call(versionRequest))
		expect([error.code, elsewhere.requests.length]).toEqual(['unexpected_redirect', 0])
		expect(error.message).toContain(elsewhere.url)
	})

	test('of a change are not followed at all', async () => {
		const server = await serving(always(307, {location: '/v1/version'}))
		await expectRefused(isolate(clientOf(server.url)), 'unexpected_redirect')
		expect(server.requests).toHaveLength(1)
	})
})

describe('the link', () => {
	test('is untried, then failing since the first failure, then working', async () => {
		let healthy = false
		const clock = testClock({eager: true})
		const client = await clientFor((_request, response) => (healthy ? good(response) : bad(response, 500, 'no')), {clock})
		let changes = 0
		client.onChange(() => (changes += 1))
		expect(client.link()).toEqual({kind: 'untried'})
		await refused(client.call(versionRequest))
		const since = '2026-01-01T00:00:00.000Z'
		expect(client.link()).toMatchObject({kind: 'failing', since, error: {code: 'service_error'}})
		await clock.sleep(5000)
		await refused(client.call(versionRequest))
		expect(client.link()).toMatchObject({kind: 'failing', since})
		healthy = true
		await client.call(versionRequest)
		expect(client.link()).toMatchObject({kind: 'ok'})
		expect(changes).toBeGreaterThanOrEqual(3)
	})

	test('works when the service knows us and refuses the request', async () => {
		const client = await clientFor(alwaysBad(404, 'no'))
		await refused(client.call(versionRequest))
		expect(client.link().kind).toBe('ok')
	})
})

test('no error holds the key, whatever failed', async () => {
	const failures = [
		await refused((await clientFor(request => request.socket.destroy())).call(versionRequest)),
		await refused((await clientFor(alwaysBad(401, 'no'))).call(versionRequest)),
		await refused((await clientFor(request => request.socket.destroy())).call(isolateRequest, {token: liveToken()})),
		await refused(clientOf('https://no-such-host.invalid').call(versionRequest))
	]
	const text = failures.map(error => JSON.stringify([error, error.stack, error.cause, Object.entries(error)])).join()
	expect(text).not.toContain(testKey)
	expect(text).not.toContain(Buffer.from(`a1b2c3:${testKey}`).toString('base64'))
})

function basic(key: string) {
	return `Basic ${Buffer.from(`a1b2c3:${key}`).toString('base64')}`
}
