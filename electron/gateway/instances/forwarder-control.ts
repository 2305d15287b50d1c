/** Keeps the forwarding server as the settings say: running or not, its address and its configuration. */
import type {ForwarderCounters} from '../forwarder/record-types.ts'
import type {Credentials, ForwarderConfig, Listen} from '../forwarder/types.ts'
import type {Clock} from '#base/ports.ts'
import {same} from './changes.ts'
import type {TrafficBatch} from './collector.ts'
import type {FromForwarder} from './forwarder-messages.ts'
import {startForwarderThread, type ForwarderThread} from './forwarder-thread.ts'
import type {ServerState} from './types.ts'

export interface Wanted {
	listen: Listen
	config: ForwarderConfig
	credentials: Credentials
}

interface ControlOptions {
	clock: Clock
	onState: (state: ServerState) => void
	onTraffic: (batch: TrafficBatch) => void
	/** `undefined`: it no longer runs. */
	onCounters: (counters: ForwarderCounters | undefined) => void
	onTrouble: (message: string, error?: unknown) => void
	/** Default: a real one. */
	startThread?: typeof startForwarderThread | undefined
}

/** Pauses before a dead thread or a failed listener is restarted. */
const pauseMs = {first: 1000, last: 30_000}

export class ForwarderControl {
	readonly #options: ControlOptions
	readonly #ended = new AbortController()
	#state: ServerState = {...off, connections: 0}
	/** Without {@link #lag}. */
	#own: Omit<ServerState, 'connections'> = off
	/** What of it is older, and why, in a sentence. */
	#lag: string | null = null
	#thread: ForwarderThread | undefined
	#wanted: Wanted | undefined
	/** The last message to the thread, for sending only changes. */
	#told: Wanted | undefined
	#leaving: Promise<unknown> = Promise.resolve()
	#pauseMs: number = pauseMs.first

	constructor(options: ControlOptions) {
		this.#options = options
	}

	state() {
		return this.#state
	}

	/** `undefined`: stop. Applies to new requests at once. `lag`: what could not be had for it, in a sentence. */
	want(wanted: Wanted | undefined, lag: string | null = null) {
		if (this.#ended.signal.aborted) return
		this.#lag = lag
		if (wanted === undefined) return this.#end(idleDrainMs, off)
		this.#wanted = wanted
		this.#tell()
		this.#setState(this.#own)
	}

	/** Why it cannot be told anew, in a sentence: one that runs goes on as it is. */
	fail(problem: string) {
		if (this.#wanted === undefined) this.#end(idleDrainMs, {state: 'failed', problem, listen: null})
		else this.want(this.#wanted, `It runs with its earlier settings: ${problem}`)
	}

	/** Of the one that is to run. */
	credentials() {
		return this.#wanted?.credentials
	}

	async stop(drainMs: number) {
		this.#ended.abort()
		this.#end(drainMs, off)
		await this.#leaving
	}

	#tell() {
		if (this.#wanted === undefined) return
		this.#thread ??= this.#launch()
		const {listen, config, credentials} = this.#wanted
		if (this.#told === undefined || !same(this.#told.listen, listen)) {
			this.#setState({state: 'starting', problem: this.#own.problem, listen: null})
			this.#thread.send({kind: 'serve', listen, config, credentials})
		} else {
			if (!same(this.#told.config, config)) this.#thread.send({kind: 'config', config})
			if (!same(this.#told.credentials, credentials)) this.#thread.send({kind: 'credentials', credentials})
		}
		this.#told = this.#wanted
	}

	#launch() {
		const start = this.#options.startThread ?? startForwarderThread
		const made = start({
			onMessage: message => this.#thread === made && this.#hear(message),
			onDeath: error => this.#thread === made && this.#died(error)
		})
		return made
	}

	#hear(message: FromForwarder) {
		const {onTraffic, onCounters, onTrouble} = this.#options
		switch (message.kind) {
			case 'listening':
				this.#pauseMs = pauseMs.first
				return this.#setState({state: 'running', problem: message.problem, listen: message.listen})
			case 'failed':
				this.#setState({state: 'failed', problem: message.problem, listen: null})
				return void this.#tryAgain()
			case 'traffic':
				return onTraffic(message.batch)
			case 'counters':
				this.#state = {...this.#state, connections: message.counters.connections.open}
				return onCounters(message.counters)
			case 'trouble':
				return onTrouble(message.message, message.error ?? undefined)
			case 'closed':
		}
	}

	#died(error: unknown) {
		const {onCounters, onTrouble} = this.#options
		this.#thread = undefined
		this.#told = undefined
		onCounters(undefined)
		onTrouble('The thread of the forwarding server ended; it is started again.', error)
		const problem = 'The forwarding server ended unexpectedly; it is started again.'
		this.#setState({state: 'failed', problem, listen: null})
		void this.#tryAgain()
	}

	async #tryAgain() {
		const ms = this.#pauseMs
		this.#pauseMs = Math.min(ms * 2, pauseMs.last)
		await this.#options.clock.sleep(ms, this.#ended.signal).catch(() => {})
		if (this.#ended.signal.aborted || this.#state.state !== 'failed') return
		this.#told = undefined
		this.#tell()
	}

	#end(drainMs: number, next: Omit<ServerState, 'connections'>) {
		const old = this.#thread
		this.#thread = undefined
		this.#told = undefined
		this.#wanted = undefined
		if (old !== undefined) {
			this.#leaving = Promise.all([this.#leaving, old.stop(drainMs)])
			this.#options.onCounters(undefined)
		}
		this.#setState(next)
	}

	#setState(next: Omit<ServerState, 'connections'>) {
		this.#own = next
		const isRunning = next.state === 'running'
		const lag = isRunning ? this.#lag : null
		const problem = [next.problem, lag].filter(text => text !== null).join(' ') || null
		const state = {...next, problem, connections: isRunning ? this.#state.connections : 0}
		const isNews = !same(state, this.#state)
		this.#state = state
		if (isNews) this.#options.onState(state)
	}
}

const off = {state: 'off', problem: null, listen: null} as const

/** When disabled: time for running requests. */
const idleDrainMs = 10_000
