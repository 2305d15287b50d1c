import {hash} from 'node:crypto'

import {fold} from '#model/fold.ts'

/**
 * Exact values as words of the index. A mark begins with characters of Unicode's private use area, so no event text and no typed
 * text can equal one; then comes a letter for the field, then the value, or a digest for free text. There are three such
 * characters because the index keeps lists for the first three of each word: all marks of an event share these.
 */
const sign = '\u{E000}\u{E000}\u{E000}'

export const markLetters = {
	type: 't',
	typeName: 'y',
	severity: 's',
	outcome: 'o',
	host: 'h',
	user: 'u',
	guid: 'c',
	group: 'g',
	detection: 'n',
	detectionId: 'd',
	id: 'i',
	hash: 'x',
	file: 'f',
	path: 'p',
	url: 'w',
	/** An IPv4 address and its networks of 24, 16 and 8 bits, in hexadecimal digits. */
	address: 'a',
	/** Letter of a field that the event lacks. */
	lacks: 'e'
} as const
export type MarkField = keyof typeof markLetters

/** On every event. */
export const everyMark = `${sign}all`

/** For values of a few letters and digits. */
export function plainMark(field: MarkField, value: string | number) {
	return `${sign}${markLetters[field]}${value}`
}

/** The index would split a negative rank at its sign. */
export function severityMark(rank: number): string {
	return plainMark('severity', rank < 0 ? 'x' : rank)
}

/** For free text, case-insensitive. */
export function textMark(field: MarkField, value: string): string {
	return plainMark(field, hash('sha1', fold(value), 'hex').slice(0, 16))
}

/** Text for the index, without characters of marks. */
export function withoutSigns(text: string) {
	return text.replaceAll(/[\p{Co}\0]/gu, ' ')
}

export function addressMarks(address: number): readonly string[] {
	const digits = address.toString(16).padStart(8, '0')
	return [8, 6, 4, 2].map(length => plainMark('address', digits.slice(0, length)))
}

/** The fewest marks that cover exactly the addresses from `from` to `to`; at most a few thousand. */
export function rangeMarks(from: number, to: number): readonly string[] {
	const marks: string[] = []
	for (let at = from; at <= to;) {
		const bytes = [3, 2, 1].find(count => at % 256 ** count === 0 && at + 256 ** count - 1 <= to) ?? 0
		marks.push(
			plainMark(
				'address',
				at
					.toString(16)
					.padStart(8, '0')
					.slice(0, 8 - bytes * 2)
			)
		)
		at += 256 ** bytes
	}
	return marks
}
