import {once} from 'node:events'
import type {IncomingMessage, ServerResponse} from 'node:http'
import {request as httpsRequest} from 'node:https'
import {connect} from 'node:net'

import {responseTo, startInstance, startScene, type RunningInstance, type Scene} from './testing/scene.ts'

let instance: RunningInstance
let scene: Scene
let events: ServerResponse[] = []

function handle(request: IncomingMessage, response: ServerResponse) {
	if (request.url === '/events') {
		response.writeHead(200, {'Content-Type': 'text/event-stream'})
		response.write('data: 1\n\n')
		events.push(response)
	} else {
		let bytes = 0
		request.on('data', (chunk: Buffer) => (bytes += chunk.length)).on('end', () => response.end(String(bytes)))
	}
}

beforeEach(async () => {
	events = []
	instance = await startInstance(handle)
	scene = await startScene([{name: 'edl', listenPort: instance.port}])
})

afterEach(async () => {
	scene.mustBeCalm()
	await scene.close()
	await instance.stop()
})

async function isListening() {
	const socket = connect(scene.port, '127.0.0.1')
	const outcome = await Promise.race([once(socket, 'connect').then(() => true), once(socket, 'close').then(() => false)]).catch(() => false)
	socket.destroy()
	return outcome
}

/** An open event stream over HTTP/1.1. */
async function openEvents() {
	const outgoing = httpsRequest(scene.options('edl/events', {agent: false}))
	outgoing.on('error', () => {})
	outgoing.end()
	const incoming = await responseTo(outgoing)
	incoming.on('error', () => {})
	await once(incoming, 'data')
	return incoming
}

describe('draining', () => {
	test('lets an upload and a stream of events end, and takes no new connections', async () => {
		const stream = await openEvents()
		const upload = httpsRequest(scene.options('edl/upload', {method: 'POST', agent: false}))
		upload.write('a'.repeat(100_000))
		await expect.poll(() => instance.requests.length).toBe(2)
		const port = scene.port
		const stopped = scene.forwarder.stop(10_000)
		expect(port).toBeGreaterThan(0)
		await expect.poll(isListening).toBe(false)
		upload.end('b'.repeat(100_000))
		const answer = await responseTo(upload)
		expect(answer.headers.connection).toBe('close')
		expect(Buffer.concat(await answer.toArray()).toString()).toBe('200000')
		events[0]?.end('data: last\n\n')
		expect(Buffer.concat(await stream.toArray()).toString()).toBe('data: last\n\n')
		await stopped
	})

	test('waits no longer than it was given, and then cuts what looks cut', async () => {
		const stream = await openEvents()
		const gone = Promise.withResolvers<void>()
		events[0]?.on('close', gone.resolve)
		const started = performance.now()
		const cut: Promise<unknown> = stream.toArray().then(
			() => null,
			(error: unknown) => error
		)
		await scene.forwarder.stop(100)
		expect(performance.now() - started).toBeGreaterThan(90)
		expect(await cut).toMatchObject({code: 'ECONNRESET'})
		await gone.promise
	})

	test('records that we cut it, over HTTP/1.1 and HTTP/2', async () => {
		const stream = await openEvents()
		const upload = httpsRequest(scene.options('edl/upload', {method: 'POST', agent: false}))
		upload.on('error', () => {})
		upload.write('a')
		const second = scene.stream('edl/events')
		await once(second, 'data')
		await expect.poll(() => instance.requests.length).toBe(3)
		await scene.forwarder.stop(50)
		const told = scene.records.map(({protocol, path, endedBy, reason}) => [protocol, path, endedBy, reason])
		expect(told.toSorted()).toEqual([
			['HTTP/1.1', '/instance/execute/edl/events', 'cordon', 'draining'],
			['HTTP/1.1', '/instance/execute/edl/upload', 'cordon', 'draining'],
			['HTTP/2', '/instance/execute/edl/events', 'cordon', 'draining']
		])
		stream.destroy()
	})

	test('a client that leaves meanwhile is recorded as gone', async () => {
		const stream = await openEvents()
		const stopped = scene.forwarder.stop(10_000)
		stream.destroy()
		await stopped
		expect(scene.records).toMatchObject([{endedBy: 'client', reason: 'client_left'}])
	})

	test('HTTP/2: running streams end, new ones are refused, the session closes', async () => {
		const session = scene.http2()
		const stream = scene.stream('edl/events', session)
		await once(stream, 'data')
		const goaway = once(session, 'goaway')
		const stopped = scene.forwarder.stop(10_000)
		expect((await goaway)[0]).toBe(0)
		events[0]?.end('data: last\n\n')
		expect(Buffer.concat(await stream.toArray()).toString()).toBe('data: last\n\n')
		await stopped
		expect(session.destroyed || session.closed).toBe(true)
	})

	test('idle connections do not hold it up', async () => {
		await scene.get('edl/')
		await scene.stream('edl/').toArray()
		// Longer than this test may take: a blocked stop would fail it.
		await expect(scene.forwarder.stop(600_000)).resolves.toBeUndefined()
	})

	test('a second call waits for the first', async () => {
		await openEvents()
		const first = scene.forwarder.stop(50)
		const second = scene.forwarder.stop(60_000)
		await Promise.all([first, second])
		await expect.poll(() => scene.forwarder.counters().connections.open).toBe(0)
	})
})
