import {once} from 'node:events'
import {constants} from 'node:http2'
import type {IncomingMessage, ServerResponse} from 'node:http'
import {createServer} from 'node:net'
import {openPort} from '#base/testing/port.ts'
import {WebSocket, WebSocketServer} from 'ws'

import {until} from '#base/testing/until.ts'
import {flag, frameBytes, frameType, rawHttp2, requestFields, uint32} from '../front/testing/frames.ts'
import {startInstance, startScene, type RunningInstance, type Scene} from './testing/scene.ts'

let instance: RunningInstance
let sockets: WebSocketServer
let scene: Scene
/** How each body ended at the instance. */
let bodies: string[] = []
const opened: {close(): void}[] = []
const piece = Buffer.alloc(64 << 10)

function handle(request: IncomingMessage, response: ServerResponse) {
	let bytes = 0
	request.on('data', (chunk: Buffer) => (bytes += chunk.length))
	request.on('close', () => bodies.push(request.complete ? `whole ${bytes}` : 'cut'))
	if (request.url === '/hang') return
	if (request.url === '/endless') {
		const more = () => {
			while (response.write(piece));
		}
		response.on('drain', more)
		more()
	} else request.on('end', () => response.end('ok'))
}

beforeAll(async () => {
	instance = await startInstance(handle)
	sockets = new WebSocketServer({server: instance.server})
	sockets.on('connection', socket => socket.on('error', () => {}).on('message', data => socket.send(data)))
	scene = await startScene([
		{name: 'edl', listenPort: instance.port},
		{name: 'shared', listenPort: instance.port, singleFlight: true, serveStaleS: 60}
	])
})

beforeEach(() => {
	bodies = []
})

afterEach(async () => {
	for (const one of opened.splice(0)) one.close()
	scene.mustBeCalm()
	await until('the end of the requests', () => scene.forwarder.counters().requests.running === 0)
	// The server still answers after every attack.
	if ((await scene.get('edl/')).body !== 'ok') throw new Error('It serves no more.')
})

afterAll(async () => {
	await scene.close()
	sockets.close()
	await instance.stop()
})

async function raw(settings?: Buffer) {
	const connection = await rawHttp2(scene.port, scene.credentials.authority, settings)
	opened.push(connection)
	return connection
}

function asked(path: string, more: readonly (readonly [string, string])[] = [], method = 'POST') {
	return requestFields(method, `/instance/execute/${path}`, more)
}

/** Of a server of that name. */
function askedOf(authority: string) {
	return [...asked('edl/', [], 'GET').slice(0, 3), [':authority', authority]] as const
}

describe('an instance behind HTTP/2', () => {
	test.each([
		['less', 10, 'short'],
		['more', 2, 'too long']
	])('never takes a body of %s than its Content-Length for a whole one', async (_what, length, body) => {
		const before = instance.requests.length
		const connection = await raw()
		connection.write(
			connection.headers(1, asked('edl/', [['content-length', String(length)]]), flag.endHeaders),
			frameBytes(frameType.data, 0, 1, Buffer.from(body.slice(0, 1)))
		)
		await expect.poll(() => instance.requests.length).toBe(before + 1)
		connection.write(frameBytes(frameType.data, flag.endStream, 1, Buffer.from(body.slice(1))))
		await expect.poll(() => bodies).toEqual(['cut'])
	})

	test.each([
		['a path with a line break', asked('edl/ HTTP/1.1\r\nX: y', [], 'GET')],
		['a path with a blank', asked('edl/a b', [], 'GET')],
		['a method with a line break', asked('edl/', [], 'GET / HTTP/1.1\r\nX: y')],
		['an authority with a line break', askedOf('localhost\r\nX: y')],
		['an authority of another', askedOf('evil.example')],
		['two paths', [...asked('edl/', [], 'GET').slice(0, 3), [':path', '/instance/execute/edl/'], [':authority', 'localhost']]],
		['Transfer-Encoding', asked('edl/', [['transfer-encoding', 'chunked']])],
		['a Host that differs', asked('edl/', [['host', 'evil.example']])],
		[
			'two lengths',
			asked('edl/', [
				['content-length', '2'],
				['content-length', '3']
			])
		],
		['a field name with an underscore', asked('edl/', [['x_forwarded_for', '1']])]
	] as const)('is never asked with %s', async (_what, fields) => {
		const before = instance.requests.length
		const connection = await raw()
		connection.write(connection.headers(1, fields))
		// An answer, a reset, or the end of the connection: in each case the request was not forwarded.
		const told = connection.frame(frame => frame.stream === 1)
		const shut = connection.frame(frame => frame.type === frameType.goaway)
		await Promise.any([told, shut])
		const status = connection.frames.find(frame => frame.stream === 1 && frame.type === frameType.headers)
		// 0x88 is `:status: 200` in HPACK's static table.
		expect(status?.payload[0]).not.toBe(0x88)
		expect(instance.requests.length).toBe(before)
	})

	test('is spared by rapid resets, and others are served meanwhile', async () => {
		const before = instance.requests.length
		const connection = await raw()
		for (let stream = 1; stream < 4000; stream += 2) {
			connection.write(
				connection.headers(stream, asked('edl/hang', [], 'GET')),
				frameBytes(frameType.reset, 0, stream, uint32(constants.NGHTTP2_CANCEL))
			)
		}
		expect((await scene.get('edl/')).body).toBe('ok')
		await connection.closed()
		expect(instance.requests.length - before).toBeLessThan(110)
	})

	test('is slowed down by a client that does not read', async () => {
		let written = 0
		const flood = createServer(socket => {
			socket.on('error', () => {})
			socket.once('data', () => {
				socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n')
				const more = () => {
					do written += piece.length
					while (socket.write(Buffer.concat([Buffer.from('10000\r\n'), piece, Buffer.from('\r\n')])))
				}
				socket.on('drain', more)
				more()
			})
		})
		const port = await openPort(flood)
		const other = await startScene([
			{name: 'edl', listenPort: port},
			{name: 'shared', listenPort: port, singleFlight: true}
		])
		for (const name of ['edl', 'shared']) {
			written = 0
			const request = other.stream(`${name}/`)
			await once(request, 'response')
			let seen = -1
			// Until all counts are stable.
			await expect
				.poll(
					() => {
						const stands = written === seen
						seen = written
						return stands
					},
					{interval: 100}
				)
				.toBe(true)
			expect(written).toBeLessThan(16 << 20)
			request.close(constants.NGHTTP2_CANCEL)
		}
		await other.close()
		await new Promise(resolve => flood.close(resolve))
	})
})

