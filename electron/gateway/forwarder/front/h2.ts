/**
 * HTTP/2 towards clients: one session a connection, each stream an exchange (RFC 9113; route description, 3.4).
 *
 * nghttp2 decides some cases first: it drops fields with forbidden bytes in their values, resets a head above the limits
 * (ENHANCE_YOUR_CALM), and gives the first of several endless answers most of a small connection window. A stream's own window is
 * 64 KiB: that much of each body may wait in memory, a hundred times over. While a connection carries few streams, among them a
 * large body that is being read, it is wider; see `Windows`.
 */
import {constants, performServerHandshake, type ServerHttp2Session, type ServerHttp2Stream, type Settings} from 'node:http2'
import type {TLSSocket} from 'node:tls'

import {isAuthority} from '../http1/authority.ts'
import {isToken, requestNameBytes, targetBytes, valueBytes} from '../http1/characters.ts'
import {contentLength} from '../http1/fields.ts'
import {expectsContinue, namesTrailers} from '../http1/request-head.ts'
import type {RequestFraming, RequestHead} from '../message-types.ts'
import {badRequest, refused} from '../refusals.ts'
import type {Ticked} from '../ticker.ts'
import type {ServerLimits} from '../types.ts'
import {Http2Exchange} from './h2-exchange.ts'
import type {ServedConnection, Serving} from './serving.ts'

/** The pseudo-fields; the rest in order, cookie crumbs joined. */
type Parts = ReturnType<typeof partsOf>

const ofTheConnection = new Set(['connection', 'keep-alive', 'proxy-connection', 'transfer-encoding', 'upgrade'])

/** `raw`: alternating names and values, as in node:http2. `ended`: no body follows. */
export function readHttp2Head(raw: readonly string[], ended: boolean, limits: ServerLimits) {
	const parts = partsOf(raw)
	/** As far as it could be parsed, for the log and the answer. */
	const head = headOf(parts, ended)
	/** The violated rule. */
	const refusal = refusalOf(parts, ended, limits)
	return {head, refusal}
}

function partsOf(raw: readonly string[]) {
	const pseudo: Record<string, string> = {}
	const hosts: string[] = []
	const lengths: string[] = []
	/** All but `host`. */
	const fields: string[] = []
	let cookie = -1
	let te: string | null = null
	let expect: string | null = null
	let connection = false
	let size = 0
	for (let at = 0; at + 1 < raw.length; at += 2) {
		const name = raw[at] ?? ''
		const value = raw[at + 1] ?? ''
		size += name.length + value.length + 4
		if (name.startsWith(':')) {
			pseudo[name] = value
		} else if (name === 'host') {
			hosts.push(value)
		} else if (name === 'cookie' && cookie >= 0) {
			fields[cookie] = `${fields[cookie] ?? ''}; ${value}`
		} else {
			if (name === 'cookie') cookie = fields.length + 1
			else if (name === 'content-length') lengths.push(value)
			else if (name === 'te') te = te === null ? value : `${te}, ${value}`
			else if (name === 'expect') expect = expect === null ? value : `${expect}, ${value}`
			else if (ofTheConnection.has(name)) connection = true
			fields.push(name, value)
		}
	}
	return {
		method: pseudo[':method'] ?? '',
		path: pseudo[':path'] ?? '',
		scheme: pseudo[':scheme'] ?? '',
		authority: pseudo[':authority'] ?? null,
		hosts,
		fields,
		lengths,
		te,
		expect,
		connection,
		size
	}
}

function headOf(parts: Parts, ended: boolean): RequestHead {
	const authority = parts.authority ?? parts.hosts[0] ?? ''
	return {
		method: parts.method,
		target: parts.path,
		version: '2',
		authority,
		fields: ['host', authority, ...parts.fields],
		framing: framingOf(parts, ended),
		connection: [],
		keepAlive: true,
		expectContinue: expectsContinue(parts.expect) === true && !ended,
		upgrade: null,
		wantsTrailers: namesTrailers(parts.te)
	}
}

function framingOf(parts: Parts, ended: boolean): RequestFraming {
	if (ended) return {kind: 'none'}
	const length = contentLength(parts.lengths[0] ?? '')
	return length === null ? {kind: 'chunked'} : {kind: 'length', length}
}

function refusalOf(parts: Parts, ended: boolean, limits: ServerLimits) {
	return lineProblem(parts, limits) ?? hostProblem(parts) ?? fieldProblem(parts, limits) ?? lengthProblem(parts, ended)
}

