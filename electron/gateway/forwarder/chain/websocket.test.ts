import {hash, randomBytes} from 'node:crypto'
import {once} from 'node:events'
import {createServer, type Server, type Socket} from 'node:net'
import {connect} from 'node:tls'
import {openPort} from '#base/testing/port.ts'
import {WebSocket, WebSocketServer} from 'ws'

import type {InstanceWish} from '../testing/heads.ts'
import {acceptOf} from '../upgrade.ts'
import {hashed, startInstance, startScene, type RunningInstance, type Scene} from './testing/scene.ts'

const key = 'dGhlIHNhbXBsZSBub25jZQ=='
let instance: RunningInstance
let sockets: WebSocketServer
let scene: Scene
let raw: Server | null = null
const opened: {destroy(): void}[] = []

beforeEach(async () => {
	instance = await startInstance((request, response) => void response.end(`plain ${request.headers.upgrade ?? 'nothing'}`))
	sockets = new WebSocketServer({server: instance.server, maxPayload: 64 << 20, perMessageDeflate: true})
	sockets.on('connection', socket => {
		socket.on('error', () => {})
		socket.on('message', (data, isBinary) => socket.send(data, {binary: isBinary}))
	})
	await open({})
})

afterEach(async () => {
	for (const one of opened.splice(0)) one.destroy()
	scene.mustBeCalm()
	await scene.close()
	sockets.close()
	await instance.stop()
	if (raw !== null) await new Promise(resolve => raw?.close(resolve))
	raw = null
})

async function open(wish: Partial<InstanceWish>, port = instance.port) {
	scene = await startScene([{name: 'bot', listenPort: port, ...wish}])
}

async function reopen(wish: Partial<InstanceWish>, port?: number) {
	await scene.close()
	await open(wish, port)
}

/** Before an instance that answers every request with these bytes, and shows what it received. */
async function openRaw(talk: (socket: Socket, request: string) => void) {
	raw = createServer({allowHalfOpen: true}, socket => {
		opened.push(socket)
		socket.on('error', () => {})
		socket.once('data', bytes => talk(socket, bytes.toString('latin1')))
	})
	await reopen({}, await openPort(raw))
}

function dial(path = 'bot/', options: object = {}) {
	const socket = new WebSocket(`wss://localhost:${scene.port}/instance/execute/${path}`, {ca: scene.credentials.authority, ...options})
	socket.on('error', () => {})
	opened.push({destroy: () => socket.terminate()})
	return socket
}

async function connected(path?: string, options?: object) {
	const socket = dial(path, options)
	await once(socket, 'open')
	return socket
}

async function dialRaw(...lines: string[]) {
	// A separate variable: Node's types do not know `allowHalfOpen` here.
	const options = {host: '127.0.0.1', port: scene.port, servername: 'localhost', ca: scene.credentials.authority, allowHalfOpen: true}
	const socket = connect(options)
	socket.on('error', () => {})
	opened.push(socket)
	await once(socket, 'secureConnect')
	socket.write(['GET /instance/execute/bot/ HTTP/1.1', 'Host: localhost', ...lines, '', ''].join('\r\n'))
	return socket
}

const handshake = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13', `Sec-WebSocket-Key: ${key}`]
const switching = `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${acceptOf(key)}\r\n`

/** Reads until the text matches. */
async function until(socket: Socket, fits: RegExp) {
	let text = ''
	for await (const chunk of socket.iterator({destroyOnReturn: false})) {
		text += String(chunk)
		if (fits.test(text)) return text
	}
	throw new Error(`The connection ended after ${JSON.stringify(text.slice(0, 200))}.`)
}

