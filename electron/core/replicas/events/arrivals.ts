/** Events in the order in which they were stored. */
import type {EventRow} from '#contract/events.ts'

import type {Database} from '#core/store/database.ts'
import type {Scope} from './filter-match.ts'
import {unpackRecord} from './raw.ts'
import {rowsOf} from './rows.ts'
import {holds} from './scan.ts'

interface ArrivedEvent {
	no: number
	row: EventRow
	/** The record of the service with all digits. */
	json: string
}

export interface Arrivals {
	readonly events: readonly ArrivedEvent[]
	/** Everything up to this number was checked. */
	readonly upTo: number
}

/** `scope`: `null` for all. */
export function arrivalsOf(database: Database, scope: Scope | null, after: number, most: number): Arrivals {
	const sql = 'SELECT a.no, a.id, r.json FROM arrival a JOIN raw r ON r.id = a.id WHERE a.no > ? ORDER BY a.no LIMIT ?'
	const found = database.all<{no: number; id: number; json: Uint8Array}>(sql, after, most)
	const wanted = scope === null ? found : found.filter(({id}) => holds(database, scope, id))
	const ordered = wanted.toSorted((one, other) => other.id - one.id)
	const rows = rowsOf(
		database,
		ordered.map(({id}) => id)
	)
	const events = ordered.flatMap(({no, json}, place) => {
		const row = rows[place]
		return row === undefined ? [] : [{no, row, json: unpackRecord(json)}]
	})
	return {events: events.toSorted((one, other) => one.no - other.no), upTo: found.at(-1)?.no ?? after}
}

export function arrivedIn(database: Database): {generation: string; newest: number} {
	const meta = database.get<{value: string}>("SELECT value FROM meta WHERE key = 'generation'")
	const counted = database.get<{seq: number}>("SELECT seq FROM sqlite_sequence WHERE name = 'arrival'")
	return {generation: meta?.value ?? '', newest: counted?.seq ?? 0}
}
