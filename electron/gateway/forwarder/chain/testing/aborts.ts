/** Clients and instances that disconnect at every stage of a request, repeatedly. */
import {randomBytes} from 'node:crypto'
import {once} from 'node:events'
import type {IncomingMessage, ServerResponse} from 'node:http'
import {connect as connectHttp2} from 'node:http2'
import {connect as connectTcp, type Socket} from 'node:net'
import {setTimeout as sleep} from 'node:timers/promises'
import {connect as connectTls} from 'node:tls'

import {defaultLimits} from '../../limits.ts'
import {acceptOf} from '../../upgrade.ts'
import {startInstance, type RunningInstance} from './scene.ts'
import {startForwarderProcess, type ForwarderProcess} from './forwarder-process.ts'

interface Ground {
	port: number
	authority: string
}

/** Concurrent clients. */
const together = 20
const warmUp = 60
/** A client that leaves during the handshake is dropped at the handshake timeout. */
const {handshakeMs} = defaultLimits
/** For a busy machine. */
const patienceMs = 15_000

export async function abortRounds(rounds: number) {
	const hanging = new Set<object>()
	const instance = await startAbortedInstance(hanging)
	const forwarder = await startForwarderProcess([{name: 'abort', listenPort: instance.port}])
	const ground = {port: forwarder.port, authority: forwarder.authority}
	const rest = forwarder.openFiles()
	try {
		await play(ground, warmUp)
		const before = forwarder.memory()
		const began = performance.now()
		await play(ground, rounds)
		const seconds = (performance.now() - began) / 1000
		await within(patienceMs, () => hanging.size === 0)
		const left = hanging.size
		await within(handshakeMs + patienceMs, async () => (await leakOf(forwarder, instance, rest)) <= 0)
		const leaked = await leakOf(forwarder, instance, rest)
		const growth = forwarder.memory() - before
		const answered = await answers(ground)
		const alive = answered && (await forwarder.stop()) === 0
		return {
			rounds,
			seconds,
			/** Descriptors beyond those at rest and those of kept connections to the instance. */
			leaked,
			/** Requests still running at the instance long after the last client left. */
			hanging: left,
			/** Memory growth in bytes since the first rounds. */
			growth,
			/** Whether it still answered, and then stopped normally. */
			alive
		}
	} finally {
		await forwarder.stop()
		await instance.stop()
	}
}

async function leakOf(forwarder: ForwarderProcess, instance: RunningInstance, rest: number) {
	const kept = await new Promise<number>((resolve, reject) => {
		instance.server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)))
	})
	return forwarder.openFiles() - rest - kept
}

async function within(ms: number, isSo: () => boolean | Promise<boolean>) {
	const end = performance.now() + ms
	while (performance.now() < end && !(await isSo())) await sleep(20)
}

async function startAbortedInstance(hanging: Set<object>) {
	const instance = await startInstance((request, response) => {
		hanging.add(response)
		response.once('close', () => hanging.delete(response))
		request.on('error', () => {})
		response.on('error', () => {})
		serve(request, response)
	})
	instance.server.on('upgrade', (request, socket) => {
		hanging.add(socket)
		socket.on('error', () => {}).once('close', () => hanging.delete(socket))
		const accept = acceptOf(`${request.headers['sec-websocket-key']}`)
		const head = ['HTTP/1.1 101 Switching Protocols', 'Upgrade: websocket', 'Connection: Upgrade']
		socket.write(`${head.join('\r\n')}\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`)
		socket.resume().once('end', () => socket.end())
	})
	return instance
}

const block = Buffer.alloc(65_536, 'x')

function serve(request: IncomingMessage, response: ServerResponse) {
	if (request.url === '/hang') return
	if (request.url === '/upload') return void request.resume().once('end', () => response.end('whole'))
	if (request.url === '/cut') {
		response.writeHead(200, {'Content-Length': 1_000_000})
		response.write(block, () => response.destroy())
		return
	}
	if (request.url !== '/stream') return void response.end('hello')
	const pour = () => {
		while (!response.destroyed && response.write(block));
		if (!response.destroyed) response.once('drain', pour)
	}
	pour()
}

