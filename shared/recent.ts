/** A cache of the last few answers. */
export type Recent<T> = ReturnType<typeof createRecent<T>>

/** `most`: number of cached answers; the default fits what a few open pages ask in turn. */
export function createRecent<T>(most = 8) {
	const answers = new Map<string, T>()
	const recent = {
		get(question: string) {
			const answer = answers.get(question)
			if (answer !== undefined) {
				answers.delete(question)
				answers.set(question, answer)
			}
			return answer
		},
		set(question: string, answer: T) {
			answers.delete(question)
			answers.set(question, answer)
			const [oldest] = answers.keys()
			if (answers.size > most && oldest !== undefined) answers.delete(oldest)
			return answer
		},
		/** The cached answer, or a new one. */
		remembered: (question: string, make: () => T): T => recent.get(question) ?? recent.set(question, make()),
		clear: () => answers.clear()
	}
	return recent
}
