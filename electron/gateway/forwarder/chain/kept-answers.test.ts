import {once} from 'node:events'
import type {IncomingMessage, RequestListener, ServerResponse} from 'node:http'

import {freePort} from '#base/testing/port.ts'
import {hashToken} from '../access/password.ts'
import type {InstanceWish} from '../testing/heads.ts'
import {startInstance, startScene, type RunningInstance, type Scene} from './testing/scene.ts'

let instance: RunningInstance
let scene: Scene
let handle: RequestListener

function list(_request: IncomingMessage, response: ServerResponse) {
	response.setHeader('ETag', '"1"').setHeader('Content-Type', 'text/plain').end('198.51.100.7\n')
}

beforeEach(async () => {
	handle = list
	instance = await startInstance((request, response) => handle(request, response))
})

afterEach(async () => {
	scene.mustBeCalm()
	await scene.close()
	await instance.stop()
})

function wish(more: Partial<InstanceWish>): InstanceWish[] {
	return [{name: 'edl', listenPort: instance.port, ...more}]
}

/** Its good answers are kept. */
const keeping = (more: Partial<InstanceWish> = {}) => wish({serveStaleS: 3600, ...more})
const statusAt = async (...asked: Parameters<Scene['get']>) => (await scene.get(...asked)).status

async function open(more: Partial<InstanceWish>) {
	scene = await startScene(wish(more))
}

/** It has answered once. */
async function openKept(more: Partial<InstanceWish> = {}) {
	await open({serveStaleS: 3600, ...more})
	await scene.get('edl/list')
}

/** 500 firewalls, half of them over HTTP/2. */
const fiveHundred = () => Promise.all(scene.many('edl/list', 500, 5))

/** Answers once all 500 have arrived at the forwarding server. */
function whenRunning(count: number, answer: (response: ServerResponse) => void) {
	handle = (_request, response) => {
		const look = setInterval(() => {
			if (scene.forwarder.counters().requests.running < count) return
			clearInterval(look)
			answer(response)
		}, 5)
	}
}

describe('single flight', () => {
	test('500 firewalls cost one request at the instance', async () => {
		await open({singleFlight: true})
		whenRunning(500, response => void response.end('a'.repeat(300_000)))
		const answers = await fiveHundred()
		expect(new Set(answers)).toEqual(new Set([`200 ${'a'.repeat(300_000)}`]))
		expect(instance.requests.length).toBe(1)
		await expect.poll(() => scene.records.length).toBe(500)
		expect(scene.records.filter(({source}) => source === 'shared').length).toBe(499)
		expect(new Set(scene.records.map(({id}) => id)).size).toBe(500)
	})

	test('and no more when the instance takes one request at a time', async () => {
		await open({singleFlight: true, limits: {concurrency: 1, queue: 0}})
		whenRunning(500, response => void response.end('list'))
		const answers = await fiveHundred()
		expect(new Set(answers)).toEqual(new Set(['200 list']))
		expect(instance.requests.length).toBe(1)
	})

	test('each answer has its own request id', async () => {
		await open({singleFlight: true})
		whenRunning(5, response => void response.end('x'))
		const answers = await Promise.all(Array.from({length: 5}, () => scene.get('edl/')))
		expect(new Set(answers.map(({headers}) => headers['x-request-id'])).size).toBe(5)
		expect(instance.requests.length).toBe(1)
	})

	test('answers with a cookie are never shared', async () => {
		await open({singleFlight: true})
		let count = 0
		handle = (_request, response) => {
			count += 1
			const mine = String(count)
			setTimeout(() => response.setHeader('Set-Cookie', `session=${mine}`).end(mine), 20)
		}
		const answers = await Promise.all(Array.from({length: 10}, () => scene.get('edl/')))
		expect(new Set(answers.map(({body}) => body)).size).toBe(10)
		for (const {body, headers} of answers) expect(headers['set-cookie']?.[0]).toContain(`session=${body}`)
	})

	test('clients with different tokens share nothing, in whatever field the token is', async () => {
		const tokens = ['token-of-the-first', 'token-of-the-second']
		const access = {kind: 'bearer', header: 'X-Api-Key', verifiers: tokens.map(hashToken)} as const
		await open({singleFlight: true, serveStaleS: 60, access})
		const bodies = () => Promise.all(tokens.map(async token => (await scene.get('edl/', {headers: {'X-Api-Key': token}})).body))
		handle = (request, response) => void setTimeout(() => response.end(request.headers['x-api-key']), 50)
		expect(await bodies()).toEqual(tokens)
		handle = (_request, response) => void response.writeHead(500).end()
		expect(await bodies()).toEqual(tokens)
	})

	test('the last client to leave ends the request at the instance', async () => {
		await open({singleFlight: true})
		const arrived = Promise.withResolvers<ServerResponse>()
		handle = (_request, response) => arrived.resolve(response)
		const session = scene.http2()
		const requests = [1, 2, 3].map(() => scene.stream('edl/', session))
		const response = await arrived.promise
		await expect.poll(() => scene.forwarder.counters().requests.running).toBe(3)
		const gone = once(response, 'close')
		for (const request of requests) request.close(8)
		await gone
		expect(instance.requests.length).toBe(1)
	})
})

