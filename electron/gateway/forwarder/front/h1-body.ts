/** The body of one request on an HTTP/1 connection, as it comes in. */
import type {BodyPace, RequestBodySink} from '../exchange.ts'
import {createBodyReader} from '../http1/body.ts'
import {badRequest} from '../refusals.ts'
import type {BodyLimits, BodyReader, RequestFraming} from '../message-types.ts'
import {Pace} from './h1-pace.ts'

export class IncomingBody {
	readonly #framing: RequestFraming
	readonly #reader: BodyReader
	#sink: RequestBodySink | null = null
	#pace: Pace | null = null
	/** Whether its bytes are consumed: by a reader, or dropped on purpose. */
	#isTaken = false
	#isPaused = false

	constructor(framing: RequestFraming, limits: BodyLimits) {
		this.#framing = framing
		this.#reader = createBodyReader(framing, limits, 'request', {
			data: slice => this.#sink?.data(slice),
			end: trailers => this.#sink?.end(trailers),
			failed: refusal => this.#sink?.failed(refusal)
		})
	}

	get received() {
		return this.#reader.received
	}

	get isDone() {
		return this.#reader.state === 'done'
	}

	get isOpen() {
		return this.#reader.state === 'open'
	}

	/** Whether bytes that come now can be fed. */
	get isFlowing() {
		return this.#isTaken && !this.#isPaused && this.isOpen
	}

	/** The consumer has paused. */
	get isHeldUp() {
		return this.#isPaused && this.isOpen
	}

	/** Bytes still to come, `Infinity` if unknown. */
	get unread() {
		if (this.isDone) return 0
		return this.#framing.kind === 'length' && this.isOpen ? this.#framing.length - this.received : Infinity
	}

	take(sink: RequestBodySink, pace: BodyPace, graceMs: number, now: number) {
		this.#isTaken = true
		this.#sink = sink
		this.#pace = new Pace(pace, graceMs, now)
		if (this.isDone) sink.end([])
	}

	/** Drops the rest. */
	skip() {
		this.#isTaken = true
		this.#isPaused = false
		this.#sink = null
		this.#pace = null
	}

	/** Returns the index of the first byte after the body. */
	feed(bytes: Buffer, from: number) {
		return this.#reader.push(bytes, from)
	}

	pause(isPaused: boolean) {
		this.#isPaused = isPaused
	}

	/** The client left halfway. */
	cut() {
		if (!this.isOpen) return
		this.#reader.stop()
		this.#sink?.failed(null)
	}

	tick(now: number) {
		if (!this.isOpen || this.#pace?.isTooSlow(now, this.received, !this.#isPaused) !== true) return
		this.#reader.stop()
		this.#sink?.failed(badRequest.slowBody)
	}
}

const none = Buffer.alloc(0)

/** A buffer that grows by doubling: single bytes are not copied anew each time. */
export class Room {
	#memory: Buffer = none

	/** `held` and `chunk` in one; `held` is used up. */
	append(held: Buffer, chunk: Buffer) {
		const length = held.length + chunk.length
		const isOurs = held.buffer === this.#memory.buffer && held.byteOffset === this.#memory.byteOffset
		if (!isOurs || length > this.#memory.length) {
			this.#memory = Buffer.allocUnsafeSlow(Math.max(1024, length * 2))
			held.copy(this.#memory)
		}
		chunk.copy(this.#memory, held.length)
		return this.#memory.subarray(0, length)
	}

	/** The content is being sent. */
	clear() {
		this.#memory = none
	}
}
