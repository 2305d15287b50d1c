import {setImmediate as nextTurn} from 'node:timers/promises'

/** Between pieces of work: lets others have the thread once this work has had it for `mostMs` milliseconds, one at a time. */
export function breaths(mostMs = 8) {
	let since = performance.now()
	return async () => {
		if (performance.now() - since < mostMs) return
		await ownTurn()
		since = performance.now()
	}
}

let last: Promise<unknown> = Promise.resolve()

/** A turn of the event loop in which no other work that asks for one runs. */
export function ownTurn() {
	const mine = last.then(() => nextTurn())
	last = mine
	return mine
}