describe('the last good answer', () => {
	test('is served when the instance is gone, marked, and logged', async () => {
		await open({serveStaleS: 3600})
		expect((await scene.get('edl/list')).body).toBe('198.51.100.7\n')
		await instance.stop()
		const {status, headers, body} = await scene.get('edl/list')
		expect([status, body]).toEqual([200, '198.51.100.7\n'])
		expect(headers.age).toMatch(/^[01]$/)
		expect(headers['proxy-status']).toBe('cordon; error=connection_refused; details="the last good answer"')
		await expect.poll(() => scene.records.map(({source}) => source)).toEqual(['instance', 'stale'])
		const known = await scene.get('edl/list', {headers: {'If-None-Match': '"1"'}})
		expect([known.status, known.body]).toEqual([304, ''])
		expect(await statusAt('edl/list', {method: 'POST'})).toBe(502)
		expect(await statusAt('edl/other')).toBe(502)
		const head = await scene.get('edl/list', {method: 'HEAD'})
		expect([head.status, head.headers['content-length']]).toEqual([200, '13'])
	})

	test.each([
		['answers 500', (_request: IncomingMessage, response: ServerResponse) => void response.writeHead(500).end('oops')],
		['closes without an answer', (request: IncomingMessage) => void request.socket.destroy()],
		['answers nonsense', (request: IncomingMessage) => void request.socket.end('nonsense\r\n\r\n')],
		[
			'breaks before the first byte of the body',
			(request: IncomingMessage) => void request.socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n')
		]
	])('is served when the instance %s', async (_what, broken) => {
		await openKept()
		handle = broken
		const {status, headers, body} = await scene.get('edl/list')
		expect([status, body]).toEqual([200, '198.51.100.7\n'])
		expect(headers['proxy-status']).toContain('cordon; ')
	})

	test('is served when the first byte does not come in time', async () => {
		await open({serveStaleS: 3600, timeouts: {firstByteS: 0.1}})
		await scene.get('edl/list')
		handle = () => {}
		const {status, headers} = await scene.get('edl/list')
		expect(status).toBe(200)
		expect(headers['proxy-status']).toContain('error=http_response_timeout')
	})

	test('is served when the instance is known to be stopped or not healthy, after the access check', async () => {
		await openKept()
		for (const state of ['stopped', 'unhealthy', 'starting'] as const) {
			scene.reload(keeping({state}))
			const {status, headers} = await scene.get('edl/list')
			expect([status, headers['proxy-status']]).toEqual([200, 'cordon; error=destination_unavailable; details="the last good answer"'])
		}
		expect(instance.requests.length).toBe(1)
		const access = {kind: 'bearer', header: 'Authorization', verifiers: ['0'.repeat(64)]} as const
		scene.reload(keeping({state: 'stopped', access}))
		expect(await statusAt('edl/list')).toBe(401)
	})

	test('a disabled instance serves nothing', async () => {
		await openKept()
		scene.reload(keeping({state: 'disabled'}))
		expect(await statusAt('edl/list')).toBe(503)
	})

	test('is not served when that is switched off', async () => {
		await open({})
		await scene.get('edl/list')
		await instance.stop()
		expect(await statusAt('edl/list')).toBe(502)
	})

	test('is not served once another program is behind the name', async () => {
		await openKept()
		scene.reload(keeping({listenPort: await freePort()}))
		expect(await statusAt('edl/list')).toBe(502)
	})

	test('costs 500 firewalls one failed request', async () => {
		await openKept({singleFlight: true})
		whenRunning(500, response => response.destroy())
		expect(new Set(await fiveHundred())).toEqual(new Set(['200 198.51.100.7\n']))
		// The good one, and the failed one: twice, because it died on a kept connection (G20).
		expect(instance.requests.length).toBeLessThanOrEqual(3)
	})
})

describe('streams', () => {
	test.each([
		['nothing else', {}],
		['keeping', {serveStaleS: 3600}],
		['sharing', {singleFlight: true}],
		['both', {serveStaleS: 3600, singleFlight: true}]
	])('head and first event arrive at once, with %s', async (_what, more) => {
		await open(more)
		const stream = Promise.withResolvers<ServerResponse>()
		handle = (_request, response) => {
			response.writeHead(200, {'Content-Type': 'text/event-stream'})
			response.flushHeaders()
			stream.resolve(response)
		}
		const request = scene.stream('edl/events')
		// The head arrives before the instance has written any of the body, each event before the next.
		await once(request, 'response')
		const response = await stream.promise
		for (const event of ['data: 1\n\n', 'data: 2\n\n']) {
			response.write(event)
			expect(String((await once(request, 'data'))[0])).toBe(event)
		}
		request.close()
	})
})