function consists(text: string, table: Uint8Array) {
	for (let at = 0; at < text.length; at++) if (table[text.charCodeAt(at)] !== 1) return false
	return true
}

function lineProblem(parts: Parts, limits: ServerLimits) {
	if (parts.method === 'CONNECT') return refused.connect
	if (!isToken(parts.method) || (parts.scheme !== 'https' && parts.scheme !== 'http')) return badRequest.line
	if (parts.path.length > limits.targetBytes) return badRequest.targetTooLong
	const fits = parts.path.startsWith('/') || (parts.path === '*' && parts.method === 'OPTIONS')
	return fits && consists(parts.path, targetBytes) ? null : badRequest.target
}

/** `:authority` and `Host` must be equal if both are present (RFC 9113, 8.3.1). */
function hostProblem(parts: Parts) {
	const [host] = parts.hosts
	const authority = parts.authority ?? host ?? ''
	const same = host === undefined || host.toLowerCase() === authority.toLowerCase()
	return parts.hosts.length <= 1 && same && isAuthority(authority) ? null : badRequest.host
}

function fieldProblem(parts: Parts, limits: ServerLimits) {
	if (parts.size > limits.headBytes || parts.fields.length > limits.fields * 2) return badRequest.headTooLarge
	if (parts.connection) return badRequest.connection
	for (let at = 0; at < parts.fields.length; at += 2) {
		const name = parts.fields[at] ?? ''
		if (name === '' || !consists(name, requestNameBytes)) return badRequest.fieldName
		if (!consists(parts.fields[at + 1] ?? '', valueBytes)) return badRequest.fieldValue
	}
	return expectsContinue(parts.expect) === null ? badRequest.expectation : null
}

function lengthProblem(parts: Parts, ended: boolean) {
	const [length] = parts.lengths
	if (length === undefined) return null
	const count = parts.lengths.length === 1 ? contentLength(length) : null
	return count === null || (ended && count !== 0) ? badRequest.length : null
}

interface Http2Deps extends Serving {
	/** How long a body may be too slow before that counts. */
	graceMs: number
}

/** Serves a connection that chose `h2`. Takes over the socket, its errors included. */
export function acceptHttp2(socket: TLSSocket, deps: Http2Deps): ServedConnection {
	const session = performServerHandshake(socket, sessionOptions(deps.limits))
	// A client that sends no more can neither send requests nor open a window: a half-open connection is useless. TLS hides a
	// failed write, and then the session waits for that write forever.
	socket.on('end', () => {
		session.destroy()
		setImmediate(() => socket.destroy())
	})
	return new Connection(session, deps)
}

function sessionOptions(limits: ServerLimits): Parameters<typeof performServerHandshake>[1] {
	return {
		settings: {enablePush: false, maxConcurrentStreams: limits.streams, maxHeaderListSize: limits.headBytes},
		// Fields plus pseudo-fields.
		maxHeaderListPairs: limits.fields + 8,
		// A singleton field may occur twice in a message: it is passed on as received.
		strictSingleValueFields: false,
		maxSessionInvalidFrames: 100,
		// nghttp2's own limit is higher than ours, which reports the reason.
		streamResetBurst: limits.resetsPer10s * 4,
		streamResetRate: Math.ceil(limits.resetsPer10s / 10),
		maxSessionMemory: 32
	}
}

const usualBytes = 65_535
/** With the usual window a large upload costs two to three times the processor time: it waits after every few frames. */
const wideBytes = 2 << 20
const wideStreams = 8
/** Maximum running streams for widening the window. */
const fewStreams = 4

/**
 * How much of a body a client may send before it is read: at most eight wide windows or a hundred usual ones. nghttp2 enforces a
 * smaller number of streams at once, a wider window only when the client has acknowledged both.
 */
class Windows {
	readonly #session: ServerHttp2Session
	readonly #streams: number
	#isWide = false
	#isPending = false

	constructor(session: ServerHttp2Session, streams: number) {
		this.#session = session
		this.#streams = streams
	}

