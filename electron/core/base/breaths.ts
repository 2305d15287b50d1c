/** Between pieces of work: lets others have the thread once this work has had it for `mostMs` milliseconds. */
export function breaths(mostMs = 8): () => Promise<void> {
	let since = performance.now()
	return async () => {
		if (performance.now() - since < mostMs) return
		await new Promise(resolve => setImmediate(resolve))
		since = performance.now()
	}
}
