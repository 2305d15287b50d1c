/** Ends the iterator on the host when the caller stops early. */
export async function* each<T>(iterator: AsyncIterator<T, void>): AsyncGenerator<T, void> {
	try {
		for (;;) {
			const step = await iterator.next()
			if (step.done === true) return
			yield step.value
		}
	} finally {
		await iterator.return?.()
	}
}
