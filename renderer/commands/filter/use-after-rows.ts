import {startTransition, useEffect, useState} from 'react'

export interface AnsweredRows {
	isFirstLoad: boolean
	isPrevious: boolean
	error: unknown
}

/** Counts wait until typing pauses for this long (ms). */
const restMs = 120

/**
 * The question whose counts to load: the last one that the rows answered or failed to answer, once they are on screen and
 * typing pauses. So counting and rendering counts delay nothing. `undefined` before the first rows. Keep the question's
 * object identity while it asks the same.
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

function isAnswered({isFirstLoad, isPrevious, error}: AnsweredRows) {
	return error !== null || (!isFirstLoad && !isPrevious)
}
