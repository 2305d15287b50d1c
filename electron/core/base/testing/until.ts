import {setTimeout as pause} from 'node:timers/promises'

export type Sought<T> = T | undefined | false | null

/** After so many turns another thread or process is waited for, which needs the processor more than the next look does. */
const quickTurns = 50

/**
 * Resolves with what `look` finds, looking again after each turn of the event loop, later each millisecond. Rejects shortly
 * before the test would time out, and says what did not happen.
 */
export async function until<T>(what: string, look: () => Sought<T> | Promise<Sought<T>>): Promise<T> {
	const end = performance.now() + 50_000
	for (let turn = 0; ; turn += 1) {
		const found = await look()
		if (found !== undefined && found !== false && found !== null) return found
		if (performance.now() > end) throw new Error(`It did not happen: ${what}.`)
		await (turn < quickTurns ? turns(1) : pause(1))
	}
}

/** What the work gives, and how many turns timers had meanwhile. */
export async function inTurns<T>(work: Promise<T>): Promise<{result: T; turns: number}> {
	let turns = 0
	const count = setInterval(() => (turns += 1))
	return await work.then(result => ({result, turns})).finally(() => clearInterval(count))
}

/** Lets everything else run on for so many turns of the event loop. */
export async function turns(count: number): Promise<void> {
	for (let turn = 0; turn < count; turn += 1) await new Promise(setImmediate)
}
