import {eventSeverities} from '#model/event.ts'

import type {Database} from '#core/store/database.ts'
import {minuteOf, rankOf} from './record.ts'
import type {StoredEvent} from './words.ts'

/** From unknown severity to critical. */
const lowestRank = rankOf('unknown')
const ranks = eventSeverities.length

type FacetKind = 'type' | 'outcome' | 'group' | 'detection'

/** Counts over all events, gathered during a transaction and written at its end. */
export type Sums = ReturnType<typeof makeSums>

interface FacetSum {
	kind: FacetKind
	value: string
	label: string
	n: number
}

export function makeSums(database: Database) {
	const minutes = new Map<number, number>()
	const facets = new Map<string, FacetSum>()
	const fields = new Map<string, number>()
	const facet = (kind: FacetKind, value: string, label: string, by: number) => {
		const name = `${kind} ${value}`
		const sum = facets.get(name) ?? {kind, value, label, n: 0}
		sum.n += by
		facets.set(name, sum)
	}
	return {
		facet,
		count(id: number, event: StoredEvent, by: 1 | -1) {
			// Each minute has a place for each severity.
			const place = minuteOf(id) * ranks + event.severity - lowestRank
			minutes.set(place, (minutes.get(place) ?? 0) + by)
			facet('type', typeValue(event), event.type, by)
			if (event.detection !== null) facet('detection', event.detection, event.detection, by)
			for (const guid of event.groups.split(' ')) if (guid !== '') facet('group', guid, guid, by)
		},
		unknown: (field: string) => void fields.set(field, (fields.get(field) ?? 0) + 1),
		write() {
			for (const [place, n] of minutes) {
				const [minute, severity] = [Math.floor(place / ranks), (place % ranks) + lowestRank]
				add(database, 'tally (minute, severity, n)', [minute, severity], n)
				add(database, 'hourly (hour, severity, n)', [Math.floor(minute / 60), severity], n)
			}
			if ([...minutes.values()].some(n => n < 0)) {
				database.run('DELETE FROM tally WHERE n <= 0')
				database.run('DELETE FROM hourly WHERE n <= 0')
			}
			for (const {kind, value, label, n} of facets.values()) {
				if (n === 0) continue
				// Names of types differ between regions and years: the newest is used, not that of one which leaves.
				const sql =
					'INSERT INTO facet VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET n = n + excluded.n, label = iif(excluded.n > 0, excluded.label, label)'
				database.run(sql, kind, value, label, n)
				if (n < 0) database.run('DELETE FROM facet WHERE kind = ? AND value = ? AND n <= 0', kind, value)
			}
			for (const [field, n] of fields)
				database.run('INSERT INTO unknown_field VALUES (?, ?) ON CONFLICT DO UPDATE SET n = n + excluded.n', field, n)
		}
	}
}

/** The filter value of an event's type: its id, or its name without one. */
export function typeValue(event: Pick<StoredEvent, 'type_id' | 'type'>) {
	return event.type_id === null ? event.type : String(event.type_id)
}

function add(database: Database, into: string, key: readonly number[], n: number) {
	database.run(`INSERT INTO ${into} VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET n = n + excluded.n`, ...key, n)
}
