/** One HTTP/2 stream as a version-independent exchange. */
import {constants, type ServerHttp2Stream} from 'node:http2'

import type {BodyPace, ClientExchange, RequestBodySink, TakenOver} from '../exchange.ts'
import type {Fields, Refusal, ResponseFraming} from '../message-types.ts'
import {badRequest} from '../refusals.ts'
import type {Ticker} from '../ticker.ts'
import {Pace} from './h1-pace.ts'
import {BulkSink} from './h2-bulk.ts'
import {StartedExchange, type ExchangeStart} from './serving.ts'
import {Taking, type TakingLimits} from './taking.ts'

/* Fields in the format of node:http2. */

/** Never on an HTTP/2 answer: node:http2 throws on them (RFC 9113, section 8.2.2). */
const ofTheConnection = new Set(['connection', 'keep-alive', 'proxy-connection', 'transfer-encoding', 'upgrade', 'te'])
/** Not allowed in a trailer section (RFC 9110, section 6.5.1), whatever the list of names. */
const neverTrailing = new Set([...ofTheConnection, 'content-length', 'trailer', 'host'])

/** Names in lower case, each with its value. */
function* pairs(fields: Fields, without: ReadonlySet<string>): Generator<[string, string]> {
	for (let at = 0; at + 1 < fields.length; at += 2) {
		const name = (fields[at] ?? '').toLowerCase()
		if (!without.has(name)) yield [name, fields[at + 1] ?? '']
	}
}

/** A repeated name becomes an array, as node:http2 expects. */
function add(headers: Record<string, string | string[] | number>, name: string, value: string) {
	const before = headers[name]
	if (before === undefined) headers[name] = value
	else headers[name] = [...(Array.isArray(before) ? before : [String(before)]), value]
}

function rawFields(value: unknown): Fields {
	return Array.isArray(value) ? value.map(String) : []
}

/** Read bytes from which a body counts as large. */
const largeBytes = 256 * 1024
/** Copies below this are cheaper than keeping a buffer. */
const spareBytes = 16 * 1024

interface StreamStart extends ExchangeStart {
	deps: {ticker: Ticker; graceMs: number; limits: TakingLimits}
	/** Called for a large body, of which more is to be expected. */
	largeBody?: () => void
}

export class Http2Exchange extends StartedExchange implements ClientExchange {
	received = 0
	/** Whether the server reset the stream: then it is not counted against the client. */
	aborted = false
	readonly #stream: ServerHttp2Stream
	readonly #deps: StreamStart['deps']
	#largeBody: StreamStart['largeBody']
	#body: BulkSink | null = null
	#bodyOver: boolean
	/** The request is complete. */
	#isWhole: boolean
	#trailers: Fields = []
	#answerTrailers: Fields | null = null
	#pace: Pace | null = null
	#paused = false
	readonly #taking: Taking
	#ended = false
	#hasNoBody = false
	/** Length of the answer, if given: neither more nor less is sent. */
	#length = Infinity
	#continued = false
	/** A buffer without pending bytes. */
	#spare: Buffer | null = null

