/**
 * The two ends of a request. Callbacks, not streams: every byte of every transfer passes here.
 * Both ends push: whoever is told `false` by a write pauses its own source until `drain`.
 */
import type {Duplex} from 'node:stream'

import type {Fields, Peer, Refusal, RequestHead, ResponseFraming, ResponseHead} from './message-types.ts'

/** Where a request's body goes. Exactly one of `end` and `failed` is called, last. */
export interface RequestBodySink {
	data(chunk: Buffer): void
	/** `trailers`: as received, not yet filtered. */
	end(trailers: Fields): void
	/** The body broke a rule, was too slow, or the client left (`refusal: null`). */
	failed(refusal: Refusal | null): void
}

/** What is asked of a client that sends a body. */
export interface BodyPace {
	/** Bytes per second after the server's grace, 0: none. Time in which we are not reading does not count. */
	readonly minRate: number
	/** Silence, 0: none. */
	readonly idleMs: number
}

/** One request of a client. Implemented for HTTP/1 and HTTP/2; each ends with one of `end`, `abort`, or the client's leaving. */
export interface ClientExchange {
	readonly head: RequestHead
	readonly peer: Peer
	/** Unix milliseconds of the first byte of the head, and milliseconds of the TLS handshake for a connection's first request. */
	readonly startedAt: number
	readonly tlsMs: number | null
	/** Starts the flow of the body. Called at most once; without it the body is never read. */
	readBody(sink: RequestBodySink, pace: BodyPace): void
	pauseBody(): void
	resumeBody(): void
	/** `100 Continue`, when the client waits for it; at most once, else ignored. */
	sendContinue(): void
	/** An interim answer, such as 103; ignored towards HTTP/1.0. */
	sendInformation(status: number, reason: string, fields: Fields): void
	/** `fields` are final but for the framing, which is ours to write. No body follows after `none`. */
	sendHead(status: number, reason: string, fields: Fields, framing: ResponseFraming): void
	/** `false`: wait for `onDrain`. */
	sendData(chunk: Buffer): boolean
	/** As `sendData`, for bytes that are overwritten after this turn: they are used up or copied before it ends. */
	sendBorrowed?(bytes: Buffer): boolean
	sendEnd(trailers: Fields): void
	/** Before `sendHead`: the client's connection ends with this answer. */
	closeAfter?(): void
	/** The answer is cut short, and looks so: the connection is destroyed, the stream reset. */
	abort(): void
	/** The bytes of the connection, for a WebSocket; `null` where there are none (HTTP/2). */
	takeOver(): TakenOver | null
	onDrain: (() => void) | null
	/** The client left before the answer's end. Called at most once. */
	onAbort: (() => void) | null
	/** Bytes of body received and sent so far. */
	readonly received: number
	readonly sent: number
}

/** A connection that left HTTP. */
export interface TakenOver {
	readonly socket: Duplex
	/** What the client sent after its head. */
	readonly first: Buffer
}

/** What an instance answers. `head` comes once; then data; exactly one of `end`, `failed`, `switched` is last. */
export interface UpstreamSink {
	/** The answer that follows is not this request's own at the instance. Before `head`. */
	source?(source: 'stale' | 'shared'): void
	/** A connection is there, new or kept; the head is being written. `connectMs`: 0 when kept. */
	connected(connectMs: number): void
	information(status: number, reason: string, fields: Fields): void
	head(head: ResponseHead): void
	data(chunk: Buffer): void
	/** Instead of `data`, for users that need the bytes in this turn only: they are overwritten after it. */
	borrow?(bytes: Buffer): void
	end(trailers: Fields): void
	failed(failure: UpstreamFailure): void
	/** `101`: the connection leaves HTTP. */
	switched(head: ResponseHead, taken: TakenOver): void
	drain(): void
}

export interface UpstreamFailure {
	readonly refusal: Refusal
	/** Whether the whole request may be sent once more: a kept connection died before the answer's first byte. */
	readonly stale: boolean
}

/** A request on its way to an instance. */
export interface UpstreamRequest {
	/** `false`: wait for `drain`. */
	write(chunk: Buffer): boolean
	end(trailers: Fields): void
	pause(): void
	resume(): void
	/** Ends it now; the sink hears nothing more, and the connection is destroyed unless the answer had ended. */
	abort(): void
}
