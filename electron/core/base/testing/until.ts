export type Sought<T> = T | undefined | false | null

/** Resolves with what `look` finds, looking again after each turn of the event loop. Rejects shortly before the test would time out, and says what did not happen. */
export async function until<T>(what: string, look: () => Sought<T> | Promise<Sought<T>>): Promise<T> {
	const end = performance.now() + 50_000
	for (;;) {
		const found = await look()
		if (found !== undefined && found !== false && found !== null) return found
		if (performance.now() > end) throw new Error(`It did not happen: ${what}.`)
		await new Promise(resolve => setImmediate(resolve))
	}
}

/** Lets everything else run on for so many turns of the event loop. */
export async function turns(count: number): Promise<void> {
	for (let turn = 0; turn < count; turn += 1) await new Promise(resolve => setImmediate(resolve))
}