describe('messages through the tunnel', () => {
	test('come back as they were sent: text, binary, empty, fragments', async () => {
		const socket = await connected()
		const seen: [string, boolean][] = []
		const all = Promise.withResolvers<void>()
		socket.on('message', (data, isBinary) => {
			seen.push([String(data), isBinary])
			if (seen.length === 4) all.resolve()
		})
		socket.send('\u00e4\u{1F600}')
		socket.send(Buffer.from([0, 255]))
		socket.send('')
		socket.send('one ', {fin: false})
		socket.send('two ', {fin: false})
		socket.send('three', {fin: true})
		await all.promise
		expect(seen).toEqual([
			['\u00e4\u{1F600}', false],
			[String(Buffer.from([0, 255])), true],
			['', false],
			['one two three', false]
		])
	})

	test.each([64 << 10, 16 << 20])('of %i bytes arrive unchanged', async size => {
		const socket = await connected('bot/', {maxPayload: 64 << 20})
		const sent = randomBytes(size)
		socket.send(sent)
		const [received] = await once(socket, 'message')
		expect(hashed(received)).toBe(hashed(sent))
	})

	test('many at once arrive in order', async () => {
		const socket = await connected()
		const seen: number[] = []
		const all = Promise.withResolvers<void>()
		socket.on('message', data => {
			seen.push(Number(String(data)))
			if (seen.length === 2000) all.resolve()
		})
		for (let count = 0; count < 2000; count += 1) socket.send(String(count))
		await all.promise
		expect(seen).toEqual(Array.from({length: 2000}, (_, at) => at))
	})

	test('close codes and reasons pass both ways', async () => {
		const first = await connected()
		const there = once(sockets.clients.values().next().value ?? first, 'close')
		first.close(4001, 'enough')
		expect((await there)[0]).toBe(4001)
		const second = await connected()
		const here = once(second, 'close')
		for (const client of sockets.clients) client.close(1013, 'later')
		const [code, reason] = await here
		expect([code, String(reason)]).toEqual([1013, 'later'])
	})

	test('pings and pongs pass', async () => {
		const socket = await connected()
		socket.ping('are you there')
		expect(String((await once(socket, 'pong'))[0])).toBe('are you there')
	})

	test('bytes that are no valid frame, such as text that is no UTF-8, pass untouched', async () => {
		const got = Promise.withResolvers<Buffer>()
		await openRaw(socket => {
			socket.write(`${switching}\r\n`)
			socket.once('data', got.resolve)
		})
		const client = await dialRaw(...handshake)
		await until(client, /\r\n\r\n/)
		const frame = Buffer.from([0x81, 0x82, 1, 2, 3, 4, 0xff ^ 1, 0xfe ^ 2])
		client.write(frame)
		expect(await got.promise).toEqual(frame)
	})
})

