import {once} from 'node:events'
import http from 'node:http'
import https from 'node:https'
import type {Duplex} from 'node:stream'

import type {Proxy} from './proxy.ts'
import {TransportError} from './transport-errors.ts'
import {createTrust, type ReadSystemCa, type Trusted} from './trust.ts'
import {openTunnel} from './tunnel.ts'

interface AgentOptions {
	server: URL
	insecure: boolean
	extraCa: readonly string[]
	systemCa: ReadSystemCa
	proxy: Proxy | null
	connectMs: number
}

/** Two ways to one server. Whoever makes them destroys them. */
export type Agents = ReturnType<typeof makeAgents>

/** The agents hand out a connection only once it is ready, encryption included, or fail within `connectMs`. */
export function makeAgents(options: AgentOptions) {
	const stopping = new AbortController()
	const trust = createTrust(options.systemCa, options.extraCa)
	const kept = agentOf(options, true, stopping.signal, trust)
	const fresh = agentOf(options, false, stopping.signal, trust)
	const destroy = () => {
		stopping.abort()
		kept.destroy()
		fresh.destroy()
	}
	return {
		/** For reading: connections are kept and used again. */
		kept,
		/**
		 * For changes: each has its own connection. A kept one may have died unnoticed, leaving the outcome unknown.
		 */
		fresh,
		destroy
	}
}

/** Connections that were not used for so long are closed: after a while something on the way forgets them silently. */
const idleMs = 30_000

type Callback = (error: Error | null, stream: Duplex) => void

function agentOf(options: AgentOptions, keepAlive: boolean, stopping: AbortSignal, trust: Trust) {
	if (options.server.protocol === 'http:') return new PatientHttpAgent(options, keepAlive, stopping)
	return new PatientTlsAgent(options, keepAlive, stopping, trust)
}

class PatientHttpAgent extends http.Agent {
	readonly #options: AgentOptions
	readonly #stopping: AbortSignal

	constructor(options: AgentOptions, keepAlive: boolean, stopping: AbortSignal) {
		super({keepAlive, timeout: idleMs})
		this.#options = options
		this.#stopping = stopping
	}

	override createConnection(target: http.ClientRequestArgs, callback?: Callback): undefined {
		const open = (signal: AbortSignal) => ready(asDuplex(super.createConnection(target)), 'connect', signal)
		void deliver(within(this.#options, this.#stopping, open), callback)
	}
}

class PatientTlsAgent extends https.Agent {
	readonly #options: AgentOptions
	readonly #stopping: AbortSignal
	readonly #trust: Trust

	constructor(options: AgentOptions, keepAlive: boolean, stopping: AbortSignal, trust: Trust) {
		super({keepAlive, timeout: idleMs, rejectUnauthorized: !options.insecure})
		this.#options = options
		this.#stopping = stopping
		this.#trust = trust
	}

	override createConnection(target: https.RequestOptions, callback?: Callback): undefined {
		const open = (signal: AbortSignal) => this.#trust.with(trusted => this.#shakeHands(target, signal, trusted))
		void deliver(within(this.#options, this.#stopping, open), callback)
	}

	async #shakeHands(target: https.RequestOptions, signal: AbortSignal, trusted: Trusted) {
		const {proxy, server} = this.#options
		const through = proxy === null ? {} : {socket: await openTunnel(proxy, server, signal, trusted)}
		return ready(asDuplex(super.createConnection({...target, ...through, ...trusted})), 'secureConnect', signal)
	}
}

type Trust = ReturnType<typeof createTrust>

async function within<T>(options: AgentOptions, stopping: AbortSignal, open: (signal: AbortSignal) => Promise<T>) {
	const late = new AbortController()
	const seconds = options.connectMs / 1000
	const reason = new TransportError('connect_timeout', `No connection to ${options.server.host} within ${seconds} seconds.`)
	const timer = setTimeout(() => late.abort(reason), options.connectMs)
	try {
		return await open(AbortSignal.any([late.signal, stopping]))
	} catch (error) {
		throw late.signal.aborted ? reason : error
	} finally {
		clearTimeout(timer)
	}
}

/** Resolves with the socket once it is; one that fails, or is not wanted any more, is destroyed. */
export async function ready<S extends Duplex>(socket: S, event: string, signal: AbortSignal) {
	try {
		await once(socket, event, {signal})
		return socket
	} catch (error) {
		// Errors that follow the first one have nobody left to tell.
		socket.on('error', () => {})
		socket.destroy()
		throw error
	}
}

async function deliver(opening: Promise<Duplex>, callback: Callback | undefined) {
	const [result] = await Promise.allSettled([opening])
	if (result.status === 'fulfilled') return callback?.(null, result.value)
	const reason: unknown = result.reason
	// Node's type wants a stream beside the error, and Node does not look at it.
	return callback?.(reason instanceof Error ? reason : new Error(String(reason)), undefined as unknown as Duplex)
}

function asDuplex(socket: Duplex | null | undefined) {
	if (socket === null || socket === undefined) throw new Error('Node opened no socket.')
	return socket
}
