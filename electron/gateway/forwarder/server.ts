/** The forwarding server: who may connect, what is served, and how it stops. */
import {randomBytes} from 'node:crypto'
import {createServer, type Server, type Socket} from 'node:net'
import type {TLSSocket} from 'node:tls'

import {createAccess} from './access/access.ts'
import {addressGroup, clientAddress, isAllowed, isLoopback, plainAddress} from './access/addresses.ts'
import {Batch} from './batch.ts'
import {type Answers, createAnswers} from './cache/answers.ts'
import {Counters} from './counters.ts'
import type {ClientExchange} from './exchange.ts'
import {acceptHttp1} from './front/h1-connection.ts'
import {acceptHttp2} from './front/h2.ts'
import type {Peer, Refusal} from './message-types.ts'
import type {PipelineDependencies, Rules} from './pipeline-parts.ts'
import {Passage} from './pipeline-passage.ts'
import {createPlaces} from './rate/places.ts'
import {createRateLimit} from './rate/rate-limit.ts'
import type {ForwarderCounters} from './record-types.ts'
import {compileRules} from './rules.ts'
import {createTlsDoor, type TlsDoor} from './server-tls.ts'
import {startTicker, type Ticker} from './ticker.ts'
import {clientCertificateOf} from './tls/client-certificate.ts'
import type {Credentials, Forwarder, ForwarderConfig, ForwarderOptions, ServerLimits} from './types.ts'
import {Pool} from './upstream/pool.ts'

/** Limits connections, in total and from one address. */
class Doors {
	#open = 0
	readonly #byAddress = new Map<string, number>()

	/** `null`: full. Else a function to call once when the connection has closed. */
	enter(address: string, {limits, trustedProxies}: ForwarderConfig) {
		if (this.#open >= limits.connections) return null
		// Loopback is one address for all programs of this computer, and a proxy's for all of its clients.
		const isShared = isLoopback(address) || (trustedProxies.length > 0 && isAllowed(trustedProxies, address))
		const group = isShared ? null : addressGroup(address)
		if (group !== null && (this.#byAddress.get(group) ?? 0) >= limits.connectionsPerAddress) return null
		this.#open += 1
		if (group !== null) this.#count(group, 1)
		return () => {
			this.#open -= 1
			if (group !== null) this.#count(group, -1)
		}
	}

	#count(group: string, by: number) {
		const count = (this.#byAddress.get(group) ?? 0) + by
		if (count === 0) this.#byAddress.delete(group)
		else this.#byAddress.set(group, count)
	}
}

/** Rejects when it cannot listen. */
export async function startForwarder(options: ForwarderOptions): Promise<Forwarder> {
	const server = new ForwarderServer(options)
	await server.listening()
	return server
}

/** A connection with HTTP of any version. */
interface Served {
	running: number
	drain(): void
	destroy(): void
}

interface Guest {
	raw: Socket
	acceptedAt: number
	address: string
	/** `null` until the handshake is done. */
	served: Served | null
}

class ForwarderServer implements Forwarder {
	readonly #options: ForwarderOptions
	readonly #server: Server
	readonly #tls: TlsDoor
	readonly #ticker: Ticker
	readonly #batch = new Batch()
	readonly #pool: Pool
	readonly #answers: Answers
	readonly #counters: Counters
	readonly #pipeline: Pipeline
	readonly #doors = new Doors()
	readonly #guests = new Map<string, Guest>()
	#rules: Rules
	#isDraining = false
	#isCutting = false
	#stopped: Promise<void> | null = null
	#emptied: (() => void) | null = null

	constructor(options: ForwarderOptions) {
		this.#options = options
		this.#rules = compileRules(options.config)
		this.#ticker = options.ticker ?? startTicker(shortLimits(options.config.limits))
		this.#pool = new Pool(this.#ticker, this.#batch)
		this.#answers = createAnswers(this.#ticker, monotonic)
		this.#counters = new Counters(name => this.#upstreamOf(name))
		this.#pipeline = this.#createPipeline()
		this.#tls = createTlsDoor(options.credentials, options.config, this.#ticker, socket => this.#secured(socket))
		this.#server = createServer({allowHalfOpen: true, noDelay: true}, socket => this.#accept(socket))
	}

	async listening() {
		const {host, port} = this.#options.listen
		try {
			await new Promise<void>((resolve, reject) => {
				this.#server.once('error', reject).listen({host, port, backlog: 1024}, resolve)
			})
		} catch (error) {
			this.#release()
			throw error
		}
		this.#server.removeAllListeners('error').on('error', error => this.#trouble('The listener failed.', error))
	}

	get listen() {
		const bound = this.#server.address()
		if (bound === null || typeof bound === 'string') return this.#options.listen
		return {host: bound.address, port: bound.port}
	}

	reload(config: ForwarderConfig) {
		this.#rules = compileRules(config)
		this.#tls.configure(config)
		this.#answers.retain(new Set(config.instances.map(({origin}) => origin)))
	}

	setCredentials(credentials: Credentials) {
		this.#tls.setCredentials(credentials)
	}

	counters(): ForwarderCounters {
		return this.#counters.snapshot()
	}

	stop(drainMs: number) {
		this.#stopped ??= this.#stop(drainMs)
		return this.#stopped
	}

	// ---- connections ----

	#accept(raw: Socket) {
		raw.on('error', () => {}) // `close` follows
		const address = plainAddress(raw.remoteAddress ?? '') ?? ''
		const leave = address === '' || this.#isDraining ? null : this.#doors.enter(address, this.#rules.config)
		if (leave === null) {
			this.#counters.refused()
			raw.destroy()
			return
		}
		const key = keyOf(raw)
		const guest: Guest = {raw, acceptedAt: performance.now(), address, served: null}
		this.#guests.set(key, guest)
		this.#counters.accepted()
		raw.on('close', () => {
			leave()
			if (this.#guests.get(key) === guest) this.#guests.delete(key)
			this.#counters.closed()
			this.#left()
		})
		this.#tls.shake(raw)
	}

	#secured(socket: TLSSocket) {
		socket.on('error', () => {}) // `close` follows
		const guest = this.#guests.get(keyOf(socket))
		if (guest === undefined || this.#isDraining) {
			socket.destroy()
			return
		}
		const {limits} = this.#rules.config
		const common = {
			ticker: this.#ticker,
			batch: this.#batch,
			limits,
			peer: peerOf(socket, guest.address),
			tlsMs: performance.now() - guest.acceptedAt,
			handle: this.#pipeline.handle,
			refuse: this.#pipeline.refuse,
			closed: () => {}
		}
		guest.served = socket.alpnProtocol === 'h2' ? acceptHttp2(socket, {...common, graceMs: limits.bodyGraceMs}) : acceptHttp1(socket, common)
	}

	// ---- shutdown ----

	async #stop(drainMs: number) {
		this.#isDraining = true
		const closed = new Promise<void>(resolve => this.#server.close(() => resolve()))
		for (const {raw, served} of this.#guests.values()) {
			if (served === null) raw.destroy()
			else served.drain()
		}
		await this.#empty(drainMs)
		this.#isCutting = true
		for (const {raw, served} of this.#guests.values()) {
			served?.destroy()
			raw.destroy()
		}
		// Cut requests are recorded too, when the sockets close.
		await this.#empty(closingMs)
		this.#release()
		await closed
	}

	/** Resolves when every connection is closed and every request recorded, or time is up. */
	async #empty(ms: number) {
		if (this.#isEmpty) return
		await new Promise<void>(resolve => {
			const timer = setTimeout(resolve, ms)
			this.#emptied = () => {
				clearTimeout(timer)
				resolve()
			}
		})
	}

	get #isEmpty() {
		return this.#guests.size === 0 && this.#counters.running === 0
	}

