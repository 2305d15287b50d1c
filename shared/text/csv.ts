/** The one way in which this program writes CSV: exports of the page, of the command line and of the core. */
import {showUnseenInLines} from './foreign.ts'

export type Cell = string | number | null

/** One line of CSV (RFC 4180), with its end. What cannot be seen is shown by its number. */
export function csvLine(values: readonly Cell[]): string {
	return `${values.map(csvCell).join(',')}\r\n`
}

function csvCell(value: Cell): string {
	if (value === null) return ''
	if (typeof value === 'number') return String(value)
	const text = inert(showUnseenInLines(value))
	return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** A spreadsheet runs text that begins like a formula (OWASP, "CSV Injection"); an apostrophe makes it text again. */
function inert(text: string): string {
	return /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/u.test(text) ? `'${text}` : text
}
