import {gzipSync} from 'node:zlib'

import {refused, expectRefused} from '#base/testing/code-of.ts'
import {CordonError, type ErrorCode} from '#contract/errors.ts'

import {isolate, openBench, versionRequest} from './testing/bench.ts'
import {until} from '#base/testing/until.ts'
import {alwaysBad, bad, good, startTcpServer, type Answerer} from './testing/server.ts'

const {serving, servingGood, clientOf, clientFor, onClose, closeAll} = openBench()

afterEach(closeAll)

/** Normal patience, except for what never answers. */
const patience = (code: ErrorCode) => (code === 'response_timeout' ? {timeouts: {responseMs: 150}} : {})

describe('a connection that fails', () => {
	const half =
		(headers = {}): Answerer =>
		(_request, response) => {
			response.writeHead(200, headers)
			response.write('{"data":', () => response.socket?.destroy())
		}
	const halfGzip: Answerer = (_request, response) => {
		const whole = gzipSync('{"data":{"a":"bcdefghij"}}')
		response.writeHead(200, {'content-encoding': 'gzip'})
		response.end(whole.subarray(0, whole.length - 12))
	}
	const reset: Answerer = request => request.socket.resetAndDestroy()
	const hang: Answerer = () => {}
	const drip: Answerer = (_request, response) => {
		response.writeHead(200, {'content-length': '100000'})
		const timer = setInterval(() => response.write(' '), 20)
		response.on('close', () => clearInterval(timer))
	}
	const cases: [name: string, answer: Answerer, code: ErrorCode][] = [
		['reset', reset, 'reset'],
		['half a body', half({'content-length': '1000'}), 'truncated'],
		['half a chunked body', half(), 'truncated'],
		['half a gzip body', halfGzip, 'truncated'],
		['no answer', hang, 'response_timeout'],
		['a slow drip', drip, 'response_timeout'],
		['a gateway that fails', alwaysBad(502, 'gateway'), 'service_error']
	]

	test.each(cases)('%s: a reading is repeated four times', async (_name, answer, code) => {
		const server = await serving(answer)
		const progress: unknown[] = []
		const error = await refused(clientOf(server.url, patience(code)).call(versionRequest, {onProgress: step => progress.push(step)}))
		expect(error.code).toBe(code)
		expect(server.requests).toHaveLength(5)
		expect(progress).toMatchObject([1, 2, 3, 4].map(attempt => ({kind: 'retrying', attempt, of: 4, because: error.message})))
	})

	test.each(cases)('%s: a change is not repeated and its outcome is unknown', async (_name, answer, code) => {
		const server = await serving(answer)
		const error = await refused(isolate(clientOf(server.url, patience(code))))
		expect([error.code, (error.cause as CordonError).code]).toEqual(['outcome_unknown', code])
		expect(server.requests).toHaveLength(1)
	})

	test('a reading that works at last is a success', async () => {
		const server = await serving((request, response, count) => (count < 4 ? reset(request, response, count) : good(response)))
		expect((await clientOf(server.url).call(versionRequest)).status).toBe(200)
		expect(server.requests).toHaveLength(4)
	})

	test.each([500, 501, 400, 404])('status %i is not repeated', async status => {
		const server = await serving(alwaysBad(status, 'no'))
		await refused(clientOf(server.url).call(versionRequest))
		expect(server.requests).toHaveLength(1)
	})

	test('repeating ends at the deadline', async () => {
		const server = await serving(alwaysBad(503, 'no'))
		await refused(clientOf(server.url).call(versionRequest, {deadlineMs: 1000}))
		expect(server.requests.length).toBeLessThan(4)
	})

	test('refused: a change was certainly never sent', async () => {
		const server = await servingGood()
		await server.close()
		const client = clientOf(server.url)
		const error = await refused(isolate(client))
		expect([error.code, error.message]).toEqual([
			'refused',
			`The connection was refused: no program answers at 127.0.0.1:${server.port}, or a firewall refuses it.`
		])
		await expectRefused(client.call(versionRequest), 'refused')
	})

	test('unknown host name: a change was certainly never sent', async () => {
		const client = clientOf('https://no-such-host.invalid')
		await expectRefused(isolate(client), 'dns')
	})

	test('a server that stays silent during the TLS handshake hits the connect timeout', async () => {
		const silent = await startTcpServer(() => {})
		onClose(silent.close)
		const client = clientOf(`https://localhost:${silent.port}`, {timeouts: {connectMs: 100}})
		await expectRefused(isolate(client), 'connect_timeout')
	})

	test('a server that does not speak HTTP', async () => {
		const server = await startTcpServer(socket => socket.end('SSH-2.0-OpenSSH\r\n'))
		onClose(server.close)
		await expectRefused(clientOf(`http://127.0.0.1:${server.port}`).call(versionRequest), 'unexpected_shape')
	})
})

