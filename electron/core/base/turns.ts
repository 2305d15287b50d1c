/** Work of which only so much may run at once, the rest in the order in which it was asked for. */

/** Resolves or rejects as the work does; what fails holds nobody up. */
export type Turn = <Answer>(work: () => Promise<Answer>) => Promise<Answer>

/** `atOnce`: how many run together. */
export function createTurns(atOnce = 1): Turn {
	let free = atOnce
	const waiting: (() => void)[] = []
	return async work => {
		if (free > 0) free -= 1
		else await new Promise<void>(resolve => waiting.push(resolve))
		try {
			return await work()
		} finally {
			const next = waiting.shift()
			if (next === undefined) free += 1
			else next()
		}
	}
}

/** Rejects with the first failure, but not before all have ended. */
export async function allEnded(work: readonly Promise<unknown>[]) {
	const ends = await Promise.allSettled(work)
	const failed = ends.find(end => end.status === 'rejected')
	if (failed !== undefined) throw failed.reason
}
