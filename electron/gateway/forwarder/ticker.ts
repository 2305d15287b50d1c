/** One coarse clock for all deadlines of the server: a timer per request would cost more than the request. */

/** Something with deadlines. */
export interface Ticked {
	/** `now`: monotonic milliseconds, as `Ticker.now`. */
	tick(now: number): void
}

export interface Ticker {
	/** As of the last tick: at most `stepMs` old. Monotonic milliseconds. */
	readonly now: number
	readonly stepMs: number
	/** A deadline that is never early: `Infinity` for 0, which means none. */
	after(ms: number): number
	add(ticked: Ticked): void
	remove(ticked: Ticked): void
	stop(): void
}

const slowestStepMs = 500
const fastestStepMs = 10

/** Ticks often enough for the shortest of `limitsMs`. */
export function startTicker(limitsMs: readonly number[]): Ticker {
	const shortest = Math.min(...limitsMs.filter(ms => ms > 0), slowestStepMs * 8)
	return new IntervalTicker(Math.max(fastestStepMs, Math.min(slowestStepMs, Math.floor(shortest / 8))))
}

class IntervalTicker implements Ticker {
	now = performance.now()
	readonly stepMs: number
	readonly #all = new Set<Ticked>()
	readonly #timer: NodeJS.Timeout

	constructor(stepMs: number) {
		this.stepMs = stepMs
		this.#timer = setInterval(() => this.#look(), stepMs)
	}

	after(ms: number) {
		return ms === 0 ? Infinity : this.now + ms + this.stepMs
	}

	add(ticked: Ticked) {
		this.#all.add(ticked)
	}

	remove(ticked: Ticked) {
		this.#all.delete(ticked)
	}

	stop() {
		clearInterval(this.#timer)
		this.#all.clear()
	}

	#look() {
		this.now = performance.now()
		for (const ticked of this.#all) ticked.tick(this.now)
	}
}
