import type {Database} from '#core/store/database.ts'
import {createRecent} from '#shared/recent.ts'
import type {DetectionGroup, EventDetail, EventQuery, EventRow, EventTypeRow} from '#contract/events.ts'
import {type Scope, type ScopeContext, scopeOf} from './filter-match.ts'
import {type DetectionGroups, makeGroups} from './groups.ts'
import {recordAt} from './raw.ts'
import {idAt} from './record.ts'
import {besideOf, rowByKey, rowsOf} from './rows.ts'
import {countUpTo, holds, idsOf, idsSql, newerThan} from './scan.ts'
import {allIds} from './time-ranges.ts'
import type {Timeline} from './timeline.ts'
import {isByValue, type ValueGrouping} from '#model/choices.ts'

/** Rows counted beyond a window; after that, "and more" is shown. */
const countAhead = 10_000
const slowAhead = 2000
/** For grouped rows, which are read one by one. */
const groupedAhead = 2000

export type EventQueries = ReturnType<typeof makeEventQueries>

export type Asked = Omit<EventQuery, 'connection'>
type WindowQuery = Asked & {offset: number; limit: number}
type PlaceQuery = Asked & {key: string}

export function makeEventQueries(database: Database, timeline: Timeline, context: () => ScopeContext) {
	const revision = () => database.get<{value: number}>('SELECT value FROM revision')?.value ?? 0
	const scope = (query: Pick<EventQuery, 'filter' | 'from' | 'to'>) => scopeOf(query, context())
	const walks = makeGroupedWalks(database)
	const gathering = makeGathering(database)
	const kept = createRecent<Promise<DetectionGroups>>(1)
	const grouping = makeGroups(database)
	const made = () => grouping().catch((error: unknown) => (kept.clear(), Promise.reject(error)))
	const groups = async () => await kept.remembered(`${revision()}`, made)
	const gathered = ({grouping: by, within, ...query}: Asked) =>
		isByValue(by) ? gathering(scope(query), {by, within: within ?? null}, revision()) : null
	const ids = (query: WindowQuery, values = gathered(query)) => {
		const {grouping, offset, limit} = query
		if (values !== null) return values.ids.slice(offset, offset + limit)
		const asked = scope(query)
		if (grouping === 'none') return flatIds(database, timeline, asked, offset, limit)
		return isAll(asked) ? leadIds(database, timeline, offset, limit) : walks(asked, revision()).ids(offset, limit)
	}
	const count = (query: WindowQuery, values: Gathered | null) => {
		const {grouping, offset, limit} = query
		if (values !== null) return {count: values.ids.length, exact: values.looked.exact}
		const asked = scope(query)
		if (grouping !== 'none') {
			if (isAll(asked)) return {count: timeline.all() - (database.get<{n: number}>('SELECT count(*) AS n FROM follower')?.n ?? 0), exact: true}
			return walks(asked, revision()).count(offset + limit + groupedAhead)
		}
		if (asked.match === null) return {count: asked.ranges.reduce((sum, range) => sum + timeline.count(range), 0), exact: true}
		const most = offset + limit + (asked.slow ? slowAhead : countAhead)
		const counted = countUpTo(database, asked, most + 1)
		return {count: Math.min(counted, most), exact: counted <= most}
	}
	return {
		revision,
		/** The scope of a query's filter and time span. Throws `invalid_argument`. */
		scope,
		/** Ids of a query's rows, newest first. */
		ids,
		/** Rows of a query gathered by a value; `null` without gathering. */
		gathered,
		window: (query: WindowQuery) => {
			const values = gathered(query)
			return {
				rows: rowsOf(database, ids(query, values), besideOf(database, query.grouping, values?.of)),
				offset: query.offset,
				matching: count(query, values),
				all: timeline.all(),
				revision: revision(),
				...(values !== null && {gathering: values.looked})
			}
		},
		position({key, ...query}: PlaceQuery) {
			const {grouping} = query
			const found = rowByKey(database, key)
			if (found === undefined) return -1
			const values = gathered(query)
			if (values !== null) return values.position(found.id)
			const asked = scope(query)
			if (grouping !== 'none') return walks(asked, revision()).position(found.id)
			if (!holds(database, asked, found.id)) return -1
			if (isAll(asked)) return timeline.from(found.id) - 1
			return countUpTo(database, newerThan(asked, found.id), Number.MAX_SAFE_INTEGER)
		},
		detail: (key: string) => detailOf(database, key),
		groups,
		/** Of this event. */
		groupWith: async (key: string) => groupOf(database, (await groups()).get(key)),
		types: () => typesOf(database)
	}
}

function isAll({match, ranges}: Scope) {
	const [first, second] = ranges
	return match === null && second === undefined && first?.low === allIds.low && first.high === allIds.high
}

