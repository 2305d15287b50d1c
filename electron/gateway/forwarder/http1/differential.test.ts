/**
 * An independent check: whatever our parsers accept, Node's HTTP parser reads the same. It may refuse more framing, but never
 * read it differently.
 */
import {once} from 'node:events'
import {createServer, request, type IncomingMessage, type Server} from 'node:http'
import {connect, createServer as createRawServer, type Server as RawServer} from 'node:net'

import {openPort} from '#base/testing/port.ts'
import fc from 'fast-check'

import {wellFormedAnswers, malformedAnswers} from '../corpus/testing/answers.ts'
import {malformed} from '../corpus/testing/malformed.ts'
import {wellFormed} from '../corpus/testing/well-formed.ts'
import {defaultLimits} from '../limits.ts'
import {createBodyReader} from './body.ts'
import {parseRequestHead} from './request-head.ts'
import {parseResponseHead} from './response-head.ts'

interface Seen {
	method: string
	target: string
	body: string
	fields: readonly string[]
}

interface Answer {
	status: number
	body: string
	fields: readonly string[]
}

function plain(fields: readonly string[]) {
	return fields.map((text, at) => (at % 2 === 0 ? text.toLowerCase() : text))
}

/** Our parse; `null` when refused or incomplete. */
function ourRequest(bytes: Buffer) {
	const parsed = parseRequestHead(bytes, 0, bytes.length, defaultLimits)
	if (parsed.kind !== 'head') return null
	const {method, target, fields, framing} = parsed.head
	let body = ''
	const reader = createBodyReader(framing, defaultLimits, 'request', {
		data: slice => (body += slice.toString('latin1')),
		end: () => {},
		failed: () => {}
	})
	reader.push(bytes, parsed.next)
	return reader.state === 'done' ? {method, target, body, fields: plain(fields)} : null
}

function ourAnswer(bytes: Buffer, method: string) {
	const parsed = parseResponseHead(bytes, 0, bytes.length, {method, headBytes: 65_536})
	if (parsed.kind !== 'head' || parsed.head.status < 200) return null
	let body = ''
	const reader = createBodyReader(parsed.head.framing, defaultLimits, 'response', {
		data: slice => (body += slice.toString('latin1')),
		end: () => {},
		failed: () => {}
	})
	reader.push(bytes, parsed.next)
	return reader.close() ? {status: parsed.head.status, body, fields: plain(parsed.head.fields)} : null
}

async function textOf(message: IncomingMessage) {
	let text = ''
	message.setEncoding('latin1')
	for await (const piece of message) text += String(piece)
	return text
}

/** Single-byte edits, where parsers begin to differ. */
function editsOf(texts: readonly string[]) {
	const telling = fc.oneof(fc.constantFrom(0, 9, 10, 11, 13, 32, 44, 58, 59, 48, 49, 95, 127, 128), fc.nat(255))
	const edits = fc.array(fc.tuple(fc.nat(), telling), {maxLength: 2})
	return fc.tuple(fc.constantFrom(...texts), edits).map(([text, changes]) => {
		const bytes = Buffer.from(text, 'latin1')
		for (const [at, byte] of changes) bytes[at % bytes.length] = byte
		return bytes
	})
}

describe('a request that we take', () => {
	let server: Server
	let port: number
	let seen: Promise<Seen | null>[] = []

	beforeAll(async () => {
		server = createServer({maxHeaderSize: 65_536, requireHostHeader: false}, (message, response) => {
			const {method = '', url = '', rawHeaders} = message
			const read = textOf(message).then(
				body => ({method, target: url, body, fields: plain(rawHeaders)}),
				() => null
			)
			seen.push(read)
			void read.then(() => response.end('ok'))
		})
		server.maxHeadersCount = 3000
		server.on('upgrade', (_, socket) => socket.destroy())
		server.on('connect', (_, socket) => socket.destroy())
		server.on('checkContinue', (message, response) => server.emit('request', message, response))
		port = await openPort(server)
	})
	afterAll(() => server.close())

	/** Node's parse: the first request, or `null` when refused. */
	async function nodeRequest(bytes: Buffer) {
		seen = []
		const socket = connect(port, '127.0.0.1')
		socket.on('error', () => {})
		socket.resume()
		socket.end(bytes)
		await once(socket, 'close')
		return (await seen[0]) ?? null
	}

	async function compare(bytes: Buffer) {
		const ours = ourRequest(bytes)
		if (ours === null) return
		const theirs = await nodeRequest(bytes)
		// Node has a fixed list of methods, and keeps the whole absolute target.
		if (theirs === null) return
		const target = theirs.target.replace(/^https?:\/\/[^/?]*/i, '') || '/'
		const expected = {...theirs, target: target.startsWith('?') ? `/${target}` : target}
		expect(ours, bytes.toString('latin1')).toEqual(expected)
	}

	it('is seen by Node with the same method, target, fields and body', async () => {
		for (const {name, bytes, method} of wellFormed) {
			const buffer = Buffer.from(bytes, 'latin1')
			await compare(buffer)
			// Node serves no unknown methods and offers no upgrade here, and ends at a forbidden trailer.
			const isOwnWay = /^M!|Upgrade (?:twice|to)|forbidden trailer/.test(method + name)
			expect((await nodeRequest(buffer)) === null, name).toBe(isOwnWay)
		}
	})

	it('is so after any edit', async () => {
		const texts = [...wellFormed, ...wellFormed, ...wellFormed, ...malformed].map(one => one.bytes).filter(text => text.length < 700)
		await fc.assert(fc.asyncProperty(editsOf(texts), compare), {numRuns: 3000})
	})
})

describe('an answer that we take', () => {
	let server: RawServer
	let port: number
	let bytes: Buffer = Buffer.alloc(0)

	beforeAll(async () => {
		server = createRawServer(socket => {
			socket.on('error', () => {})
			socket.once('data', () => socket.end(bytes))
		})
		port = await openPort(server)
	})
	afterAll(() => server.close())

	async function nodeAnswer(method: string): Promise<Answer | null> {
		const call = request({port, method, agent: false, maxHeaderSize: 65_536})
		// Several errors may come: bytes after the answer are parsed too.
		call.on('error', () => {})
		call.end()
		try {
			// `response` gives the message alone.
			const [message] = (await once(call, 'response')) as [IncomingMessage]
			return {status: message.statusCode ?? 0, body: await textOf(message), fields: plain(message.rawHeaders)}
		} catch {
			return null
		} finally {
			call.destroy()
		}
	}

	async function compare(given: Buffer, method: string) {
		const ours = ourAnswer(given, method)
		if (ours === null) return false
		bytes = given
		const theirs = await nodeAnswer(method)
		if (theirs === null) return false
		expect(ours, given.toString('latin1')).toEqual(theirs)
		return true
	}

	it('is seen by Node with the same status, fields and body', async () => {
		for (const one of wellFormedAnswers) {
			expect(await compare(Buffer.from(one.bytes, 'latin1'), one.method), one.name).toBe(true)
		}
	})

	it('is so after any edit', async () => {
		const texts = [...wellFormedAnswers, ...malformedAnswers].map(one => one.bytes).filter(text => text.length < 700)
		const method = fc.constantFrom('GET', 'HEAD')
		await fc.assert(
			fc.asyncProperty(editsOf(texts), method, async (given, asked) => {
				await compare(given, asked)
			}),
			{numRuns: 1500}
		)
	})
})
