import type {Database} from '#core/store/database.ts'
import type {Scope} from './filter-match.ts'
import type {IdRange} from './time-ranges.ts'

/** Part of a statement, with its values. Ids are passed as `bigint`: FTS5 ignores a bound that is no integer. */
interface Sql {
	text: string
	params: readonly (string | bigint)[]
}

/** A statement for the ids of a scope, unordered; `extra` is a further required expression of FTS5. */
export function idsSql(scope: Scope, range: IdRange, extra: string | null = null): Sql {
	const bounds = [BigInt(range.low), BigInt(range.high)]
	const match = [scope.match, extra].filter(part => part !== null)
	if (match.length === 0) return {text: 'SELECT id FROM event WHERE id >= ? AND id < ?', params: bounds}
	const both = match.length === 1 ? match.join('') : match.map(part => `(${part})`).join(' AND ')
	return {text: 'SELECT rowid AS id FROM words WHERE words MATCH ? AND rowid >= ? AND rowid < ?', params: [both, ...bounds]}
}

/** Counts to a limit. */
export function countUpTo(database: Database, scope: Scope, limit: number) {
	let left = limit
	for (const range of scope.ranges) {
		const {text, params} = idsSql(scope, range)
		const sql = `SELECT count(*) AS n FROM (${text} LIMIT ?)`
		left -= database.get<{n: number}>(sql, ...params, BigInt(left))?.n ?? 0
		if (left <= 0) return limit
	}
	return limit - left
}

/** Ids, newest first. */
export function idsOf(database: Database, scope: Scope, offset: number, limit: number): readonly number[] {
	const ids: number[] = []
	let skip = offset
	for (const [place, range] of scope.ranges.entries()) {
		const {text, params} = idsSql(scope, range)
		const sql = `${text} ORDER BY ${scope.match === null ? 'id' : 'rowid'} DESC LIMIT ? OFFSET ?`
		const found = readIds(database, {text: sql, params: [...params, BigInt(limit - ids.length), BigInt(skip)]})
		for (const one of found) ids.push(one)
		if (ids.length >= limit) return ids
		// The next range continues where this one ended.
		if (place < scope.ranges.length - 1 && skip > 0)
			skip = found.length > 0 ? 0 : Math.max(0, skip - countUpTo(database, {...scope, ranges: [range]}, skip))
	}
	return ids
}

/** As one string: rows as objects would cost twice as much. An id is less than 2^53. */
function readIds(database: Database, {text, params}: Sql) {
	const sql = `SELECT json_group_array(id ORDER BY id DESC) AS ids FROM (${text})`
	return JSON.parse(database.get<{ids: string}>(sql, ...params)?.ids ?? '[]') as readonly number[]
}

export function holds(database: Database, scope: Scope, id: number) {
	if (!scope.ranges.some(({low, high}) => low <= id && id < high)) return false
	if (scope.match === null) return database.get('SELECT 1 FROM event WHERE id = ?', id) !== undefined
	const sql = 'SELECT 1 FROM words WHERE words MATCH ? AND rowid = ?'
	return database.get(sql, scope.match, BigInt(id)) !== undefined
}

/** The part of a scope that is newer than an id. */
export function newerThan(scope: Scope, id: number): Scope {
	const ranges = scope.ranges.map(range => ({...range, low: Math.max(range.low, id + 1)}))
	return {...scope, ranges: ranges.filter(({low, high}) => low < high)}
}
