import {randomBytes} from 'node:crypto'
import {once} from 'node:events'
import type {AddressInfo} from 'node:net'

import {WebSocket, WebSocketServer} from 'ws'

import {hashed, startScene, type Scene} from './testing/scene.ts'

let server: WebSocketServer
let scene: Scene
const headers: Record<string, unknown>[] = []

beforeAll(async () => {
	server = new WebSocketServer({
		port: 0,
		host: '127.0.0.1',
		perMessageDeflate: {threshold: 0},
		maxPayload: 64 << 20,
		handleProtocols: offered => (offered.has('echo.v2') ? 'echo.v2' : false)
	})
	await once(server, 'listening')
	server.on('connection', (socket, request) => {
		headers.push({...request.headers, url: request.url})
		socket.on('message', (data, binary) => socket.send(data, {binary}))
		socket.on('close', (code, reason) => closes.push([code, reason.toString()]))
		if (request.url === '/bye') socket.close(4321, 'the instance says so')
	})
	// A listening TCP server has an address of this form.
	const {port} = server.address() as AddressInfo
	scene = await startScene([
		{name: 'chat', listenPort: port},
		{name: 'plain', listenPort: port, websocket: false}
	])
})
const closes: [number, string][] = []

afterAll(async () => {
	await scene.close()
	for (const client of server.clients) client.terminate()
	server.close()
})

function open(path: string, more: object = {}, protocols: string[] = []) {
	const url = scene.url(path).replace('https:', 'wss:')
	return new WebSocket(url, protocols, {ca: scene.credentials.authority, ...more})
}

async function opened(path: string, more: object = {}, protocols: string[] = []) {
	const socket = open(path, more, protocols)
	await once(socket, 'open')
	return socket
}

async function echo(socket: WebSocket, message: Buffer | string) {
	const answer = once(socket, 'message')
	socket.send(message)
	return Buffer.from((await answer)[0])
}

async function closed(socket: WebSocket): Promise<[number, string]> {
	const [code, reason] = await once(socket, 'close')
	return [code, String(reason)]
}

test.each([true, false])('messages of every length come back byte for byte, compressed: %s', async compressed => {
	const socket = await opened('chat/room?id=1', {perMessageDeflate: compressed})
	expect(socket.extensions).toBe(compressed ? 'permessage-deflate' : '')
	for (const length of [0, 1, 125, 126, 65_535, 65_536, 1_000_003, 16 << 20]) {
		const message = randomBytes(length)
		expect(hashed(await echo(socket, message))).toBe(hashed(message))
	}
	expect((await echo(socket, 'größer \u{1f600}')).toString()).toBe('größer \u{1f600}')
	socket.close(1000, 'done')
	expect(await closed(socket)).toEqual([1000, 'done'])
	expect(headers.at(-1)).toMatchObject({url: '/room?id=1', 'x-request-uri': '/instance/execute/chat/room?id=1'})
})

test('the chosen protocol and the close code of either end reach the other', async () => {
	const socket = await opened('chat/', {}, ['echo.v1', 'echo.v2'])
	expect(socket.protocol).toBe('echo.v2')
	socket.close(4999, 'bye')
	await closed(socket)
	await expect.poll(() => closes).toContainEqual([4999, 'bye'])
	expect(await closed(open('chat/bye'))).toEqual([4321, 'the instance says so'])
})

test('fifty at once do not mix their bytes', async () => {
	const sockets = await Promise.all(Array.from({length: 50}, () => opened('chat/')))
	const messages = sockets.map(() => randomBytes(50_000))
	const answers = await Promise.all(sockets.map((socket, index) => echo(socket, messages[index] ?? Buffer.alloc(0))))
	expect(answers.map(hashed)).toEqual(messages.map(hashed))
	for (const socket of sockets) socket.terminate()
})
