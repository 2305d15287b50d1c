/** Whether a client takes its data fast enough. Time without waiting data does not count. */
export interface TakingLimits {
	/** Milliseconds, 0: none. Maximum time without taking any data, and below the rate. */
	readonly stallMs: number
	/** Bytes per second, 0: any. */
	readonly minTakeRate: number
}

export class Taking {
	readonly #limits: TakingLimits
	#taken = 0
	#stillMs = 0
	/** Remaining time below the rate. Fast periods restore at most the initial credit. */
	#creditMs: number
	#lookedAt: number

	constructor(limits: TakingLimits, now: number) {
		this.#limits = limits
		this.#creditMs = limits.stallMs
		this.#lookedAt = now
	}

	/** Called at every tick. `taken`: total bytes of all answers; `isWaiting`: whether more data waits. */
	isTooSlow(now: number, taken: number, isWaiting: boolean) {
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
