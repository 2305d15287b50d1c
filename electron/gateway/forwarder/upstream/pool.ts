/** Kept connections to instances. The newest is used first, so that the others can time out. */
import type {UpstreamRequest, UpstreamSink} from '../exchange.ts'
import type {Batch} from '../batch.ts'
import type {Ticked, Ticker} from '../ticker.ts'
import {Call} from './call.ts'
import {UpstreamConnection, type Connections, type Need} from './connection.ts'
import type {UpstreamPlan, UpstreamTarget} from './plan.ts'

const mostKept = 256
/** Shorter than what servers commonly keep (5 s is Node's). */
const defaultKeepMs = 4000
const youngMs = 1000
const bufferBytes = 128 * 1024

export class Pool implements Connections, Ticked {
	readonly ticker: Ticker
	readonly #batch: Batch
	readonly #kept = new Map<string, UpstreamConnection[]>()
	readonly #all = new Set<UpstreamConnection>()
	readonly #counts = new Map<string, number>()
	readonly #shared = Buffer.allocUnsafeSlow(bufferBytes)
	#isStopped = false

	constructor(ticker: Ticker, batch: Batch) {
		this.ticker = ticker
		this.#batch = batch
		ticker.add(this)
	}

	/** Sends the head at once; the body follows through the result. Only `connected` can be called before it returns. */
	send(target: UpstreamTarget, plan: UpstreamPlan, sink: UpstreamSink): UpstreamRequest {
		return new Call(this, target, plan, sink)
	}

	/** Open connections to an instance. */
	open(id: string) {
		return this.#counts.get(id) ?? 0
	}

	acquire(target: UpstreamTarget, need: Need) {
		const kept = need === 'any' || need === 'young' ? this.#take(target.key, need === 'young') : undefined
		return kept ?? this.#open(target, need === 'plain')
	}

	keep(connection: UpstreamConnection, keepMs: number) {
		connection.detach()
		const kept = this.#kept.get(connection.key) ?? []
		if (this.#isStopped || kept.length >= mostKept || !connection.isAlive) return connection.destroy()
		connection.uses += 1
		connection.idleSince = this.ticker.now
		connection.idleUntil = this.ticker.now + (keepMs > 0 ? keepMs : defaultKeepMs)
		kept.push(connection)
		this.#kept.set(connection.key, kept)
	}

	tick(now: number) {
		for (const connection of this.#all) connection.tick(now)
		for (const [key, kept] of this.#kept) {
			for (const old of kept.filter(connection => connection.idleUntil <= now)) old.destroy()
			const left = kept.filter(connection => connection.idleUntil > now)
			if (left.length === 0) this.#kept.delete(key)
			else if (left.length < kept.length) this.#kept.set(key, left)
		}
	}

	stop() {
		this.#isStopped = true
		this.ticker.remove(this)
		this.#kept.clear()
		for (const connection of this.#all) connection.destroy()
	}

	#take(key: string, isYoung: boolean) {
		const kept = this.#kept.get(key)
		for (let found = kept?.pop(); found !== undefined; found = kept?.pop()) {
			if (found.isAlive && isYoung && found.idleSince + youngMs < this.ticker.now) {
				kept?.push(found)
				return undefined
			}
			if (found.isAlive && found.idleUntil > this.ticker.now) return found
			found.destroy()
		}
		return undefined
	}

	#open(target: UpstreamTarget, isPlain: boolean) {
		const connection = new UpstreamConnection(target, isPlain ? null : this.#shared, this.#batch, closed => {
			this.#all.delete(closed)
			this.#count(target.id, -1)
			this.#forget(closed)
		})
		this.#all.add(connection)
		this.#count(target.id, 1)
		return connection
	}

	#forget(connection: UpstreamConnection) {
		const kept = this.#kept.get(connection.key)
		const at = kept?.indexOf(connection) ?? -1
		if (at !== -1) kept?.splice(at, 1)
	}

	#count(id: string, by: number) {
		const count = this.open(id) + by
		if (count === 0) this.#counts.delete(id)
		else this.#counts.set(id, count)
	}
}