async function play(ground: Ground, rounds: number) {
	let next = 0
	const one = async () => {
		while (next < rounds) {
			const round = next
			next += 1
			await ways[round % ways.length]?.(ground)
		}
	}
	await Promise.all(Array.from({length: Math.min(together, rounds)}, one))
}

type Way = (ground: Ground) => Promise<void>

const target = (path: string) => `/instance/execute/abort/${path}`

function head(method: string, path: string, ...fields: readonly string[]) {
	return [`${method} ${target(path)} HTTP/1.1`, 'Host: localhost', ...fields, '', ''].join('\r\n')
}

const handshake = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13']
const websocketKey = `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`

const ways: readonly Way[] = [
	// Before any data, and during the handshake.
	async ({port}) => leave(await tcp(port)),
	async ({port}) => {
		const socket = await tcp(port)
		socket.write(Buffer.from('16030102000100', 'hex'))
		await leave(socket)
	},
	async ground => said(ground, ''),
	// In the head; before the answer; in the answer; in the body.
	async ground => said(ground, head('GET', 'hang').slice(0, -2)),
	async ground => said(ground, head('GET', 'hang')),
	async ground => said(ground, head('GET', 'stream'), true),
	async ground => said(ground, head('POST', 'upload', 'Content-Length: 1000000') + 'x'.repeat(50_000)),
	async ground => said(ground, `${head('POST', 'upload', 'Transfer-Encoding: chunked')}8000\r\n${'x'.repeat(9000)}`),
	async ground => said(ground, head('POST', 'upload', 'Content-Length: 10', 'Expect: 100-continue'), true),
	async ground => said(ground, head('GET', 'room', ...handshake, websocketKey), true),
	// The instance leaves.
	async ground => said(ground, head('GET', 'cut'), true),
	async ground => overHttp2(ground, 'cut', false),
	// HTTP/2: stream reset, and connection lost.
	async ground => overHttp2(ground, 'stream', false),
	async ground => overHttp2(ground, 'stream', true),
	async ground => overHttp2(ground, 'hang', true)
]

async function tcp(port: number) {
	const socket = connectTcp(port, '127.0.0.1').on('error', () => {})
	await once(socket, 'connect')
	return socket
}

/** Over a separate TCP connection, which can be reset. */
async function tls({port, authority}: Ground) {
	const raw = await tcp(port)
	const socket = connectTls({socket: raw, servername: 'localhost', ca: authority})
	socket.on('error', () => {})
	await once(socket, 'secureConnect')
	return {raw, socket}
}

/** Sends text, waits for a first byte if one is expected, and leaves. */
async function said(ground: Ground, text: string, isAnswered = false) {
	const {raw, socket} = await tls(ground)
	if (text !== '') socket.write(text)
	if (isAnswered) await Promise.race([once(socket, 'data'), closed(raw)])
	else await sleep(2)
	await leave(raw)
	socket.destroy()
}

let leaves = 0

/** With a reset in half of the cases. */
async function leave(socket: Socket) {
	leaves += 1
	const gone = closed(socket)
	if (leaves % 2 === 0) socket.resetAndDestroy()
	else socket.destroy()
	await gone
}

async function closed(socket: Socket) {
	if (!socket.closed) await new Promise(resolve => socket.once('close', resolve))
}

async function overHttp2({port, authority}: Ground, path: string, isHard: boolean) {
	const session = connectHttp2(`https://localhost:${port}`, {ca: authority})
	session.on('error', () => {})
	const stream = session.request({':path': target(path)})
	stream.on('error', () => {})
	const over = new Promise(resolve => stream.once('close', resolve))
	await Promise.race([once(stream, path === 'hang' ? 'ready' : 'data'), over]).catch(() => {})
	if (isHard) session.destroy()
	else stream.close()
	await over
	const gone = session.closed && session.destroyed ? Promise.resolve() : once(session, 'close')
	session.destroy()
	await gone
}

async function answers(ground: Ground) {
	const {socket} = await tls(ground)
	socket.write(head('GET', 'hello', 'Connection: close'))
	const text = Buffer.concat(await socket.toArray()).toString()
	return text.startsWith('HTTP/1.1 200') && text.endsWith('hello')
}
