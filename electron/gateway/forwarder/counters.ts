/** Counts of a running forwarding server. Plain numbers, updated by the one serving thread. */
import type {ForwarderCounters, InstanceCounters, RequestRecord} from './record-types.ts'

class OfInstance {
	running = 0
	total = 0
	failures = 0
	received = 0
	sent = 0
	lastRequest: number | null = null
	readonly classes = [0, 0, 0, 0, 0, 0]
}

export class Counters {
	readonly #startedAt = Date.now()
	readonly #upstream: (instance: string) => number
	readonly #instances = new Map<string, OfInstance>()
	#open = 0
	#accepted = 0
	#refused = 0
	#running = 0
	#total = 0

	/** `upstream`: open connections to an instance, by its name. */
	constructor(upstream: (instance: string) => number) {
		this.#upstream = upstream
	}

	accepted() {
		this.#open += 1
		this.#accepted += 1
	}

	closed() {
		this.#open -= 1
	}

	/** A refused connection. */
	refused() {
		this.#refused += 1
	}

	began() {
		this.#running += 1
	}

	/** Once its instance is known. */
	entered(instance: string) {
		this.#of(instance).running += 1
	}

	/** `hasEntered`: whether `entered` was called for it. */
	ended(record: RequestRecord, hasEntered: boolean) {
		this.#running -= 1
		this.#total += 1
		if (record.instance !== null && hasEntered) this.#add(this.#of(record.instance), record)
	}

	/** Requests without a record yet. */
	get running() {
		return this.#running
	}

	snapshot(): ForwarderCounters {
		const instances = [...this.#instances].map(([name, one]) => [name, this.#copy(name, one)] as const)
		return {
			startedAt: this.#startedAt,
			connections: {open: this.#open, accepted: this.#accepted, refused: this.#refused},
			requests: {running: this.#running, total: this.#total},
			instances: Object.fromEntries(instances)
		}
	}

	#of(instance: string) {
		const known = this.#instances.get(instance)
		if (known !== undefined) return known
		const one = new OfInstance()
		this.#instances.set(instance, one)
		return one
	}

	#add(one: OfInstance, record: RequestRecord) {
		const group = Math.floor(record.status / 100)
		one.running -= 1
		one.total += 1
		one.classes[group] = (one.classes[group] ?? 0) + 1
		if (record.endedBy === 'instance' || (group === 5 && record.source === 'cordon')) one.failures += 1
		one.received += record.received
		one.sent += record.sent
		one.lastRequest = record.at
	}

	#copy(name: string, one: OfInstance): InstanceCounters {
		const {running, total, failures, received, sent, lastRequest} = one
		const statuses = Object.fromEntries(
			one.classes.map((count, group) => [`${String(group)}xx`, count] as const).filter(([group, count]) => count > 0 && group !== '0xx')
		)
		return {running, total, statuses, failures, received, sent, upstream: this.#upstream(name), lastRequest}
	}
}
