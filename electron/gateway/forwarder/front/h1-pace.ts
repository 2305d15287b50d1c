import type {BodyPace} from '../exchange.ts'

/** A fast body earns this many times the grace for a later pause. */
const mostCredit = 3

/** Whether a body arrives fast enough. Paused time does not count. */
export class Pace {
	readonly #pace: BodyPace
	readonly #graceMs: number
	#creditMs: number
	#silentMs = 0
	#received = 0
	#lookedAt: number

	constructor(pace: BodyPace, graceMs: number, now: number) {
		this.#pace = pace
		this.#graceMs = graceMs
		this.#creditMs = graceMs
		this.#lookedAt = now
	}

	/** `received`: total body bytes. */
	isTooSlow(now: number, received: number, isReading: boolean) {
		const passed = now - this.#lookedAt
		const came = received - this.#received
		this.#lookedAt = now
		this.#received = received
		if (!isReading) return false
		this.#silentMs = came > 0 ? 0 : this.#silentMs + passed
		const {minRate, idleMs} = this.#pace
		if (minRate > 0) {
			const earned = (came * 1000) / minRate
			this.#creditMs = Math.min(this.#graceMs * mostCredit, this.#creditMs + earned) - passed
			if (this.#creditMs < 0) return true
		}
		return idleMs > 0 && this.#silentMs > idleMs
	}
}
