/** Whether a client takes what waits for it fast enough. Time in which nothing waits is not counted. */
export interface TakingLimits {
	/** Milliseconds, 0: none. It may take nothing for so long, and be slower than the rate for so long. */
	readonly stallMs: number
	/** Bytes a second, 0: any. */
	readonly minTakeRate: number
}

export class Taking {
	readonly #limits: TakingLimits
	#taken = 0
	#stillMs = 0
	/** How long it may go on below the rate. What it took fast earns no more than it began with. */
	#creditMs: number
	#lookedAt: number

	constructor(limits: TakingLimits, now: number) {
		this.#limits = limits
		this.#creditMs = limits.stallMs
		this.#lookedAt = now
	}

	/** To be asked at every tick. `taken`: all bytes so far, of all answers; `isWaiting`: whether there are more for it. */
	isTooSlow(now: number, taken: number, isWaiting: boolean): boolean {
		const {stallMs, minTakeRate} = this.#limits
		const passed = now - this.#lookedAt
		const went = taken - this.#taken
		this.#lookedAt = now
		this.#taken = taken
		if (!isWaiting || stallMs === 0) {
			this.#stillMs = 0
			this.#creditMs = stallMs
			return false
		}
		this.#stillMs = went > 0 ? 0 : this.#stillMs + passed
		if (minTakeRate > 0) this.#creditMs = Math.min(stallMs, this.#creditMs - passed + (went * 1000) / minTakeRate)
		return this.#stillMs > stallMs || this.#creditMs < 0
	}
}
