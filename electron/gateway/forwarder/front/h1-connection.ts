/**
 * One HTTP/1 connection: sequential requests, in pieces of any size (G29). Early bytes wait, up to a bound; then the client
 * waits.
 */
import type {Socket} from 'node:net'

import type {Batch} from '../batch.ts'
import type {BodyPace, RequestBodySink, TakenOver} from '../exchange.ts'
import {parseRequestHead, type RequestSoFar} from '../http1/request-head.ts'
import type {RequestHead} from '../message-types.ts'
import {badRequest} from '../refusals.ts'
import type {Ticked} from '../ticker.ts'
import {IncomingBody, Room} from './h1-body.ts'
import {type ExchangeHost, H1Exchange} from './h1-exchange.ts'
import {Output} from './h1-output.ts'
import type {ServedConnection, Serving} from './serving.ts'
import {Taking} from './taking.ts'

/**
 * A client that sent its FIN after a whole request either waits for the answer (G30) or is gone: TCP does not tell until
 * something is sent. An interim answer can be sent; the second one fails when nobody is there.
 */
const firstProbeMs = 300
const secondProbeMs = 500
/** A started answer has no room for a probe. This long without acknowledgement after the FIN counts as leaving. */
const quietMs = 700

class HalfClose {
	readonly #socket: Socket
	readonly #exchange: H1Exchange
	readonly #timers: NodeJS.Timeout[]
	readonly #writtenBefore: number

	constructor(socket: Socket, exchange: H1Exchange) {
		this.#socket = socket
		this.#exchange = exchange
		this.#writtenBefore = socket.bytesWritten
		this.#timers = [firstProbeMs, secondProbeMs].map(ms => setTimeout(() => exchange.probe(), ms))
		this.#timers.push(setTimeout(() => this.#giveUp(), quietMs))
	}

	stop() {
		for (const timer of this.#timers) clearTimeout(timer)
	}

	#giveUp() {
		const waits = this.#socket.writableLength > 0
		const isQuiet = !waits && this.#socket.bytesWritten === this.#writtenBefore
		// A probe that has not gone out by now never will: TLS hides a failed write, and then writes no more.
		if (this.#exchange.isAnswering ? isQuiet : waits) this.#socket.destroy()
	}
}

/** Used for an unreadable head. */
const unreadable: RequestHead = {
	method: '',
	target: '',
	version: '1.1',
	authority: '',
	fields: [],
	framing: {kind: 'none'},
	connection: [],
	keepAlive: false,
	expectContinue: false,
	upgrade: null,
	wantsTrailers: false
}

interface Http1Deps extends Serving {
	batch: Batch
}

/** Serves a connection. Takes over the socket, its errors included. */
export function acceptHttp1(socket: Socket, deps: Http1Deps): ServedConnection {
	return new Connection(socket, deps)
}

/** Limit of early bytes. */
const readAheadBytes = 64 * 1024
/** An unread body up to this size is read and dropped, so that the connection can continue. */
const skipBytes = 64 * 1024
const lineFeed = 0x0a
const noBytes = Buffer.alloc(0)

/** `skipping`: the rest of an unread body. `lingering`: the last answer is out, the client may still be sending. */
type Phase = 'waiting' | 'exchange' | 'skipping' | 'lingering' | 'left'

class Connection implements ServedConnection, ExchangeHost, Ticked {
	readonly output: Output
	readonly #socket: Socket
	readonly #deps: Http1Deps
	#phase: Phase = 'waiting'
	#exchange: H1Exchange | null = null
	#body: IncomingBody | null = null
	/** Early bytes. */
	#held: Buffer | null = null
	/** Parse state of the head at the beginning of `#held`. */
	#soFar: RequestSoFar | undefined
	readonly #room = new Room()
	#isPaused = false
	#isAdvancing = false
	#isDraining = false
	#halfClose: HalfClose | null = null
	#requests = 0
	#deadline: number
	/** Unix milliseconds of the current head's first byte. */
	#headAt = 0
	readonly #taking: Taking

