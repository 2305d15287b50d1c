/** A cache of the last few answers. */
export interface Recent<T> {
	get(question: string): T | undefined
	set(question: string, answer: T): T
	/** The cached answer, or a new one. */
	remembered(question: string, make: () => T): T
	clear(): void
}

/** `most`: number of cached answers; the default fits what a few open pages ask in turn. */
export function createRecent<T>(most = 8): Recent<T> {
	const answers = new Map<string, T>()
	const recent: Recent<T> = {
		get(question) {
			const answer = answers.get(question)
			if (answer !== undefined) {
				answers.delete(question)
				answers.set(question, answer)
			}
			return answer
		},
		set(question, answer) {
			answers.delete(question)
			answers.set(question, answer)
			const [oldest] = answers.keys()
			if (answers.size > most && oldest !== undefined) answers.delete(oldest)
			return answer
		},
		remembered: (question, make) => recent.get(question) ?? recent.set(question, make()),
		clear: () => answers.clear(),
	}
	return recent
}
