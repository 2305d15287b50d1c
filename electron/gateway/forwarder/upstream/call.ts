/** One request at an instance: writes it, parses the answer strictly, enforces deadlines, and repeats it once where allowed. */
import type {UpstreamRequest, UpstreamSink} from '../exchange.ts'
import {createBodyReader} from '../http1/body.ts'
import {parseResponseHead, type ResponseSoFar} from '../http1/response-head.ts'
import {chunkEnd, chunkStart, lastChunk} from '../http1/write.ts'
import type {BodyReader, BodySink, Fields, Refusal, ResponseHead} from '../message-types.ts'
import type {Connections, ConnectionUser, UpstreamConnection} from './connection.ts'
import {isRepeatable, keptFor, type UpstreamPlan, type UpstreamTarget} from './plan.ts'

/** Failures on the way to an instance (route description, 1.6), in words for the client and for the log. */
function failure(status: 502 | 503 | 504, reason: string, proxyError: string, detail: string): Refusal {
	return {status, reason, proxyError, detail, close: false}
}

const upstreamFailure = {
	refusedConnection: failure(502, 'connection_refused', 'connection_refused', 'The instance accepts no connections.'),
	unroutable: failure(502, 'unroutable', 'destination_ip_unroutable', 'There is no way to the instance.'),
	noConnection: failure(502, 'connect_failed', 'destination_unavailable', 'The instance could not be reached.'),
	connectTimeout: failure(504, 'connect_timeout', 'connection_timeout', 'The instance did not accept in time.'),
	closedEarly: failure(502, 'closed_before_answer', 'connection_terminated', 'The instance closed the connection without an answer.'),
	firstByteTimeout: failure(504, 'answer_timeout', 'http_response_timeout', 'The instance did not answer in time.'),
	writeTimeout: failure(504, 'request_stalled', 'connection_write_timeout', 'The instance stopped taking the request.'),
	idleTimeout: failure(504, 'answer_stalled', 'connection_read_timeout', 'The instance stopped in the middle.'),
	incomplete: failure(502, 'incomplete', 'http_response_incomplete', 'The instance cut its answer short.'),
	unasked: failure(502, 'unasked_switch', 'http_upgrade_failed', 'The instance switched protocols without being asked.'),
	tooManyInterim: failure(502, 'too_many_interim', 'http_protocol_error', 'The instance sent too many interim answers.')
} as const satisfies Record<string, Refusal>

const byCode: Readonly<Record<string, Refusal>> = {
	ECONNREFUSED: upstreamFailure.refusedConnection,
	ECONNRESET: upstreamFailure.closedEarly,
	EPIPE: upstreamFailure.closedEarly,
	EHOSTUNREACH: upstreamFailure.unroutable,
	ENETUNREACH: upstreamFailure.unroutable,
	EADDRNOTAVAIL: upstreamFailure.unroutable,
	ETIMEDOUT: upstreamFailure.connectTimeout
}

/** For a failed connection attempt. */
function connectFailure(error: Error | null) {
	const code = error !== null && 'code' in error && typeof error.code === 'string' ? error.code : ''
	return byCode[code] ?? upstreamFailure.noConnection
}

/** Maximum interim answers of one request. */
const mostInterim = 32

type Phase = 'connecting' | 'head' | 'body' | 'over'

export class Call implements UpstreamRequest, ConnectionUser {
	readonly #pool: Connections
	readonly #target: UpstreamTarget
	readonly #plan: UpstreamPlan
	readonly #sink: UpstreamSink
	/** When the present connection was requested. */
	#startedAt = performance.now()
	#connection: UpstreamConnection
	#phase: Phase = 'connecting'
	#deadline = Infinity
	/** The request is written as far as possible. */
	#isSent: boolean
	#isPaused = false
	#isHeard = false
	#isRepeated = false
	#interim = 0
	/** The beginning of a partial head. */
	#held: Buffer | null = null
	#soFar: ResponseSoFar | undefined
	#head: ResponseHead | null = null
	#reader: BodyReader | null = null
	#trailers: Fields = []

