/** A result as a table: the declared columns over the records. */
import {stringifyExact} from '../model/exact-json.ts'
import {isRecord} from '../is-record.ts'
import {csvLine} from '../text/csv.ts'
import {showUnseen} from '../text/foreign.ts'
import type {ResultColumn, ResultSpec} from './define.ts'

export interface ResultTable {
	readonly columns: readonly string[]
	readonly rows: readonly (readonly string[])[]
}

export function tableOf(result: ResultSpec, data: unknown): ResultTable {
	return {
		columns: result.columns.map(([title]) => title),
		rows: recordsOf(data).map(record => result.columns.map(column => cellText(columnOf(record, column))))
	}
}

/** The records of a result: a list unchanged, one object as a list, the events or items within an object. */
export function recordsOf(data: unknown): readonly unknown[] {
	if (Array.isArray(data)) return data
	if (!isRecord(data)) return []
	const inner = [data['events'], data['items']].find(value => Array.isArray(value))
	return Array.isArray(inner) ? inner : [data]
}

function columnOf(record: unknown, [, path, or]: ResultColumn) {
	return valueAt(record, path) ?? (or === undefined ? undefined : valueAt(record, or))
}

/** Walks a `.`-separated path; `undefined` if it ends early. A name applied to a list gives each element's value. */
export function valueAt(record: unknown, path: string): unknown {
	return path.split('.').reduce<unknown>((value, key) => {
		if (Array.isArray(value)) return /^\d+$/.test(key) ? value[Number(key)] : value.map(one => valueAt(one, key))
		return isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined
	}, record)
}

/** One line of text for a cell: exact digits, words for booleans, lists with commas. */
export function cellText(value: unknown): string {
	if (value === undefined || value === null) return ''
	if (typeof value === 'string') return showUnseen(value)
	if (typeof value === 'boolean') return value ? 'yes' : 'no'
	if (Array.isArray(value)) return value.map(cellText).join(', ')
	return showUnseen(typeof value === 'object' ? stringifyExact(value) : String(value))
}

/** RFC 4180 with a header. A cell that looks like a formula gets an apostrophe. */
export function csvOf(table: ResultTable) {
	return [table.columns, ...table.rows].map(csvLine).join('')
}
