/** Work that must not overlap, one after the other in the order in which it was asked for. */

/** Resolves or rejects as the work does; what fails holds nobody up. */
export type Turn = <Answer>(work: () => Promise<Answer>) => Promise<Answer>

export function createTurns(): Turn {
	let last: Promise<unknown> = Promise.resolve()
	return work => {
		const mine = last.then(work)
		last = mine.catch(() => undefined)
		return mine
	}
}
