/** What both protocols take over from a listener, and give back. */
import type {ClientExchange} from '../exchange.ts'
import type {Peer, Refusal, RequestHead} from '../message-types.ts'
import type {Ticker} from '../ticker.ts'
import type {ServerLimits} from '../types.ts'

export interface Serving {
	readonly ticker: Ticker
	readonly limits: ServerLimits
	readonly peer: Peer
	/** Milliseconds of the TLS handshake, recorded with the first request. */
	readonly tlsMs: number | null
	handle(exchange: ClientExchange): void
	/** An invalid head: answer with this refusal only. */
	refuse(exchange: ClientExchange, refusal: Refusal): void
	/** The connection has ended, for any reason. */
	closed(): void
}

export interface ServedConnection {
	/** Running requests; with HTTP/1, 0 or 1. */
	readonly running: number
	/** Running requests may end; no further one is accepted, and then the connection closes. */
	drain(): void
	/** Immediately. */
	destroy(): void
}

export interface ExchangeStart {
	readonly head: RequestHead
	readonly peer: Peer
	/** Unix milliseconds. */
	readonly startedAt: number
	readonly tlsMs: number | null
}

/** What an exchange of both protocols holds. */
export abstract class StartedExchange implements ExchangeStart {
	readonly head: RequestHead
	readonly peer: Peer
	readonly startedAt: number
	readonly tlsMs: number | null
	onDrain: (() => void) | null = null
	onAbort: (() => void) | null = null
	sent = 0

	constructor({head, peer, startedAt, tlsMs}: ExchangeStart) {
		this.head = head
		this.peer = peer
		this.startedAt = startedAt
		this.tlsMs = tlsMs
	}
}