/** From this offset on the sums find the start faster. */
const far = 2000

function flatIds(database: Database, timeline: Timeline, scope: Scope, offset: number, limit: number) {
	const [range, further] = scope.ranges
	if (scope.match !== null || range === undefined || further !== undefined || offset < far) return idsOf(database, scope, offset, limit)
	const {below, rest} = timeline.jump(offset + timeline.from(range.high))
	return idsOf(database, {...scope, ranges: [{low: range.low, high: Math.min(range.high, below)}]}, rest, limit)
}

/** Of all events, each detection as its newest event. */
function leadIds(database: Database, timeline: Timeline, offset: number, limit: number) {
	const {below, rest} = offset < far ? {below: allIds.high, rest: offset} : timeline.jumpLeads(offset)
	const sql = `SELECT id FROM event e WHERE id < ? AND NOT EXISTS (SELECT 1 FROM follower f WHERE f.id = e.id)
    ORDER BY id DESC LIMIT ? OFFSET ?`
	return database.all<{id: number}>(sql, below, limit, rest).map(({id}) => id)
}

/** A recurring detection may have thousands of events. */
const longestChain = 500

function detailOf(database: Database, key: string): Omit<EventDetail, 'group'> | null {
	const found = rowByKey(database, key)
	if (found === undefined) return null
	const {row, id} = found
	const type = database.get<{description: string}>('SELECT description FROM event_type WHERE id = ?', row.typeId ?? -1)
	return {
		row,
		json: recordAt(database, id),
		chain: chainOf(database, id),
		typeDescription: type === undefined || type.description === '' ? null : type.description
	}
}

function groupOf(database: Database, group: DetectionGroup | undefined) {
	if (group === undefined) return null
	const keys = JSON.stringify(group.keys.slice(-longestChain))
	const ids = database.all<{id: number}>('SELECT id FROM event WHERE key IN (SELECT value FROM json_each(?))', keys)
	return {
		title: group.title,
		events: rowsOf(
			database,
			ids.map(({id}) => id)
		).toReversed()
	}
}

/** The newest events of the same detection, oldest first. */
function chainOf(database: Database, id: number) {
	const sql = `SELECT other.id FROM chain own JOIN chain other ON other.detection = own.detection
    WHERE own.id = ? ORDER BY other.id DESC LIMIT ?`
	const ids = database.all<{id: number}>(sql, id, longestChain).map(other => other.id)
	return rowsOf(database, ids).toReversed()
}

/** The types listed by the service, and those found only in events. */
function typesOf(database: Database) {
	return database.all<EventTypeRow>(
		`SELECT t.id, t.name, t.description, coalesce(f.n, 0) AS count FROM event_type t
      LEFT JOIN facet f ON f.kind = 'type' AND f.value = CAST(t.id AS TEXT)
    UNION ALL
    SELECT CAST(f.value AS INTEGER), f.label, '', f.n FROM facet f WHERE f.kind = 'type' AND f.value GLOB '[0-9]*'
      AND NOT f.value GLOB '*[^0-9]*' AND CAST(f.value AS INTEGER) NOT IN (SELECT id FROM event_type)
    ORDER BY 2, 1`
	)
}

/** Rows of a scope, one for each detection: the newest of its matching events. */
type Grouped = ReturnType<typeof groupedOf>

interface Walked {
	ids: number[]
	detections: Map<number, number>
	/** Where the walk continues: a range of the scope, and an id. */
	range: number
	below: number
	done: boolean
}

interface Step {
	id: number
	detection: number | null
}

const step = 1000

/** Remembers how far it walked through one scope; `name` and `revision` tell whether that is still valid. */
function makeGroupedWalks(database: Database): (scope: Scope, revision: number) => Grouped {
	const known = createRecent<Walked>(1)
	const begin = (): Walked => ({ids: [], detections: new Map(), range: 0, below: Infinity, done: false})
	return (scope, revision) => groupedOf(database, scope, known.remembered(`${revision} ${JSON.stringify(scope)}`, begin))
}

function groupedOf(database: Database, scope: Scope, walked: Walked) {
	const reach = (rows: number) => {
		while (!walked.done && walked.ids.length < rows) walkOn(database, scope, walked)
	}
	return {
		ids(offset: number, limit: number) {
			reach(offset + limit)
			return walked.ids.slice(offset, offset + limit)
		},
		/** Counts at most so many rows. */
		count(limit: number) {
			reach(limit)
			return {count: Math.min(walked.ids.length, Math.max(limit, 0)), exact: walked.done && walked.ids.length <= limit}
		},
		/** Index of that event's row; `-1` when there is none. */
		position(id: number) {
			while (!walked.done && (walked.ids.at(-1) ?? Infinity) > id) walkOn(database, scope, walked)
			const own = placeOf(walked.ids, id)
			if (own !== -1) return own
			const row = database.get<{detection: number}>('SELECT detection FROM chain WHERE id = ?', id)
			return row === undefined ? -1 : (walked.detections.get(row.detection) ?? -1)
		}
	}
}