describe('aborting', () => {
	test.each([undefined, new CordonError('wait_timeout')])(
		"ends a reading that hangs, at once, with the caller's own reason: %s",
		async reason => {
			const abort = new AbortController()
			const client = await clientFor(() => abort.abort(reason))
			await expectRefused(client.call(versionRequest, {signal: abort.signal}), reason?.code ?? 'cancelled')
		}
	)

	test('before anything was sent sends nothing', async () => {
		const server = await servingGood()
		await expectRefused(clientOf(server.url).call(versionRequest, {signal: AbortSignal.abort()}), 'cancelled')
		expect(server.requests).toEqual([])
	})

	test('a sent change still gets its answer', async () => {
		const abort = new AbortController()
		const server = await serving((_request, response) => {
			abort.abort()
			setTimeout(() => good(response, {status: 'pending_start'}), 50)
		})
		const answer = await isolate(clientOf(server.url), {signal: abort.signal})
		expect(answer).toMatchObject({status: 200, body: {data: {status: 'pending_start'}}})
		expect(server.requests).toHaveLength(1)
	})

	test('a change whose answer never comes has an unknown outcome once the time for it is over', async () => {
		const abort = new AbortController()
		const client = await clientFor(() => abort.abort(), {timeouts: {responseMs: 80}})
		await expectRefused(isolate(client, {signal: abort.signal}), 'outcome_unknown', 'No complete answer within 0.08 seconds')
	})

	test('a change that only waits for its connection is not sent', async () => {
		const abort = new AbortController()
		const silent = await startTcpServer(() => abort.abort())
		const client = clientOf(`https://127.0.0.1:${silent.port}`)
		const error = await refused(isolate(client, {signal: abort.signal}))
		await silent.close()
		expect(error.code).toBe('cancelled')
	})

	test('a change refused for the API limit is not sent again', async () => {
		const abort = new AbortController()
		const server = await serving((_request, response) => {
			abort.abort()
			bad(response, 429, 'Too many', {'x-ratelimit-reset': '30'})
		})
		const call = isolate(clientOf(server.url), {signal: abort.signal})
		await expectRefused(call, 'cancelled')
		expect(server.requests).toHaveLength(1)
	})

	test('stopping the client cuts off a change, whose outcome is then unknown', async () => {
		const server = await serving(() => void client.stop())
		const client = clientOf(server.url)
		await expectRefused(isolate(client), 'outcome_unknown')
	})

	test('a replaced client cancels readings and lets a change get its answer', async () => {
		const held: (() => void)[] = []
		const server = await serving((_request, response) => void held.push(() => good(response)))
		const client = clientOf(server.url)
		const reading = refused(client.call(versionRequest))
		const change = isolate(client)
		await until('both requests', () => held.length === 2)
		const stopped = client.stop('after_changes')
		expect((await reading).code).toBe('cancelled')
		for (const answer of held) answer()
		expect(await change).toMatchObject({status: 200})
		await stopped
	})

	test('stopping the client ends running and later calls', async () => {
		const server = await serving(() => void client.stop())
		const client = clientOf(server.url)
		await expectRefused(client.call(versionRequest), 'cancelled')
		await expectRefused(client.call(versionRequest), 'cancelled')
		expect(server.requests).toHaveLength(1)
	})
})