	constructor(stream: ServerHttp2Stream, start: StreamStart) {
		super(start)
		this.#stream = stream
		this.#deps = start.deps
		this.#largeBody = start.largeBody
		this.#taking = new Taking(start.deps.limits, start.deps.ticker.now)
		this.#bodyOver = start.head.framing.kind === 'none'
		this.#isWhole = this.#bodyOver
		stream.on('drain', () => this.#drained())
		stream.on('close', () => this.#closed())
		stream.on('finish', () => this.#hasNoBody && this.#stopRequest())
		stream.on('wantTrailers', () => this.#sendTrailers())
	}

	readBody(sink: RequestBodySink, pace: BodyPace) {
		if (this.#body !== null) return
		const body = new BulkSink(sink)
		this.#body = body
		if (this.#bodyOver) return sink.end([])
		if (this.#stream.destroyed) return this.#failBody(null)
		this.#pace = new Pace(pace, this.#deps.graceMs, this.#deps.ticker.now)
		// The fourth argument is missing in the types: alternating names and values, as received.
		this.#stream.on('trailers', (_fields: unknown, _flags, ...rest: unknown[]) => {
			this.#trailers = rawFields(rest[0])
		})
		this.#stream.on('data', (chunk: Buffer) => {
			this.received += chunk.length
			if (!this.#bodyOver) body.data(chunk)
			if (this.received >= largeBytes) this.#becameLarge()
		})
		this.#stream.on('end', () => this.#endBody())
	}

	#becameLarge() {
		this.#largeBody?.()
		this.#largeBody = undefined
	}

	pauseBody() {
		this.#paused = true
		this.#stream.pause()
	}

	resumeBody() {
		this.#paused = false
		if (this.#body !== null && !this.#bodyOver) this.#stream.resume()
	}

	sendContinue() {
		if (this.#continued || !this.head.expectContinue) return
		this.#continued = true
		this.sendInformation(100, '', [])
	}

	sendInformation(status: number, _reason: string, fields: Fields) {
		const stream = this.#stream
		// 101 does not exist in HTTP/2.
		if (stream.destroyed || stream.closed || stream.headersSent || status === 101) return
		const headers: Record<string, string | string[] | number> = {':status': status}
		for (const [name, value] of pairs(fields, ofTheConnection)) add(headers, name, value)
		try {
			stream.additionalHeaders(headers)
		} catch {
			// A hint not allowed in HTTP/2 is omitted: the answer still follows.
		}
	}

	sendHead(status: number, _reason: string, fields: Fields, framing: ResponseFraming) {
		const stream = this.#stream
		if (stream.destroyed || stream.closed) return
		const raw: string[] = [':status', String(status)]
		for (const [name, value] of pairs(fields, ofTheConnection)) {
			// Without a body the field is the length of a GET; otherwise the framing writes it.
			if (name !== 'content-length' || framing.kind === 'none') raw.push(name, value)
		}
		if (framing.kind === 'length') raw.push('content-length', String(framing.length))
		const endStream = framing.kind === 'none' || (framing.kind === 'length' && framing.length === 0)
		this.#hasNoBody = endStream
		if (framing.kind === 'length') this.#length = framing.length
		try {
			// Without pending trailers, Node ends the stream cleanly before it resets it, and a truncated answer looks whole.
			stream.respond(raw, {endStream, waitForTrailers: !endStream})
		} catch {
			this.abort()
		}
	}

	sendData(chunk: Buffer) {
		return this.#send(chunk, undefined)
	}

	/** Large pieces are copied into one buffer, reused once sent: new ones would burden the garbage collector. */
	sendBorrowed(bytes: Buffer) {
		if (bytes.length < spareBytes) return this.#send(Buffer.from(bytes), undefined)
		const spare = this.#spare
		this.#spare = null
		const room = spare !== null && spare.length >= bytes.length ? spare : Buffer.allocUnsafeSlow(bytes.length)
		bytes.copy(room)
		return this.#send(room.subarray(0, bytes.length), error => {
			if (error === undefined || error === null) this.#spare = room
		})
	}

	#send(chunk: Buffer, sent: ((error: Error | null | undefined) => void) | undefined) {
		if (this.#ended || this.#stream.destroyed || this.#stream.writableEnded) return true
		this.sent += chunk.length
		if (this.sent > this.#length) {
			this.abort()
			return true
		}
		return this.#stream.write(chunk, sent)
	}

	sendEnd(trailers: Fields) {
		if (this.#ended) return
		if (this.#length !== Infinity && this.sent !== this.#length) return this.abort()
		this.#ended = true
		if (this.#stream.destroyed) return
		this.#answerTrailers = trailers
		this.#stream.end()
	}

	abort() {
		if (this.#stream.destroyed) return
		this.aborted = true
		this.#ended = true
		this.#bodyOver = true
		this.#body?.drop()
		this.#stream.close(constants.NGHTTP2_INTERNAL_ERROR)
	}

	takeOver(): TakenOver | null {
		return null
	}

	tick(now: number) {
		const {writableLength} = this.#stream
		if (this.#taking.isTooSlow(now, this.sent - writableLength, writableLength > 0)) {
			this.#stream.close(constants.NGHTTP2_CANCEL)
		} else if (!this.#bodyOver && this.#pace?.isTooSlow(now, this.received, !this.#paused) === true) {
			this.#stream.pause()
			this.#failBody(badRequest.slowBody)
		}
	}

	#drained() {
		if (!this.#ended) this.onDrain?.()
	}

	/** The answer is sent; the rest of the request is not needed (RFC 9113, section 8.1). */
	#stopRequest() {
		if (this.#isWhole || this.#stream.destroyed) return
		this.aborted = true
		this.#stream.close(constants.NGHTTP2_NO_ERROR)
	}

	#endBody() {
		if (this.#bodyOver) return
		// A client's reset also ends the readable side: that is no end of the body.
		if (this.#stream.closed || this.#stream.destroyed) return this.#failBody(null)
		this.#bodyOver = true
		this.#isWhole = true
		this.#body?.end(this.#trailers)
	}

	#failBody(refusal: Refusal | null) {
		if (this.#bodyOver) return
		this.#bodyOver = true
		this.#body?.failed(refusal)
	}

	#closed() {
		this.#failBody(null)
		const left = !this.#ended
		this.#ended = true
		if (left) this.onAbort?.()
	}

	#sendTrailers() {
		const headers: Record<string, string | string[] | number> = {}
		// Only to a client that asked for them (G15).
		const trailers = this.head.wantsTrailers ? (this.#answerTrailers ?? []) : []
		for (const [name, value] of pairs(trailers, neverTrailing)) add(headers, name, value)
		try {
			this.#stream.sendTrailers(headers)
			// Node sends them in the next turn; later frames must not overtake them.
			setImmediate(() => this.#stopRequest())
		} catch {
			this.#stream.close(constants.NGHTTP2_INTERNAL_ERROR)
		}
	}
}