	constructor(pool: Connections, target: UpstreamTarget, plan: UpstreamPlan, sink: UpstreamSink) {
		this.#pool = pool
		this.#target = target
		this.#plan = plan
		this.#sink = sink
		this.#isSent = plan.framing.kind === 'none'
		const need = plan.upgrade ? 'plain' : isRepeatable(plan) ? 'any' : 'young'
		this.#connection = pool.acquire(target, need)
		this.#start()
	}

	// ---- the request ----

	write(chunk: Buffer) {
		if (this.#phase === 'over') return true
		const {socket} = this.#connection
		this.#connection.gather()
		if (this.#plan.framing.kind === 'chunked') {
			socket.write(chunkStart(chunk.length), 'latin1')
			socket.write(chunk)
			socket.write(chunkEnd, 'latin1')
		} else socket.write(chunk)
		const mayGoOn = !this.#connection.isFull
		if (!mayGoOn) this.#rearm()
		return mayGoOn
	}

	end(trailers: Fields) {
		if (this.#phase === 'over' || this.#isSent) return
		if (this.#plan.framing.kind === 'chunked') {
			this.#connection.gather()
			this.#connection.socket.write(lastChunk(trailers), 'latin1')
		}
		this.#connection.flush()
		this.#isSent = true
		this.#rearm()
	}

	pause() {
		if (this.#phase === 'over' || this.#isPaused) return
		this.#isPaused = true
		this.#connection.socket.pause()
		this.#rearm()
	}

	resume() {
		if (this.#phase === 'over' || !this.#isPaused) return
		this.#isPaused = false
		this.#connection.socket.resume()
		this.#rearm()
	}

	abort() {
		if (this.#phase !== 'over') this.#drop()
	}

	// ---- the connection ----

	connected() {
		this.#phase = 'head'
		this.#rearm()
		this.#sink.connected(performance.now() - this.#startedAt)
	}

	received(bytes: Buffer) {
		this.#isHeard = true
		if (this.#phase === 'body') this.#feed(bytes, 0)
		else if (this.#phase === 'head') this.#readHead(bytes)
		else this.#connection.destroy()
	}

	drained() {
		this.#rearm()
		this.#sink.drain()
	}

	ended() {
		if (this.#phase === 'body' && this.#reader?.close() === true) this.#complete(false)
		else this.#lost(null)
	}

	closed(error: Error | null) {
		if (this.#phase !== 'over') this.#lost(error)
	}

	tick(now: number) {
		if (now < this.#deadline) return
		if (this.#phase === 'connecting') this.#fail(upstreamFailure.connectTimeout)
		else if (this.#phase === 'body') this.#fail(upstreamFailure.idleTimeout)
		else this.#fail(this.#isSent ? upstreamFailure.firstByteTimeout : upstreamFailure.writeTimeout)
	}

	#start() {
		const connection = this.#connection
		connection.attach(this)
		connection.begin(this.#plan.head)
		this.#phase = connection.isConnected ? 'head' : 'connecting'
		this.#rearm()
		if (connection.isConnected) this.#sink.connected(0)
	}

	#rearm() {
		const {connectMs, firstByteMs, idleMs} = this.#plan
		const {ticker} = this.#pool
		if (this.#phase === 'connecting') this.#deadline = ticker.after(connectMs)
		else if (this.#phase === 'body') this.#deadline = this.#isPaused ? Infinity : ticker.after(idleMs)
		else if (this.#isSent) this.#deadline = ticker.after(firstByteMs)
		else this.#deadline = this.#connection.isFull ? ticker.after(idleMs) : Infinity
	}

	#readHead(received: Buffer) {
		const held = this.#held
		const bytes = held === null ? received : Buffer.concat([held, received])
		const context = {method: this.#plan.method, headBytes: this.#plan.limits.headBytes}
		let at = 0
		let soFar = this.#soFar
		this.#held = null
		while (this.#phase === 'head') {
			const parsed = parseResponseHead(bytes, at, bytes.length, context, soFar)
			if (parsed.kind === 'refused') return this.#fail(parsed.refusal)
			if (parsed.kind === 'more') {
				this.#held = at === bytes.length ? null : Buffer.from(bytes.subarray(at))
				this.#soFar = parsed.soFar
				return
			}
			at = parsed.next
			soFar = undefined
			if (parsed.head.status >= 200) return this.#answer(parsed.head, bytes, at)
			if (parsed.head.status === 101) return this.#switch(parsed.head, bytes, at)
			this.#inform(parsed.head)
		}
	}

	/** `100` is never forwarded: the client gets ours (G17). */
	#inform(head: ResponseHead) {
		if (++this.#interim > mostInterim) this.#fail(upstreamFailure.tooManyInterim)
		else if (head.status !== 100) this.#sink.information(head.status, head.reason, head.fields)
	}

	#switch(head: ResponseHead, bytes: Buffer, from: number) {
		if (!this.#plan.upgrade) return this.#fail(upstreamFailure.unasked)
		this.#phase = 'over'
		this.#connection.release()
		this.#sink.switched(head, {socket: this.#connection.socket, first: bytes.subarray(from)})
	}

	#answer(head: ResponseHead, bytes: Buffer, from: number) {
		this.#head = head
		this.#phase = 'body'
		this.#reader = createBodyReader(head.framing, this.#plan.limits, 'response', this.#body())
		this.#rearm()
		this.#sink.head(head)
		if (this.#isOver()) return
		if (this.#reader.state === 'done') this.#complete(from < bytes.length)
		else if (from < bytes.length) this.#feed(bytes, from)
	}

	/** The end of the answer is reported once it is known whether more bytes follow. */
	#body(): BodySink {
		return {data: slice => this.#pass(slice), end: trailers => (this.#trailers = trailers), failed: refusal => this.#fail(refusal)}
	}

	/** The next read of any connection overwrites the received bytes. */
	#pass(slice: Buffer) {
		if (this.#sink.borrow === undefined) this.#sink.data(Buffer.from(slice))
		else this.#sink.borrow(slice)
	}

	#feed(bytes: Buffer, from: number) {
		const reader = this.#reader
		if (reader === null) return
		if (!this.#isPaused) this.#deadline = this.#pool.ticker.after(this.#plan.idleMs)
		const next = reader.push(bytes, from)
		if (reader.state === 'done' && !this.#isOver()) this.#complete(next < bytes.length)
	}

	/** The answer is complete; with further bytes the connection is unusable (G21). */
	#complete(hasMore: boolean) {
		this.#phase = 'over'
		const connection = this.#connection
		if (this.#isPaused) connection.socket.resume()
		if (!hasMore && this.#isSent && this.#head?.keepAlive === true) {
			this.#pool.keep(connection, keptFor(this.#head.fields))
		} else {
			connection.detach()
			connection.destroy()
		}
		this.#sink.end(this.#trailers)
	}

	#lost(error: Error | null) {
		if (this.#phase === 'connecting') return this.#fail(connectFailure(error))
		if (this.#phase === 'body') return this.#fail(upstreamFailure.incomplete)
		const isStale = !this.#isHeard && this.#connection.uses > 0
		if (isStale && !this.#isRepeated && isRepeatable(this.#plan)) return this.#repeat()
		this.#fail(this.#isHeard ? upstreamFailure.incomplete : upstreamFailure.closedEarly, isStale)
	}

	#repeat() {
		this.#isRepeated = true
		this.#connection.detach()
		this.#connection.destroy()
		this.#startedAt = performance.now()
		this.#connection = this.#pool.acquire(this.#target, 'fresh')
		this.#start()
	}

	#fail(refusal: Refusal, stale = false) {
		this.#drop()
		this.#sink.failed({refusal, stale})
	}

	#drop() {
		this.#phase = 'over'
		this.#reader?.stop()
		this.#connection.detach()
		this.#connection.destroy()
	}

	/** A sink may end the call during a callback. */
	#isOver() {
		return this.#phase === 'over'
	}
}
