import type {EventRow, EventWindow} from '#contract/events.ts'

import type {Database} from '#core/store/database.ts'
import {createRecent} from '#shared/recent.ts'
import type {Scope} from './filter-match.ts'
import {rowsOf} from './rows.ts'
import {countUpTo, idsOf} from './scan.ts'

/** The fields a search reads from many events: a tenth of the work of a row. */
export type EventValues = Pick<EventRow, 'key' | 'user' | 'sha256' | 'fileName' | 'disposition' | 'remote' | 'url'>

export interface NewestQuery {
	filter: string
	/** Number of newest events returned as rows and as values. */
	rows: number
	values: number
	/** Limit of counting. */
	most: number
}

export interface NewestEvents {
	readonly rows: readonly EventRow[]
	readonly values: readonly EventValues[]
	readonly matching: EventWindow['matching']
}

/** Cached results of searches until an event changes: typing repeats the same queries. */
export type Newest = ReturnType<typeof makeNewest>

/** Counts of single values: one answer needs a few dozen. */
const countsKept = 500

export function makeNewest(database: Database, revision: () => number) {
	const walks = createRecent<Walk>()
	const counts = createRecent<number>(countsKept)
	return {
		newest: (scope: Scope, query: Omit<NewestQuery, 'filter'>) => {
			const key = JSON.stringify([revision(), scope, query])
			const {first, ...found} = walks.remembered(key, () => walkOf(database, scope, query))
			return {rows: rowsOf(database, first), ...found}
		},
		/** Counts to `most`. */
		count: (scope: Scope, most: number) => {
			const key = JSON.stringify([revision(), scope, most])
			const count = counts.remembered(key, () => countUpTo(database, scope, most + 1))
			return {count: Math.min(count, most), exact: count <= most}
		}
	}
}

interface Walk extends Omit<NewestEvents, 'rows'> {
	/** Ids of the rows, which are read each time: they include the operator's marks. */
	first: readonly number[]
}

/** The newest events of a scope and their number, by one walk over the index. */
function walkOf(database: Database, scope: Scope, {rows, values, most}: Omit<NewestQuery, 'filter'>): Walk {
	const ids = idsOf(database, scope, 0, most + 1)
	return {
		first: ids.slice(0, rows),
		values: valuesOf(database, ids.slice(0, values)),
		matching: {count: Math.min(ids.length, most), exact: ids.length <= most}
	}
}

function valuesOf(database: Database, ids: readonly number[]) {
	const sql = `SELECT key, user, sha256, file_name AS fileName, disposition, remote, url FROM event
    WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id DESC`
	return database.all<EventValues>(sql, JSON.stringify(ids))
}
