import type {ClientExchange} from './exchange.ts'
import type {PipelineDependencies} from './pipeline-parts.ts'
import type {Tunnel} from './tunnel.ts'
import type {Peer} from './message-types.ts'
import type {EndedBy, RequestRecord} from './record-types.ts'

/** Collects the facts of a request's record. */
export class Recorder {
	readonly id: string
	instance: string | null = null
	reason: string | null = null
	source: RequestRecord['source'] = 'cordon'
	protocol: RequestRecord['protocol'] | null = null
	readonly #deps: PipelineDependencies
	readonly #exchange: ClientExchange
	readonly #peer: Peer
	readonly #begunAt = performance.now()
	#alias: string | null = null
	#hasEntered = false
	#status = 0
	/** The counter of its bytes. */
	#carried: {received: number; sent: number}
	#admittedAt: number | null = null
	#queuedAt: number | null = null
	#connectMs: number | null = null
	#answeredAt: number | null = null

	constructor(deps: PipelineDependencies, exchange: ClientExchange, peer: Peer, id: string) {
		this.#deps = deps
		this.#exchange = exchange
		this.#carried = exchange
		this.#peer = peer
		this.id = id
		deps.counters.began()
	}

	enter(instance: string, alias: string | null) {
		this.instance = instance
		this.#alias = alias
		this.#hasEntered = true
		this.#deps.counters.entered(instance)
	}

	admitted() {
		this.#admittedAt = performance.now()
	}

	queued() {
		this.#queuedAt ??= performance.now()
	}

	connected(connectMs: number) {
		this.#connectMs = connectMs
	}

	/** Keeps an earlier `shared` or `stale`. */
	answered(status: number, source: 'instance' | 'cordon') {
		this.#status = status
		if (source === 'cordon' || this.source === 'cordon') this.source = source
		this.#answeredAt = performance.now()
	}

	tunnelled(tunnel: Pick<Tunnel, 'received' | 'sent'>) {
		this.answered(101, 'instance')
		this.protocol = 'WebSocket'
		this.#carried = tunnel
	}

	end(endedBy: EndedBy, reason: string | null) {
		const endedAt = performance.now()
		const exchange = this.#exchange
		const {head} = exchange
		const query = head.target.indexOf('?')
		const record: RequestRecord = {
			id: this.id,
			at: exchange.startedAt,
			instance: this.instance,
			alias: this.#alias,
			protocol: this.protocol ?? `HTTP/${head.version}`,
			method: head.method,
			path: query === -1 ? head.target : head.target.slice(0, query),
			status: this.#status,
			client: this.#peer.client,
			received: this.#carried.received,
			sent: this.#carried.sent,
			endedBy,
			reason,
			source: this.source,
			phases: {
				tls: exchange.tlsMs,
				access: between(this.#begunAt, this.#admittedAt),
				queue: between(this.#admittedAt, this.#queuedAt),
				connect: this.#connectMs,
				firstByte: between(this.#queuedAt, this.#answeredAt),
				body: between(this.#answeredAt, endedAt)
			}
		}
		this.#deps.counters.ended(record, this.#hasEntered)
		this.#deps.onRequest(record)
	}
}

function between(from: number | null, to: number | null) {
	return from === null || to === null ? null : to - from
}
