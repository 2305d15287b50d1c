import {startTransition, useEffect, useState} from 'react'

export interface AnsweredRows {
	readonly isFirstLoad: boolean
	readonly isPrevious: boolean
	readonly error: unknown
}

/** Who types does not look at counts: they are asked for when the filter rests for so long (ms). */
const restMs = 120

/**
 * What is counted beside rows follows them: the question that they answered last, or failed to, told when they are on
 * the screen and nobody types. Asking for counts, and drawing them, is then in nobody's way. `undefined` before there
 * are rows. A question must stay the same object as long as it asks the same.
 */
export function useAfterRows<Question extends object>(question: Question, rows: AnsweredRows): Question | undefined {
	const answered = isAnswered(rows)
	const [asked, setAsked] = useState<Question | undefined>(answered ? question : undefined)
	const wait = asked === undefined ? 0 : restMs
	useEffect(() => {
		if (!answered || asked === question) return
		const timer = setTimeout(() => startTransition(() => setAsked(question)), wait)
		return () => clearTimeout(timer)
	}, [answered, asked, question, wait])
	return asked
}

function isAnswered({isFirstLoad, isPrevious, error}: AnsweredRows): boolean {
	return error !== null || (!isFirstLoad && !isPrevious)
}