	widen(running: number) {
		if (this.#isWide || this.#isPending || running > fewStreams || this.#session.destroyed) return
		this.#isWide = true
		// Received data counts as taken from the connection's window at once; only a stream's own window waits for its reader.
		this.#session.setLocalWindowSize(4 * wideBytes)
		this.#tell({initialWindowSize: wideBytes, maxConcurrentStreams: Math.min(wideStreams, this.#streams)})
	}

	/** Before the last stream that a wide window allows: makes room for a client with many streams. */
	opening(running: number) {
		if (running < wideStreams - 1 || !this.#isWide || this.#isPending || this.#session.destroyed) return
		this.#isWide = false
		this.#tell({initialWindowSize: usualBytes, maxConcurrentStreams: this.#streams})
	}

	#tell(settings: Settings) {
		this.#isPending = true
		this.#session.settings(settings, () => (this.#isPending = false))
	}
}

class Connection implements ServedConnection, Ticked {
	readonly #session: ServerHttp2Session
	readonly #deps: Http2Deps
	readonly #exchanges = new Map<ServerHttp2Stream, Http2Exchange>()
	readonly #windows: Windows
	#requests = 0
	#resets: number[] = []
	/** When a connection without streams ends. Only streams keep it open, not pings or settings. */
	#deadline: number
	#isDraining = false
	/** Being closed for its resets. */
	#isCalmed = false

	constructor(session: ServerHttp2Session, deps: Http2Deps) {
		this.#session = session
		this.#deps = deps
		this.#windows = new Windows(session, deps.limits.streams)
		this.#deadline = deps.ticker.after(deps.limits.headMs)
		session.on('stream', (stream, _headers, flags, ...rest: unknown[]) => this.#open(stream, flags, rest[0]))
		session.once('remoteSettings', () => (this.#deadline = deps.ticker.after(deps.limits.keepAliveMs)))
		// A wire error ends in `close`; nghttp2 already told the peer.
		session.on('error', () => {})
		session.on('close', () => this.#closed())
		deps.ticker.add(this)
	}

	get running() {
		return this.#exchanges.size
	}

	drain() {
		if (this.#isDraining) return
		this.#isDraining = true
		if (!this.#session.destroyed) this.#session.close()
	}

	destroy() {
		this.#session.destroy()
	}

	tick(now: number) {
		if (this.#exchanges.size === 0 && now >= this.#deadline) this.#expire()
		for (const exchange of this.#exchanges.values()) exchange.tick(now)
	}

	#open(stream: ServerHttp2Stream, flags: number, raw: unknown) {
		stream.on('error', () => {})
		if (this.#isCalmed) return
		// Reset before it was handled: a client that only opens and resets never costs the instance anything.
		if (stream.destroyed || stream.closed) {
			if (stream.rstCode !== constants.NGHTTP2_NO_ERROR) this.#countReset()
			return
		}
		this.#windows.opening(this.#exchanges.size)
		this.#requests += 1
		// Only recent types have the fourth argument of this event: alternating names and values.
		const fields = Array.isArray(raw) ? raw.map(String) : []
		const ended = (flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0
		const {head, refusal} = readHttp2Head(fields, ended, this.#deps.limits)
		const exchange = new Http2Exchange(stream, {
			head,
			peer: this.#deps.peer,
			startedAt: Date.now(),
			tlsMs: this.#requests === 1 ? this.#deps.tlsMs : null,
			deps: this.#deps,
			largeBody: () => this.#windows.widen(this.#exchanges.size)
		})
		this.#exchanges.set(stream, exchange)
		stream.on('close', () => this.#ended(stream, exchange))
		if (refusal === null) this.#deps.handle(exchange)
		else this.#deps.refuse(exchange, refusal)
		if (this.#requests >= this.#deps.limits.requestsPerConnection) this.drain()
	}

	#ended(stream: ServerHttp2Stream, exchange: Http2Exchange) {
		this.#exchanges.delete(stream)
		if (stream.rstCode !== constants.NGHTTP2_NO_ERROR && !exchange.aborted) this.#countReset()
		if (this.#exchanges.size === 0) this.#deadline = this.#deps.ticker.after(this.#deps.limits.keepAliveMs)
	}

	/** Resets by the client, and those it provokes from nghttp2 (CVE-2023-44487, CVE-2025-8671). */
	#countReset() {
		const now = performance.now()
		this.#resets.push(now)
		while ((this.#resets[0] ?? now) < now - 10_000) this.#resets.shift()
		const session = this.#session
		if (this.#isCalmed || this.#resets.length <= this.#deps.limits.resetsPer10s || session.destroyed) return
		this.#isCalmed = true
		session.goaway(constants.NGHTTP2_ENHANCE_YOUR_CALM)
		// GOAWAY waits for pending writes, and would be lost with the session.
		setTimeout(() => session.destroy(new Error('Too many streams were reset.')), 50)
	}

	#expire() {
		this.drain()
		this.#session.destroy()
	}

	#closed() {
		this.#deps.ticker.remove(this)
		this.#deps.closed()
	}
}
