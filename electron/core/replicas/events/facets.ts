import type {EventFacets, Facet} from '#contract/events.ts'

import type {Database} from '#core/store/database.ts'
import {type Scope} from './filter-match.ts'
import {allIds} from './time-ranges.ts'
import {outcomeOf} from './outcome.ts'
import {severityAt} from './record.ts'
import {idsOf} from './scan.ts'
import {typeValue} from './sums.ts'
import type {StoredEvent} from './words.ts'
import {detectionOutcomes, eventSeverities} from '#model/event.ts'

/** Newest matching events examined. */
const mostCounted = 5000
/** Values listed for each facet. */
const mostValues = 100

/** Count of each value: over all events from sums, otherwise over the newest ones. Counts events, not groups. */
export function facetsOf(database: Database, scope: Scope, all: number, groupNames: ReadonlyMap<string, string>): EventFacets {
	const [range, further] = scope.ranges
	const whole = range !== undefined && further === undefined && range.low === allIds.low && range.high === allIds.high
	const sums = scope.match === null && whole ? storedSums(database) : countedSums(database, scope)
	const list = (name: keyof Sums) =>
		[...sums[name].values()].toSorted((a, b) => b.count - a.count || (a.label < b.label ? -1 : 1)).slice(0, mostValues)
	const inOrder = (name: keyof Sums, order: readonly string[]) => order.flatMap(value => sums[name].get(value) ?? [])
	return {
		type: list('type'),
		severity: inOrder('severity', eventSeverities),
		outcome: inOrder('outcome', detectionOutcomes),
		group: list('group').map(facet => ({...facet, label: groupNames.get(facet.value) ?? facet.value})),
		detection: list('detection'),
		counted: sums.events === null ? {events: all, exact: true} : sums.events
	}
}

type Sums = Readonly<Record<'type' | 'severity' | 'outcome' | 'group' | 'detection', Map<string, Facet>>>
type Counted = Sums & {events: {events: number; exact: boolean} | null}

function noSums(): Sums {
	return {type: new Map(), severity: new Map(), outcome: new Map(), group: new Map(), detection: new Map()}
}

function storedSums(database: Database): Counted {
	const sums = noSums()
	for (const kind of ['type', 'outcome', 'group', 'detection'] as const) {
		const sql = 'SELECT value, label, n AS count FROM facet WHERE kind = ? AND n > 0 ORDER BY n DESC LIMIT ?'
		for (const facet of database.all<Facet>(sql, kind, mostValues)) sums[kind].set(facet.value, facet)
	}
	for (const {severity, n} of database.all<{severity: number; n: number}>('SELECT severity, sum(n) AS n FROM hourly GROUP BY severity'))
		add(sums.severity, severityAt(severity), severityAt(severity), n)
	return {...sums, events: null}
}

type Looked = Pick<StoredEvent, 'type_id' | 'type' | 'severity' | 'detection' | 'groups'> & {kinds: number | null}

function countedSums(database: Database, scope: Scope): Counted {
	const ids = idsOf(database, scope, 0, mostCounted + 1)
	const sql = `SELECT e.type_id, e.type, e.severity, e.detection, e.groups, d.kinds FROM event e
    LEFT JOIN detection d ON d.detection_id = e.detection_id WHERE e.id IN (SELECT value FROM json_each(?))`
	const sums = noSums()
	for (const event of database.all<Looked>(sql, JSON.stringify(ids.slice(0, mostCounted)))) {
		const [severity, outcome] = [severityAt(event.severity), outcomeOf(event.kinds ?? 0)]
		add(sums.type, typeValue(event), event.type, 1)
		add(sums.severity, severity, severity, 1)
		if (outcome !== null) add(sums.outcome, outcome, outcome, 1)
		if (event.detection !== null) add(sums.detection, event.detection, event.detection, 1)
		for (const guid of event.groups.split(' ')) if (guid !== '') add(sums.group, guid, guid, 1)
	}
	return {...sums, events: {events: Math.min(ids.length, mostCounted), exact: ids.length <= mostCounted}}
}

function add(map: Map<string, Facet>, value: string, label: string, count: number) {
	map.set(value, {value, label, count: (map.get(value)?.count ?? 0) + count})
}
