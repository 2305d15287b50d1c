/**
 * The two ends of a request. Callbacks, not streams: every byte of every transfer passes here. Both ends push: after a write that
 * returns `false`, pause the source until `drain`.
 */
import type {Duplex} from 'node:stream'

import type {Fields, Peer, Refusal, RequestHead, ResponseFraming, ResponseHead} from './message-types.ts'

/** Target of a request's body. Exactly one of `end` and `failed` is called, last. */
export interface RequestBodySink {
	data(chunk: Buffer): void
	/** `trailers`: as received, not yet filtered. */
	end(trailers: Fields): void
	/** The body broke a rule, was too slow, or the client left (`refusal: null`). */
	failed(refusal: Refusal | null): void
}

/** Required speed of a client's body. */
export interface BodyPace {
	/** Bytes per second after the server's grace, 0: none. Paused time does not count. */
	readonly minRate: number
	/** Maximum silence, 0: none. */
	readonly idleMs: number
}

/** One request of a client, over HTTP/1 or HTTP/2; each ends with `end`, `abort`, or the client's leaving. */
export interface ClientExchange {
	readonly head: RequestHead
	readonly peer: Peer
	/** Unix milliseconds of the first byte of the head, and milliseconds of the TLS handshake for a connection's first request. */
	readonly startedAt: number
	readonly tlsMs: number | null
	/** Starts reading the body. Called at most once; otherwise the body is never read. */
	readBody(sink: RequestBodySink, pace: BodyPace): void
	pauseBody(): void
	resumeBody(): void
	/** `100 Continue`, if the client waits for it; at most once, else ignored. */
	sendContinue(): void
	/** An interim answer, such as 103; ignored towards HTTP/1.0. */
	sendInformation(status: number, reason: string, fields: Fields): void
	/** `fields` are final except for the framing, which is written here. No body follows after `none`. */
	sendHead(status: number, reason: string, fields: Fields, framing: ResponseFraming): void
	/** `false`: wait for `onDrain`. */
	sendData(chunk: Buffer): boolean
	/** As `sendData`, for bytes that are overwritten after this turn: they are sent or copied before it ends. */
	sendBorrowed?(bytes: Buffer): boolean
	sendEnd(trailers: Fields): void
	/** Before `sendHead`: the client's connection ends after this answer. */
	closeAfter?(): void
	/** Truncates the answer visibly: the connection is destroyed, the stream reset. */
	abort(): void
	/** The raw connection, for a WebSocket; `null` on HTTP/2. */
	takeOver(): TakenOver | null
	onDrain: (() => void) | null
	/** The client left before the end of the answer. Called at most once. */
	onAbort: (() => void) | null
	/** Body bytes received and sent so far. */
	readonly received: number
	readonly sent: number
}

/** A connection that left HTTP. */
export interface TakenOver {
	readonly socket: Duplex
	/** Bytes that the client sent after its head. */
	readonly first: Buffer
}

/** An instance's answer. `head` comes once; then data; exactly one of `end`, `failed`, `switched` is last. */
export interface UpstreamSink {
	/** The answer is not this request's own at the instance. Before `head`. */
	source?(source: 'stale' | 'shared'): void
	/** A connection is open, new or kept; the head is being written. `connectMs`: 0 when kept. */
	connected(connectMs: number): void
	information(status: number, reason: string, fields: Fields): void
	head(head: ResponseHead): void
	data(chunk: Buffer): void
	/** Instead of `data`, for consumers that need the bytes only in this turn: they are overwritten after it. */
	borrow?(bytes: Buffer): void
	end(trailers: Fields): void
	failed(failure: UpstreamFailure): void
	/** `101`: the connection leaves HTTP. */
	switched(head: ResponseHead, taken: TakenOver): void
	drain(): void
}

export interface UpstreamFailure {
	readonly refusal: Refusal
	/** Whether the whole request may be repeated: a kept connection died before the answer's first byte. */
	readonly stale: boolean
}

/** A request on its way to an instance. */
export interface UpstreamRequest {
	/** `false`: wait for `drain`. */
	write(chunk: Buffer): boolean
	end(trailers: Fields): void
	pause(): void
	resume(): void
	/** Ends it now; the sink gets no more calls, and the connection is destroyed unless the answer had ended. */
	abort(): void
}
