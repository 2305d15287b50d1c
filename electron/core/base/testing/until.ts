import {setTimeout as pause} from 'node:timers/promises'

export type Sought<T> = T | undefined | false | null

/** What has not happened by then does not happen, however busy the machine is. */
export const patienceMs = 120_000

/**
 * Resolves with what `look` finds, looking again after each turn of the event loop; after `quickTurns` of them each millisecond:
 * another thread or process is waited for, which needs the processor more. Rejects after a long time, and says what did not
 * happen.
 */
export async function until<T>(what: string, look: () => Sought<T> | Promise<Sought<T>>, quickTurns = 50): Promise<T> {
	const end = performance.now() + patienceMs
	for (let turn = 0; ; turn += 1) {
		const found = await look()
		if (found !== undefined && found !== false && found !== null) return found
		if (performance.now() > end) throw new Error(`It did not happen: ${what}.`)
		await (turn < quickTurns ? turns(1) : pause(1))
	}
}

/** The same in real time, while a test's own clock moves on by so much before each further look. */
export async function untilPassing<T>(
	clock: {advance(ms: number): Promise<void>},
	stepMs: number,
	what: string,
	look: () => Sought<T> | Promise<Sought<T>>
): Promise<T> {
	const lookOrPass = async () => {
		const found = await look()
		if (found === undefined || found === false || found === null) await clock.advance(stepMs)
		return found
	}
	return await until(what, lookOrPass, 0)
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

/** Reads to the end of the stream; `seen` grows meanwhile. */
export function readAll<T>(stream: AsyncIterable<T>) {
	const seen: T[] = []
	const read = async () => {
		for await (const one of stream) seen.push(one)
	}
	return {seen, reading: read()}
}
