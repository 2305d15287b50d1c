/** The only CSV writer of this program: for exports of the page, the command line and the core. */
import {showUnseenInLines} from './foreign.ts'

export type Cell = string | number | null

/** The columns of an export: a title, and its value in a row. */
export type CsvColumns<Row extends readonly unknown[]> = readonly (readonly [title: string, value: (...row: Row) => Cell])[]

export function csvHead<Row extends readonly unknown[]>(columns: CsvColumns<Row>) {
	return csvLine(columns.map(([title]) => title))
}

export function csvRow<Row extends readonly unknown[]>(columns: CsvColumns<Row>, ...row: Row) {
	return csvLine(columns.map(([, value]) => value(...row)))
}

/** One line of CSV (RFC 4180), with its end. Invisible characters are shown by number. */
export function csvLine(values: readonly Cell[]) {
	return `${values.map(csvCell).join(',')}\r\n`
}

function csvCell(value: Cell) {
	if (value === null) return ''
	if (typeof value === 'number') return String(value)
	const text = inert(showUnseenInLines(value))
	return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

const signs = '[=+\\-@＝＋－＠]'
const begins = new RegExp(`^(?:\\s*${signs}|[\\t\\r\\n](?!\\s*'))`, 'u')
const within = new RegExp(`(?=${signs})(?<=[;\\t\\r\\n][" ]*)`, 'gu')

/**
 * A spreadsheet runs text that looks like a formula (OWASP, "CSV Injection"); an apostrophe prevents that. Where `;` separates
 * cells, because the comma is decimal, one begins inside of ours.
 */
function inert(text: string) {
	const safe = text.replace(within, "'")
	return begins.test(safe) ? `'${safe}` : safe
}