	constructor(socket: Socket, deps: Http1Deps) {
		this.#socket = socket
		this.#deps = deps
		this.output = new Output(socket, deps.batch)
		this.#taking = new Taking(deps.limits, deps.ticker.now)
		this.#deadline = deps.ticker.after(deps.limits.headMs)
		deps.ticker.add(this)
		socket
			.on('data', this.#received)
			.on('end', this.#ended)
			.on('drain', this.#drained)
			.on('error', () => {}) // `close` follows
			.on('close', this.#closed)
	}

	get running(): number {
		return this.#exchange === null ? 0 : 1
	}

	get received() {
		return this.#body?.received ?? 0
	}

	drain() {
		this.#isDraining = true
		if (this.#phase === 'waiting' && this.#held === null) this.#linger()
	}

	destroy() {
		this.output.flush()
		this.#socket.destroy()
	}

	mayGoOn() {
		if (this.#isDraining || this.#requests >= this.#deps.limits.requestsPerConnection) return false
		if (this.#halfClose !== null && this.#held === null) return false
		const unread = this.#body?.unread ?? 0
		return unread === 0 || (unread <= skipBytes && this.#exchange?.isAwaitingContinue === false)
	}

	readBody(sink: RequestBodySink, pace: BodyPace) {
		const {limits, ticker} = this.#deps
		if (this.#body === null) sink.end([])
		else this.#body.take(sink, pace, limits.bodyGraceMs, ticker.now)
		this.#feedHeld()
	}

	pauseBody() {
		this.#body?.pause(true)
		this.#adjustFlow()
	}

	resumeBody() {
		this.#body?.pause(false)
		this.#feedHeld()
	}

	/** The answer is out. */
	ended(goesOn: boolean) {
		this.#exchange = null
		this.#halfClose?.stop()
		if (!goesOn) this.#linger()
		else if ((this.#body?.unread ?? 0) > 0) this.#skip()
		else this.#wait()
	}

	takeOver(): TakenOver {
		const first = this.#held ?? noBytes
		this.output.flush()
		const socket = this.#socket
		this.#leave()
		socket.pause()
		socket.off('data', this.#received).off('end', this.#ended).off('drain', this.#drained)
		return {socket, first}
	}

	tick(now: number) {
		if (this.#taking.isTooSlow(now, this.output.flushed, this.output.isWaiting)) return this.destroy()
		if (this.#phase === 'exchange') this.#body?.tick(now)
		else if (this.#phase === 'lingering' && this.output.isWaiting) this.#expire(this.#deps.limits.lingerMs)
		else if (now > this.#deadline) this.#late()
	}

	// ---- the socket ----

	readonly #received = (chunk: Buffer) => {
		if (this.#phase === 'lingering' || this.#phase === 'left') return
		if (this.#body !== null && this.#body.isFlowing && this.#held === null) this.#feed(chunk)
		else if (this.#phase === 'waiting') this.#readMore(chunk)
		else {
			this.#hold(chunk)
			this.#adjustFlow()
		}
	}

	/** The client sends no more; it may still be listening (G30). */
	readonly #ended = () => {
		if (this.#phase === 'waiting' || this.#phase === 'skipping') this.#linger()
		if (this.#phase !== 'exchange' || this.#exchange === null) return
		if ((this.#body?.unread ?? 0) > 0) this.#socket.destroy()
		else this.#halfClose ??= new HalfClose(this.#socket, this.#exchange)
	}

	readonly #drained = (): void => this.#exchange?.onDrain?.()

	readonly #closed = () => {
		if (this.#phase !== 'left') {
			this.#leave()
			this.#body?.cut()
			this.#exchange?.left()
		}
		this.#deps.closed()
	}

	// ---- requests ----

	#readMore(chunk: Buffer) {
		const isNew = this.#held === null
		this.#hold(chunk)
		if (isNew) this.#expire(this.#deps.limits.headMs)
		if (isNew) this.#headAt = Date.now()
		// A head in very small pieces is not parsed again for each.
		const isWorthALook = isNew || chunk.includes(lineFeed) || (this.#held?.length ?? 0) >= this.#deps.limits.headBytes
		if (isWorthALook) this.#advance()
	}

	/** Handles requests sequentially: answered ones without recursion. */
	#advance() {
		if (this.#isAdvancing) return
		this.#isAdvancing = true
		while (this.#phase === 'waiting' && this.#held !== null && this.#readHead(this.#held));
		this.#isAdvancing = false
		this.#adjustFlow()
	}

	/** Returns whether there was a request. */
	#readHead(bytes: Buffer) {
		const parsed = parseRequestHead(bytes, 0, bytes.length, this.#deps.limits, this.#soFar)
		this.#soFar = parsed.kind === 'more' ? parsed.soFar : undefined
		if (parsed.kind === 'more') return false
		this.#phase = 'exchange'
		this.#requests += 1
		this.#held = null
		this.#room.clear()
		if (parsed.kind === 'refused') this.#deps.refuse(this.#begin(unreadable), parsed.refusal)
		else {
			if (parsed.next < bytes.length) this.#held = bytes.subarray(parsed.next)
			this.#deps.handle(this.#begin(parsed.head))
		}
		return true
	}

	#begin(head: RequestHead) {
		const tlsMs = this.#requests === 1 ? this.#deps.tlsMs : null
		this.#body = head.framing.kind === 'none' ? null : new IncomingBody(head.framing, this.#deps.limits)
		this.#exchange = new H1Exchange(this, {head, peer: this.#deps.peer, startedAt: this.#headAt, tlsMs})
		return this.#exchange
	}

	// ---- bodies ----

	#feed(chunk: Buffer) {
		const next = this.#body?.feed(chunk, 0) ?? 0
		if (next < chunk.length && this.#body?.isDone === true) this.#held = next === 0 ? chunk : chunk.subarray(next)
		if (this.#phase === 'skipping') this.#skipped()
		else this.#adjustFlow()
	}

	#feedHeld() {
		const held = this.#held
		if (held !== null && this.#body?.isFlowing === true) {
			this.#held = null
			this.#feed(held)
		} else this.#adjustFlow()
	}

	#skip() {
		this.#phase = 'skipping'
		this.#expire(this.#deps.limits.headMs)
		this.#body?.skip()
		this.#feedHeld()
	}

	#skipped() {
		if (this.#body?.isDone === true) this.#wait()
		else if (this.#body?.isOpen !== true) this.#linger()
	}

	// ---- between requests, and after the last ----

	#wait() {
		this.#phase = 'waiting'
		this.#body = null
		this.#headAt = Date.now()
		this.#expire(this.#held === null ? this.#deps.limits.keepAliveMs : this.#deps.limits.headMs)
		if (this.#isDraining && this.#held === null) return this.#linger()
		this.#advance()
	}

	/** Reads on for a while after the end: otherwise a reset could lose the answer of a client that is still sending. */
	#linger() {
		this.#phase = 'lingering'
		this.#held = null
		this.#expire(this.#deps.limits.lingerMs)
		this.output.flush()
		this.#socket.end()
		this.#adjustFlow()
	}

	#late() {
		if (this.#phase === 'waiting' && this.#held !== null) {
			this.#phase = 'exchange'
			this.#held = null
			this.#soFar = undefined
			this.#requests += 1
			this.#deps.refuse(this.#begin(unreadable), badRequest.slowHead)
		} else if (this.#phase === 'waiting') this.#linger()
		else this.destroy()
	}

	#leave() {
		this.#phase = 'left'
		this.#held = null
		this.#halfClose?.stop()
		this.#deps.ticker.remove(this)
	}

	// ----

	#hold(chunk: Buffer) {
		this.#held = this.#held === null ? chunk : this.#room.append(this.#held, chunk)
	}

	#expire(ms: number) {
		this.#deadline = this.#deps.ticker.after(ms)
	}

	#adjustFlow() {
		const isFull = (this.#held?.length ?? 0) > readAheadBytes
		const shouldPause = this.#phase === 'exchange' && (isFull || this.#body?.isHeldUp === true)
		if (shouldPause === this.#isPaused) return
		this.#isPaused = shouldPause
		if (shouldPause) this.#socket.pause()
		else this.#socket.resume()
	}
}