describe('the handshake', () => {
	test('reaches the instance byte for byte, extensions included, and so does the answer', async () => {
		const got = Promise.withResolvers<string>()
		await openRaw((socket, request) => {
			got.resolve(request)
			socket.write(`${switching}Sec-WebSocket-Extensions: x; y=1\r\nSec-WebSocket-Protocol: chat\r\n\r\n\x81\x02hi`)
		})
		const extensions = 'permessage-deflate; client_max_window_bits, X-Other;q="a b"'
		const client = await dialRaw(...handshake, `Sec-WebSocket-Extensions: ${extensions}`, 'Sec-WebSocket-Protocol: chat, log')
		const answer = await until(client, /hi$/)
		expect(answer).toMatch(/^HTTP\/1\.1 101 Switching Protocols\r\n/)
		expect(answer).toContain('Sec-WebSocket-Extensions: x; y=1\r\n')
		expect(answer).toContain(`Sec-WebSocket-Accept: ${acceptOf(key)}\r\n`)
		expect(answer.match(/^Connection: Upgrade\r$/gim)?.length).toBe(1)
		expect(answer.match(/^Upgrade: websocket\r$/gim)?.length).toBe(1)
		const request = await got.promise
		expect(request).toContain(`Sec-WebSocket-Key: ${key}\r\n`)
		expect(request).toContain(`Sec-WebSocket-Extensions: ${extensions}\r\n`)
		expect(request).toContain('Sec-WebSocket-Protocol: chat, log\r\n')
		expect(request).toMatch(/^GET \/ HTTP\/1\.1\r\n/)
	})

	test('bytes that the client sends right behind it are not lost', async () => {
		const socket = await dialRaw(...handshake)
		const frame = Buffer.from([0x81, 0x82, 0, 0, 0, 0, 0x68, 0x69])
		socket.write(frame)
		expect(await until(socket, /hi$/)).toMatch(/101/)
	})

	test('an answer other than 101 is passed on as it is, and the connection goes on', async () => {
		await openRaw(socket => socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno'))
		const client = await dialRaw(...handshake)
		expect(await until(client, /no$/)).toMatch(/^HTTP\/1\.1 403 Forbidden/)
	})

	test.each([
		['another key', switching.replace(/Accept: .*\r/, 'Accept: AAAAAAAAAAAAAAAAAAAAAAAAAAA=\r')],
		['another protocol', switching.replace('Upgrade: websocket', 'Upgrade: h2c')],
		['no protocol', 'HTTP/1.1 101 Switching Protocols\r\n']
	])('a 101 for %s is 502, and the instance is let go', async (_what, head) => {
		const gone = Promise.withResolvers<void>()
		await openRaw(socket => {
			socket.on('close', gone.resolve)
			socket.on('end', () => socket.end())
			socket.write(`${head}\r\n`)
		})
		const client = await dialRaw(...handshake)
		expect(await until(client, /\r\n\r\n/)).toMatch(/^HTTP\/1\.1 502 /)
		await gone.promise
	})

	test('an unrequested 101 is 502', async () => {
		await openRaw(socket => socket.write(`${switching}\r\n`))
		expect((await scene.get('bot/')).status).toBe(502)
	})

	test.each([
		['version 8', 426, [...handshake.filter(line => !line.includes('Version')), 'Sec-WebSocket-Version: 8']],
		['no key', 400, handshake.filter(line => !line.includes('Key'))]
	])('with %s is refused with %i before the instance is asked', async (_what, status, lines) => {
		const client = await dialRaw(...lines)
		expect(await until(client, /\r\n\r\n/)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
		expect(instance.requests).toEqual([])
	})

	test('of a page of another site is refused, of an allowed one it is not', async () => {
		const other = dial('bot/', {origin: 'https://evil.example'})
		const [, response] = await once(other, 'unexpected-response')
		expect(response.statusCode).toBe(403)
		await reopen({origins: ['https://good.example']})
		await connected('bot/', {origin: 'https://good.example'})
	})

	test('passes the access check first', async () => {
		await reopen({access: {kind: 'bearer', header: 'Authorization', verifiers: [hash('sha256', 'secret', 'hex')]}})
		const [, response] = await once(dial(), 'unexpected-response')
		expect(response.statusCode).toBe(401)
		await connected('bot/', {headers: {authorization: 'Bearer secret'}})
	})

	test('switched off for the instance: a plain request without Upgrade', async () => {
		await reopen({websocket: false})
		const client = await dialRaw(...handshake)
		expect(await until(client, /plain \w+/)).toContain('plain nothing')
	})

	test('h2c is never tunnelled: a plain request without Upgrade', async () => {
		const client = await dialRaw('Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA')
		expect(await until(client, /plain \w+/)).toContain('plain nothing')
	})
})

describe('the life of a tunnel', () => {
	test('an instance that dies closes the client, a client that dies closes the instance', async () => {
		const first = await connected()
		const here = once(first, 'close')
		for (const client of sockets.clients) client.terminate()
		expect((await here)[0]).toBe(1006)
		const second = await connected()
		const [client] = sockets.clients
		const there = new Promise(resolve => client?.once('close', resolve))
		second.terminate()
		expect(await there).toBe(1006)
	})

	test('silence ends it after the idle time', async () => {
		await reopen({timeouts: {idleS: 0.2}})
		const socket = await connected()
		expect((await once(socket, 'close'))[0]).toBe(1006)
		await expect.poll(() => scene.records.at(-1)).toMatchObject({endedBy: 'cordon', reason: 'idle'})
	})

	test('is logged with its bytes once it ends', async () => {
		const socket = await connected('bot/chat?token=secret')
		socket.send('12345')
		await once(socket, 'message')
		expect(scene.records).toEqual([])
		socket.close()
		await once(socket, 'close')
		await expect.poll(() => scene.records.length).toBe(1)
		expect(scene.records[0]).toMatchObject({
			protocol: 'WebSocket',
			path: '/instance/execute/bot/chat',
			status: 101,
			instance: 'bot',
			endedBy: 'done',
			reason: null,
			source: 'instance'
		})
		expect(scene.records[0]?.received).toBeGreaterThanOrEqual(11)
		expect(scene.records[0]?.sent).toBeGreaterThanOrEqual(7)
	})

	test('draining waits for it, and no longer than it was given', async () => {
		const socket = await connected()
		const stopped = scene.forwarder.stop(10_000)
		socket.send('still here')
		expect(String((await once(socket, 'message'))[0])).toBe('still here')
		socket.close(1000)
		await stopped
		await reopen({})
		const other = await connected()
		const closed = once(other, 'close')
		await scene.forwarder.stop(50)
		expect(scene.records.at(-1)).toMatchObject({protocol: 'WebSocket', endedBy: 'cordon', reason: 'draining'})
		expect((await closed)[0]).toBe(1006)
	})

	test('counts as running, and as a connection of the instance, until it ends', async () => {
		const socket = await connected()
		const during = scene.forwarder.counters()
		expect([during.requests.running, during.instances['bot']?.running]).toEqual([1, 1])
		socket.close()
		await once(socket, 'close')
		await expect.poll(() => scene.forwarder.counters().requests.running).toBe(0)
		await expect.poll(() => scene.forwarder.counters().instances['bot']?.upstream).toBe(0)
	})
})
