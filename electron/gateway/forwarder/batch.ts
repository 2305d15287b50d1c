/**
 * What small messages are written together: a round of the event loop reads from many connections, and whoever would be woken
 * by each single write is awake for the following ones when they come at the round's end, right behind each other.
 */

export interface Flushable {
	/** Writes what it holds; nothing may be left. Must not throw. */
	flush(): void
}

export interface Batch {
	/** `flush` is called when this round has read what there was to read. More than once is harmless. */
	add(one: Flushable): void
}

export function createBatch(): Batch {
	return new RoundBatch()
}

class RoundBatch implements Batch {
	#waiting: Flushable[] = []

	add(one: Flushable): void {
		if (this.#waiting.push(one) === 1) setImmediate(this.#run)
	}

	readonly #run = (): void => {
		const all = this.#waiting
		this.#waiting = []
		for (const one of all) one.flush()
	}
}
