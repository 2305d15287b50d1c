import {until} from '#base/testing/until.ts'
import type {Ticked, Ticker} from '../ticker.ts'

/** A clock moved by the test. */
export class HandTicker implements Ticker {
	now = 1000
	readonly stepMs = 10
	readonly all = new Set<Ticked>()

	after(ms: number) {
		return ms === 0 ? Infinity : this.now + ms
	}

	add(ticked: Ticked) {
		this.all.add(ticked)
	}

	remove(ticked: Ticked) {
		this.all.delete(ticked)
	}

	stop() {}

	pass(ms: number) {
		this.now += ms
		for (const one of this.all) one.tick(this.now)
	}

	/** Lets time pass until it is so; in each step everything else has a turn. */
	async passUntil(what: string, isSo: () => boolean, stepMs = 10) {
		await until(
			what,
			() => {
				this.pass(stepMs)
				return isSo()
			},
			Infinity
		)
	}
}
