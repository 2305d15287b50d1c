/** A WebSocket after its handshake: raw bytes both ways, and both halves end together. */
import type {Duplex} from 'node:stream'

import type {ClientExchange, TakenOver} from './exchange.ts'
import {writeResponseHead} from './http1/write.ts'
import type {Ticked, Ticker} from './ticker.ts'
import type {Fields, Refusal, ResponseHead} from './message-types.ts'
import type {EndedBy} from './record-types.ts'
import {switchProblem, upgradeFields} from './upgrade.ts'

export interface TunnelEnd {
	readonly endedBy: EndedBy
	/** `null` on a clean close. */
	readonly reason: string | null
}

interface TunnelOptions {
	client: TakenOver
	instance: TakenOver
	/** Sent to the client first: the complete head of the `101`, Latin-1. */
	head: string
	/** Maximum silence in both directions, 0: none. */
	idleMs: number
	ticker: Ticker
	/** Called once, when both halves have closed. */
	onEnd(end: TunnelEnd): void
}

interface SwitchOptions extends Pick<TunnelOptions, 'idleMs' | 'ticker' | 'onEnd'> {
	exchange: ClientExchange
	/** The instance's `101`, and its fields for the client: `Connection` and `Upgrade` are added here. */
	answer: ResponseHead
	fields: Fields
	instance: TakenOver
}

/** Connects client and instance after a valid `101`. A refusal: it is invalid, and the instance's side is closed. */
export function openTunnel({exchange, answer, fields, instance, idleMs, ticker, onEnd}: SwitchOptions): Tunnel | Refusal {
	const problem = switchProblem(exchange.head, answer)
	const head = problem === null ? writeResponseHead(101, answer.reason, [...fields, ...upgradeFields]) : ''
	const client = problem === null ? exchange.takeOver() : null
	if (client !== null) return new Tunnel({client, instance, head, idleMs, ticker, onEnd})
	instance.socket.destroy()
	return problem ?? {status: 502, reason: 'no_tunnel', detail: 'A WebSocket needs HTTP/1.1.', close: false}
}

/** How long the second half may stay open without data after the first one ended. */
const halfOpenMs = 10_000

type Side = 'client' | 'instance'

export class Tunnel implements Ticked {
	/** Bytes from the client, and to it, without the handshake. */
	received = 0
	sent = 0
	readonly #options: TunnelOptions
	readonly #client: Duplex
	readonly #instance: Duplex
	#deadline: number
	#ends = 0
	#closed = 0
	#first: TunnelEnd | null = null

	constructor(options: TunnelOptions) {
		this.#options = options
		this.#client = options.client.socket
		this.#instance = options.instance.socket
		this.#deadline = options.ticker.after(options.idleMs)
		this.#client.write(options.head, 'latin1')
		this.#join('client', this.#client, this.#instance)
		this.#join('instance', this.#instance, this.#client)
		this.#carry('client', this.#instance, options.client.first)
		this.#carry('instance', this.#client, options.instance.first)
		options.ticker.add(this)
		this.#client.resume()
		this.#instance.resume()
	}

	/** Immediately; `onEnd` reports `cordon`. */
	destroy(reason: string) {
		this.#end({endedBy: 'cordon', reason})
	}

	tick(now: number) {
		if (now >= this.#deadline) this.destroy(this.#ends > 0 ? 'half_open' : 'idle')
	}

	#join(side: Side, from: Duplex, to: Duplex) {
		// One side may still send after the other has ended: only the FIN is forwarded.
		from.allowHalfOpen = true
		from.on('data', (chunk: Buffer) => {
			if (!this.#carry(side, to, chunk)) from.pause()
		})
		to.on('drain', () => from.resume())
		from.on('end', () => this.#finish(side, to))
		from.on('error', () => this.#end({endedBy: side, reason: 'connection_lost'}))
		from.on('close', () => this.#gone(side))
		// It may have closed since its `101`.
		if (from.destroyed) this.#gone(side)
	}

	/** `false`: the other side is slower. Data for a closed side is dropped. */
	#carry(side: Side, to: Duplex, chunk: Buffer) {
		if (chunk.length === 0 || !to.writable) return true
		if (side === 'client') this.received += chunk.length
		else this.sent += chunk.length
		this.#touch()
		return to.write(chunk)
	}

	#touch() {
		const {ticker, idleMs} = this.#options
		this.#deadline = ticker.after(this.#ends > 0 ? halfOpenMs : idleMs)
	}

	#finish(side: Side, to: Duplex) {
		this.#first ??= {endedBy: side, reason: null}
		this.#ends += 1
		this.#touch()
		to.end()
	}

	#gone(side: Side) {
		// A close without an end is a lost connection.
		this.#first ??= {endedBy: side, reason: 'connection_lost'}
		const other = side === 'client' ? this.#instance : this.#client
		// Pending data of a half that ended cleanly is still sent.
		if (other.writableEnded && !other.writableFinished && !other.destroyed) other.once('finish', () => other.destroy())
		else other.destroy()
		this.#closed += 1
		if (this.#closed < 2) return
		this.#options.ticker.remove(this)
		this.#options.onEnd(this.#first)
	}

	#end(end: TunnelEnd) {
		this.#first ??= end
		this.#client.destroy()
		this.#instance.destroy()
	}
}
