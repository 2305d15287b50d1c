/** An instance with a web interface, as a browser meets one: links without a prefix, cookies, events, uploads, a WebSocket. */
import {createHash} from 'node:crypto'
import type {IncomingMessage, ServerResponse} from 'node:http'
import type {Duplex} from 'node:stream'

const pages: Readonly<Record<string, [type: string, body: string]>> = {
	'/': [
		'text/html; charset=utf-8',
		'<!doctype html><title>instance</title><link rel="stylesheet" href="style.css">' +
			'<h1>Home</h1><a href="inner/two.html?x=1">further</a><script src="app.js"></script>'
	],
	'/style.css': ['text/css', 'h1 { color: rgb(1, 2, 3) }'],
	'/app.js': ['text/javascript', 'document.title = "started"'],
	'/inner/two.html': ['text/html', '<!doctype html><h1>Two</h1><a href="../">back</a>']
}

export function serveWebInstance(request: IncomingMessage, response: ServerResponse) {
	const {pathname} = new URL(request.url ?? '/', 'http://instance')
	const page = pages[pathname]
	if (page !== undefined) response.writeHead(200, {'Content-Type': page[0]}).end(page[1])
	else if (pathname === '/upload') hash(request, response)
	else if (pathname === '/events') sendEvents(request, response)
	else if (pathname === '/login') {
		response.writeHead(302, {Location: '/', 'Set-Cookie': 'session=secret; Path=/; HttpOnly'}).end()
	} else if (pathname === '/cookie') response.end(request.headers.cookie ?? '')
	else response.writeHead(404).end()
}

function hash(request: IncomingMessage, response: ServerResponse) {
	const sum = createHash('sha256')
	request.on('data', (chunk: Buffer) => sum.update(chunk)).on('end', () => response.end(sum.digest('hex')))
}

/** The second event waits for the page to ask for it: whoever holds events back never gets there. */
const waiting = new Set<ServerResponse>()

function sendEvents(request: IncomingMessage, response: ServerResponse) {
	if (request.method === 'POST') {
		for (const stream of waiting) stream.write('event: second\ndata: 2\n\n')
		waiting.clear()
		response.end()
		return
	}
	response.writeHead(200, {'Content-Type': 'text/event-stream'})
	response.write('data: 1\n\n')
	waiting.add(response)
}

const guid = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'

/** A WebSocket that sends back what it is sent: whole unfragmented messages below 64 KB, nothing else. */
export function echoUpgrade(request: IncomingMessage, socket: Duplex) {
	const accept = createHash('sha1').update(`${request.headers['sec-websocket-key']}${guid}`).digest('base64')
	const head = ['HTTP/1.1 101 Switching Protocols', 'Upgrade: websocket', 'Connection: Upgrade']
	socket.write(`${head.join('\r\n')}\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`)
	let left: Buffer = Buffer.alloc(0)
	socket.on('error', () => {})
	socket.on('data', (chunk: Buffer) => {
		left = Buffer.concat([left, chunk])
		for (let frame = frameOf(left); frame !== null; frame = frameOf(left)) {
			left = left.subarray(frame.size)
			socket.write(frame.answer)
			if (frame.isClose) socket.end()
		}
	})
}

/** A masked frame of a client, and the same without mask. */
function frameOf(bytes: Buffer): {size: number; answer: Buffer; isClose: boolean} | null {
	const short = (bytes[1] ?? 0) & 127
	const start = short === 126 ? 4 : 2
	if (bytes.length < start + 4) return null
	const length = short === 126 ? bytes.readUInt16BE(2) : short
	const size = start + 4 + length
	if (bytes.length < size) return null
	const mask = bytes.subarray(start, start + 4)
	const data = bytes.subarray(start + 4, size).map((byte, index) => byte ^ (mask[index % 4] ?? 0))
	const head = Buffer.from(bytes.subarray(0, start))
	head[1] = short
	return {size, answer: Buffer.concat([head, data]), isClose: ((bytes[0] ?? 0) & 15) === 8}
}