function walkOn(database: Database, scope: Scope, walked: Walked) {
	const range = scope.ranges[walked.range]
	if (range === undefined) return void (walked.done = true)
	const {text, params} = idsSql(scope, {low: range.low, high: Math.min(range.high, walked.below)})
	const sql = `SELECT m.id, c.detection FROM (${text} ORDER BY ${scope.match === null ? 'id' : 'rowid'} DESC LIMIT ?) m
    LEFT JOIN chain c ON c.id = m.id ORDER BY m.id DESC`
	const steps = database.all<Step>(sql, ...params, BigInt(step))
	for (const {id, detection} of steps) take(walked, id, detection)
	const last = steps.at(-1)
	if (last !== undefined && steps.length === step) walked.below = last.id
	else {
		walked.range += 1
		walked.below = Infinity
		walked.done = walked.range >= scope.ranges.length
	}
}

function take(walked: Walked, id: number, detection: number | null) {
	if (detection !== null) {
		if (walked.detections.has(detection)) return
		walked.detections.set(detection, walked.ids.length)
	}
	walked.ids.push(id)
}

/** For a descending list. */
function placeOf(ids: readonly number[], id: number) {
	let [low, high] = [0, ids.length]
	while (low < high) {
		const middle = (low + high) >> 1
		if ((ids[middle] ?? 0) > id) low = middle + 1
		else high = middle
	}
	return ids[low] === id ? low : -1
}

/** Newest matching events searched: older ones are reported as not searched, never as missing. */
const mostGathered = 10_000

/** The value that gathers rows, and the largest time span of one row. */
interface Gathering {
	by: ValueGrouping
	within: number | null
}

/** Rows of a scope, one for each value, newest first. */
type Gathered = ReturnType<typeof gather>

interface Found {
	id: number
	value: string | null
	guid: string | null
}

interface Row {
	newest: number
	place: number
	oldest: number
	events: number
	computers: Set<string>
}

const column = {hash: 'sha256', computer: 'guid', name: 'detection'} as const

/** Caches the last answer; `revision` tells whether it is still valid. */
export function makeGathering(database: Database, most = mostGathered): (scope: Scope, how: Gathering, revision: number) => Gathered {
	const known = createRecent<Gathered>(1)
	return (scope, how, revision) => known.remembered(`${revision} ${JSON.stringify([how, scope])}`, () => gather(database, scope, how, most))
}

function gather(database: Database, scope: Scope, {by, within}: Gathering, most: number) {
	const ids = idsOf(database, scope, 0, most + 1)
	const sql = `SELECT id, ${column[by]} AS value, guid FROM event WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id DESC`
	const found = database.all<Found>(sql, JSON.stringify(ids.slice(0, most)))
	const oldest = found.at(-1)
	const {rows, rowAt} = gatherRows(found, within === null ? Infinity : idAt(within * 60_000))
	return {
		/** Ids of the representative events. */
		ids: rows.map(({newest}) => newest),
		/** The summary of that event's row. */
		of: (id: number) => factsOf(rowAt.get(id)),
		/** Index of the row that holds that event; `-1` when there is none. */
		position: (id: number) => rowAt.get(id)?.place ?? -1,
		looked: {
			events: found.length,
			without: found.filter(({value}) => value === null).length,
			exact: ids.length <= most,
			oldest: oldest === undefined ? null : timeOf(oldest.id)
		}
	}
}

/** Newest first, `within` in ids. An event without the value has its own row: nothing is omitted. */
export function gatherRows(found: readonly Found[], within: number): {rows: readonly Row[]; rowAt: ReadonlyMap<number, Row>} {
	const rows: Row[] = []
	const rowAt = new Map<number, Row>()
	const open = new Map<string, Row>()
	for (const {id, value, guid} of found) {
		const known = value === null ? undefined : open.get(value)
		const row =
			known !== undefined && known.newest - id <= within
				? known
				: {newest: id, place: rows.length, oldest: id, events: 0, computers: new Set<string>()}
		if (row !== known) rows.push(row)
		if (value !== null) open.set(value, row)
		row.oldest = id
		row.events += 1
		if (guid !== null) row.computers.add(guid)
		rowAt.set(id, row)
	}
	return {rows, rowAt}
}

function factsOf(row: Row | undefined): Pick<EventRow, 'gathered'> {
	if (row === undefined) return {}
	return {gathered: {events: row.events, computers: row.computers.size, since: timeOf(row.oldest)}}
}

function timeOf(id: number) {
	return new Date(Math.floor(id / idAt(1))).toISOString()
}