describe('clients that leave, again and again', () => {
	/** Open connections to the instance. Idle ones may stay; cut ones may not. */
	const upstream = () => scene.forwarder.counters().instances['edl']?.upstream ?? 0
	const fewKept = 10

	test('150 streams are reset while the instance hangs: nothing is left of them', async () => {
		for (let round = 0; round < 3; round += 1) {
			const session = scene.http2()
			const before = instance.requests.length
			const requests = Array.from({length: 50}, () => scene.stream('edl/hang', session))
			await expect.poll(() => instance.requests.length - before).toBe(50)
			for (const request of requests) request.close(constants.NGHTTP2_CANCEL)
			await expect.poll(() => scene.forwarder.counters().requests.running).toBe(0)
			session.destroy()
		}
		await expect.poll(upstream).toBeLessThan(fewKept)
	})

	test('100 connections die in the middle of an answer: nothing is left of them', async () => {
		for (let round = 0; round < 5; round += 1) {
			const sessions = Array.from({length: 20}, () => scene.http2())
			await Promise.all(
				sessions.map(async session => {
					await once(scene.stream('edl/endless', session), 'data')
					session.destroy()
				})
			)
		}
		await expect.poll(upstream).toBeLessThan(fewKept)
	})

	test('100 WebSockets die: nothing is left of them', async () => {
		for (let round = 0; round < 5; round += 1) {
			const clients = Array.from({length: 20}, () => {
				const url = `wss://localhost:${scene.port}/instance/execute/edl/`
				return new WebSocket(url, {ca: scene.credentials.authority}).on('error', () => {})
			})
			await Promise.all(clients.map(client => once(client, 'open')))
			for (const [at, client] of clients.entries()) {
				if (at % 2 === 0) client.terminate()
				else client.close()
			}
			await expect.poll(() => sockets.clients.size).toBe(0)
		}
		await expect.poll(upstream).toBeLessThan(fewKept)
	})

	test('followers of one answer leave in the middle, in turns: the last one ends it', async () => {
		for (let round = 0; round < 3; round += 1) {
			const sessions = Array.from({length: 10}, () => scene.http2())
			const requests = sessions.map(session => scene.stream('shared/endless', session))
			await Promise.all(requests.map(request => once(request, 'data')))
			for (const [at, request] of requests.entries()) {
				if (at % 2 === 0) request.close(constants.NGHTTP2_CANCEL)
				else sessions[at]?.destroy()
			}
			await expect.poll(() => scene.forwarder.counters().instances['shared']?.upstream ?? 0).toBe(0)
			for (const session of sessions) session.destroy()
		}
	})
})
