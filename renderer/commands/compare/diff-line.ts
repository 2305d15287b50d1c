/** A line of two objects side by side. */
import {formOf} from '#text/numbers.ts'

export interface DiffLine {
	title: string
	/** The first object's value; empty when it has none, `null` until loaded. */
	a: string | null
	b: string | null
	/** Addresses of the rows behind a value. */
	links?: {a: string | null; b: string | null}
}

type Verdict = 'same' | 'differs' | 'unknown'

/** An unknown side makes the line neither the same nor different. */
export function verdictOf({a, b}: Pick<DiffLine, 'a' | 'b'>): Verdict {
	if (a === null || b === null) return 'unknown'
	return a === b ? 'same' : 'differs'
}

export function summaryOf(lines: readonly DiffLine[]) {
	const differ = lines.filter(line => verdictOf(line) === 'differs').length
	const unknown = lines.filter(line => verdictOf(line) === 'unknown').length
	const known = lines.length - unknown
	const words = differ === 0 ? 'Nothing differs' : `${differ} of ${known} lines ${formOf(differ, ['differs', 'differ'])}`
	if (unknown === 0) return words
	return `${differ === 0 ? 'Nothing of what is known differs' : words}; ${unknown} cannot be told yet`
}
