/**
 * Small messages are written together: one round of the event loop reads from many connections, and peers woken by the first
 * write are still awake for the following ones at the end of the round.
 */

export interface Flushable {
	/** Writes everything it holds. Must not throw. */
	flush(): void
}

export class Batch {
	#waiting: Flushable[] = []

	/** `flush` is called when this round has read everything available. Repeated calls are harmless. */
	add(one: Flushable) {
		if (this.#waiting.push(one) === 1) setImmediate(this.#run)
	}

	readonly #run = () => {
		const all = this.#waiting
		this.#waiting = []
		for (const one of all) one.flush()
	}
}