	/** A connection closed, or a request was recorded, including a WebSocket whose instance side has closed. */
	#left() {
		if (this.#isEmpty) this.#emptied?.()
	}

	#release() {
		this.#tls.stop()
		this.#pool.stop()
		this.#ticker.stop()
	}

	// ----

	#createPipeline(): Pipeline {
		return createPipeline({
			ticker: this.#ticker,
			pool: this.#pool,
			access: createAccess({now: Date.now, monotonic, random: randomBytes}),
			rate: createRateLimit(monotonic),
			places: createPlaces(),
			answers: this.#answers,
			counters: this.#counters,
			rules: () => this.#rules,
			isDraining: () => this.#isDraining,
			isCutting: () => this.#isCutting,
			onRequest: record => {
				this.#options.onRequest?.(record)
				this.#left()
			},
			onTrouble: error => this.#trouble('A request could not be handled.', error)
		})
	}

	#upstreamOf(name: string) {
		const instance = this.#rules.config.instances.find(one => one.name === name)
		return instance === undefined ? 0 : this.#pool.open(instance.id)
	}

	#trouble(message: string, error: unknown) {
		this.#options.onTrouble?.(message, error)
	}
}

const closingMs = 1000

const monotonic = () => performance.now()

function shortLimits({headMs, handshakeMs, keepAliveMs, bodyGraceMs, stallMs, lingerMs}: ServerLimits) {
	return [headMs, handshakeMs, keepAliveMs, bodyGraceMs, stallMs, lingerMs]
}

/* The peer of a connection. */

/** The same for a socket and for the TLS that runs over it. */
function keyOf(socket: Socket) {
	return `${socket.remoteAddress ?? ''} ${String(socket.remotePort ?? 0)}`
}

/** `address`: as `plainAddress` gives it. */
function peerOf(socket: TLSSocket, address: string): Peer {
	return {
		address,
		port: socket.remotePort ?? 0,
		client: address,
		localPort: socket.localPort ?? 0,
		localAddress: plainAddress(socket.localAddress ?? '') ?? undefined,
		certificate: clientCertificateOf(socket)
	}
}

/** The request pipeline: which checks run in which order, and who answers (route description, 6.3). */
type Pipeline = ReturnType<typeof createPipeline>

function createPipeline(deps: PipelineDependencies) {
	return {
		handle: (exchange: ClientExchange) => begin(deps, exchange).decide(),
		/** An invalid head. */
		refuse: (exchange: ClientExchange, refusal: Refusal) => begin(deps, exchange).refuse(refusal)
	}
}

function begin(deps: PipelineDependencies, exchange: ClientExchange) {
	const rules = deps.rules()
	const {peer, head} = exchange
	const {trustedProxies} = rules.config
	const client = trustedProxies.length === 0 ? peer.client : clientAddress(peer.address, head.fields, trustedProxies)
	return new Passage(deps, rules, exchange, client === peer.client ? peer : {...peer, client})
}
