/** Finding entries: which database is asked, with which condition, and page by page. */
import {annotations, type LogEntry, type LogQuery} from '#model/incident.ts'

import {entryOf, type EntryRow} from './entry-row.ts'
import {allOf, anyOf, conditionsOf, idCondition, likeCondition, searchedWords, type LogFilter} from './filter.ts'
import type {Database, Param} from '#core/store/database.ts'
import type {LogFile} from './log-file.ts'
import type {Range, SearchIndex} from './search-index.ts'

export type FullFilter = LogFilter & {text?: string | undefined}

/** Where and how the matching entries are found. */
export type Found = ReturnType<typeof locate>

/** Entries read at once: other work comes in between two slices, and what was given up ends there. */
export const sliceSize = 10_000

/** So few are read faster than the index finds all that hold the words. */
export const few = 1000

/** For few entries. Not for letters beyond ASCII, which have two cases without the index. */
export function indexOfFew(index: Pick<SearchIndex, 'search'>, filter: FullFilter): Pick<SearchIndex, 'search'> {
	return isPlain(filter) ? {search: () => undefined} : index
}

function isPlain(filter: FullFilter) {
	return /^[ -~]*$/.test(searchedWords(filter).join(' '))
}

/** Without what is too old or too young. The sign has SQLite read the index of times: a clock may have been set back. */
function narrowed(database: Database, {since, until}: FullFilter, [after, upTo]: Range): Range {
	// A slice is read as fast.
	if (upTo - after <= sliceSize) return [after, upTo]
	const edge = (seq: string, time: string) => database.get<{seq: number | null}>(`SELECT ${seq} ?`, new Date(time).toISOString())?.seq
	const first = since === undefined ? after : (edge('min(+seq) - 1 AS seq FROM entry WHERE at >=', since) ?? upTo)
	const last = until === undefined ? upTo : (edge('max(+seq) AS seq FROM entry WHERE at <', until) ?? after)
	return [Math.max(after, first), Math.min(upTo, last)]
}

/** `asked`: numbers of the entries that are asked about. */
export function locate(file: LogFile, index: Pick<SearchIndex, 'search'>, filter: FullFilter, asked: Range) {
	const words = searchedWords(filter)
	const others = conditionsOf(filter)
	// Opens the file first: the index reads it, but may not create it.
	const range = file.read(database => narrowed(database, filter, asked))
	const indexed = index.search(words, range)
	const short = indexed === undefined ? words : words.filter(word => Array.from(word).length < 3)
	const textual = [...(indexed === undefined ? [] : [indexed.condition]), ...(short.length > 0 ? [likeCondition(short)] : [])]
	const byId = idCondition(words)
	const condition = allOf([...others, ...(byId === undefined ? textual : [anyOf([allOf(textual), byId])])])
	const read = <T>(work: (database: Database) => T) => (indexed === undefined ? file.read(work) : work(indexed.database))
	const matching = `FROM entry WHERE ${condition.sql} AND seq > ? AND seq <= ?`
	/** `columns` of the matching entries; the suffix begins with further conditions. */
	const rows = <T>(columns: string, suffix: string, ...params: readonly Param[]): readonly T[] =>
		read(database => database.all<T>(`SELECT ${columns} ${matching} ${suffix}`, ...condition.params, ...range, ...params))
	return {
		rows,
		all: (order: 'ASC' | 'DESC', limit: number) => rowsAsEntries(rows<EntryRow>('*', `ORDER BY seq ${order} LIMIT ?`, limit)),
		count: () => rows<{n: number}>('count(*) AS n', '')[0]?.n ?? 0
	}
}

type Find = (filter: FullFilter, range: Range) => Found

/** Newest first, or oldest first when following with `after`. The nearest entries hold a whole page of what is frequent. */
export function page({before = Infinity, after, limit, ...filter}: LogQuery, newest: number, find: Find, findFew: Find) {
	const [from, upTo] = [after ?? 0, Math.min(before - 1, newest)]
	const near: Range = after === undefined ? [Math.max(from, upTo - few), upTo] : [from, Math.min(from + few, upTo)]
	const read = (how: Find, range: Range) => how(filter, range).all(after === undefined ? 'DESC' : 'ASC', limit + 1)
	const nearest = isPlain(filter) ? read(findFew, near) : []
	const entries = nearest.length > limit ? nearest : read(find, [from, upTo])
	return {entries: entries.slice(0, limit), more: entries.length > limit}
}

const standAlone = annotations.map(kind => `'${kind}'`).join(', ')

/** Entries that are steps of a change begun by another entry. */
export const isStep = `about IS NOT NULL AND kind NOT IN (${standAlone})`

/** Number of the line that shows an entry. */
export const lineOf = `CASE WHEN ${isStep} THEN coalesce((SELECT head.seq FROM entry AS head WHERE head.id = entry.about), entry.seq)
  ELSE entry.seq END`

/** As one text: a row for each number would take five times as long. */
export function linesOf(found: Found): readonly number[] {
	const [row] = found.rows<{lines: string}>(`json_group_array(${lineOf} ORDER BY seq) AS lines`, '')
	// SQLite's own array of its own integers.
	return row === undefined ? [] : (JSON.parse(row.lines) as number[])
}

export function rowsAsEntries(rows: readonly EntryRow[]): readonly LogEntry[] {
	return rows.map(entryOf)
}
