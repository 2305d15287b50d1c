import type {LabelReader} from '#core/service/labels/labels.ts'
import type {Database} from '#core/store/database.ts'
import {createRecent} from '#shared/recent.ts'
import {rowOf, type StoredComputer} from './columns.ts'
import type {Condition} from './condition.ts'
import {compileFilter, noLabelsAtAll, type CompiledFilter, type Selection} from './filter-sql.ts'
import {makeTexts, type Texts} from './texts.ts'
import type {ComputerSort} from '#model/choices.ts'

export interface ComputerQuery {
	filter: string
	sort: {column: ComputerSort; descending: boolean}
}

/** How many results are kept until the next change; each takes 4 bytes a row. */
const resultsKept = 8
/** Filters that speak of times ago are looked at anew this often, in milliseconds. */
const relativeStepMs = 10_000

export type Queries = ReturnType<typeof makeQueries>

type Sort = ComputerQuery['sort']
/** Whether what was computed is new enough, though rows may have changed since. */
type IsFresh = () => boolean

/**
 * An order comes from its index, a filter from one scan, and both are ids in a few typed arrays, so that every further window
 * of the same query costs next to nothing. All of it is forgotten with the next change of a row.
 */
export function makeQueries(
	database: Database,
	now: () => number,
	isFresh: IsFresh = () => false,
	labels: LabelReader = noLabelsAtAll,
	texts: Texts = makeTexts(database)
) {
	const orders = createRecent<Int32Array>(resultsKept)
	const results = createRecent<Int32Array>(resultsKept)
	const examples = createRecent<Examples>(resultsKept)
	let known = -1

	const revision = () => {
		if (known >= 0 && isFresh()) return known
		const current = readRevision(database)
		if (current !== known) {
			orders.clear()
			results.clear()
		}
		known = current
		return current
	}
	const orderBy = (column: ComputerSort): Int32Array =>
		orders.remembered(column, () =>
			sortKeys[column].shared ? readSharedOrder(database, column, orderBy('hostname')) : readOrder(database, column)
		)

	const timeStep = () => Math.floor(now() / relativeStepMs) * relativeStepMs
	const resultOf = ({filter, sort}: ComputerQuery) => {
		revision()
		const time = timeStep()
		const compiled = compileFilter(filter, time, labels)
		const key = JSON.stringify([sort, filter, compiled.relative ? time : 0, compiled.labelled ? labels.revision() : 0])
		return results.remembered(key, () => selected({database, texts}, compiled, turned(database, orderBy(sort.column), sort)))
	}
	const readExamples = (compiled: CompiledFilter, filter: string, limit: number, most: number): Examples => {
		const found = fewIds({database, texts}, compiled, most + 1)
		const ids = found ?? resultOf({filter, sort: {column: 'hostname', descending: false}})
		const first = found === null ? Array.from(ids).slice(0, limit) : firstByName(database, ids, limit)
		return {first, matching: Math.min(ids.length, most), exact: ids.length <= most}
	}
	const examplesOf = (filter: string, limit: number, most: number) => {
		const time = timeStep()
		const compiled = compileFilter(filter, time, labels)
		// Of the file itself: new enough for the list may be too old for a single query.
		const moment = [readRevision(database), labels.revision(), compiled.relative ? time : 0]
		const key = JSON.stringify([...moment, filter, limit, most])
		return examples.remembered(key, () => readExamples(compiled, filter, limit, most))
	}
	const stored = (ids: readonly number[]) => readStored(database, ids)
	const row = (found: StoredComputer) => rowOf(found, labels.of(found.guid))

	return {
		revision,
		/** Rows of these ids in the order given. */
		stored,
		row,
		/** Ids of the matching rows; not to be changed. */
		ids: resultOf,
		/** The same in a snapshot of the file: what is computed already is used where nothing has changed since. */
		idsIn: (snapshot: Database, query: ComputerQuery) => {
			const moment = readRevision(snapshot)
			if (readRevision(database) === moment) {
				const ids = resultOf(query)
				if (known === moment && readRevision(database) === moment) return ids
			}
			return makeQueries(snapshot, now, () => false, labels).ids(query)
		},
		query: ({offset, limit, ...query}: ComputerQuery & {offset: number; limit: number}) => {
			const result = resultOf(query)
			const rows = stored([...result.subarray(offset, offset + limit)]).map(row)
			const all = resultOf({...query, filter: ''}).length
			return {rows, offset, matching: result.length, all, revision: known + labels.revision()}
		},
		/** The first rows of a filter and their number up to `most`, without an order of all rows. */
		few: (filter: string, limit: number, most: number) => {
			const {first, ...sums} = examplesOf(filter, limit, most)
			return {rows: stored(first).map(row), ...sums}
		},
		guids: (query: ComputerQuery) => readGuids(database, resultOf(query)),
		position: ({guid, ...query}: ComputerQuery & {guid: string}) => {
			const id = database.get<{id: number}>('SELECT id FROM computer WHERE guid = ?', guid)?.id
			return id === undefined ? -1 : resultOf(query).indexOf(id)
		}
	}
}

/** The first few of what matches. */
interface Examples {
	first: readonly number[]
	matching: number
	/** `false`: there are more. */
	exact: boolean
}

/** Grows with every change of a row. */
function readRevision(database: Database) {
	return database.get<{value: number}>('SELECT value FROM revision')?.value ?? 0
}

interface SortKey {
	key: string
	/** What comes last either way. */
	empty: string | null
	/** Few values for many rows: rows of the same value go by name. */
	shared: boolean
}

const text = (key: string, shared = true): SortKey => ({key, empty: `${key} = ''`, shared})
const time = (key: string): SortKey => ({key, empty: `${key} IS NULL`, shared: false})
const rank = (key: string): SortKey => ({key, empty: null, shared: true})

/** Each column begins an index of `schema.ts`. */
const sortKeys: Readonly<Record<ComputerSort, SortKey>> = {
	hostname: text('name_key', false),
	group: text('group_fold'),
	policy: text('policy_fold'),
	os: text('os_key'),
	connector: text('connector_key'),
	last_seen: time('last_seen'),
	internal_ip: text('ip_key', false),
	external_ip: text('external_key'),
	isolation: rank('rank'),
	compromised: rank('compromised'),
	installed: time('installed')
}

/** Ids of all rows, ascending; equal rows keep the order in which they came to this file, so that nothing jumps. */
function readOrder(database: Database, column: ComputerSort) {
	return readIds(database, {sql: `SELECT id FROM computer ORDER BY ${sortKeys[column].key}, id`, params: []})
}

/**
 * The order by a column with few values, and by name within each. An index over both would cost every write a page;
 * this costs a walk over the index of the column and one over the names.
 */
function readSharedOrder(database: Database, column: ComputerSort, byName: Int32Array) {
	const {key} = sortKeys[column]
	const sql = `SELECT count(*) AS n, group_concat(id) AS ids FROM computer GROUP BY ${key} ORDER BY ${key}`
	const places = new Int32Array(1 + largest(byName))
	const next: number[] = []
	let begin = 0
	for (const {n, ids} of database.all<{n: number; ids: string}>(sql)) {
		for (const id of numbersIn(ids, n)) places[id] = next.length
		next.push(begin)
		begin += n
	}
	const order = new Int32Array(byName.length)
	for (const id of byName) {
		const place = places[id] ?? 0
		const at = next[place] ?? 0
		order[at] = id
		next[place] = at + 1
	}
	return order
}

function largest(ids: Int32Array) {
	return ids.reduce((most, id) => Math.max(most, id), 0)
}

/** Descending is ascending turned around, but for rows without a value: they stay last. */
function turned(database: Database, order: Int32Array, sort: Sort) {
	const {empty} = sortKeys[sort.column]
	const sql = `SELECT count(*) AS n FROM computer WHERE ${empty ?? '0'}`
	const without = database.get<{n: number}>(sql)?.n ?? 0
	const values = order.subarray(without)
	const result = new Int32Array(order.length)
	result.set(sort.descending ? values.toReversed() : values)
	result.set(order.subarray(0, without), values.length)
	return result
}

interface Sources {
	database: Database
	texts: Texts
}

function selected(sources: Sources, filter: CompiledFilter, order: Int32Array) {
	const listed = filter.listedOnly ? without(order, readIds(sources.database, vanishedIds)) : order
	return filter.selections.reduce((left, selection) => {
		const ids = idsOf(sources, selection)
		return selection.negated ? without(left, ids) : only(left, ids)
	}, listed)
}

/** Rows that are looked up one by one; for more of them a scan is quicker. */
const fewRows = 500

function idsOf({database, texts}: Sources, selection: Selection) {
	if (selection.kind === 'words') return Int32Array.from(texts.holding([selection.forms], Infinity))
	const {hint, sql, params} = selection
	if (hint === null) return readIds(database, selection)
	const hinted = texts.holding([[hint]], fewRows + 1)
	if (hinted.length > fewRows) return readIds(database, selection)
	const narrowed = `${sql} AND id IN (SELECT value FROM json_each(?))`
	return readIds(database, {sql: narrowed, params: [...params, JSON.stringify(hinted)]})
}

/** The ids of a filter, up to `most`, where no order of all rows is needed for them; else `null`. */
function fewIds(sources: Sources, filter: CompiledFilter, most: number) {
	const {listedOnly, selections} = filter
	const [first, further] = selections
	if (first === undefined || selections.some(({negated}) => negated)) return null
	const gone = listedOnly ? readVanished(sources.database) : new Set<number>()
	const words = selections.flatMap(selection => (selection.kind === 'words' ? [selection.forms] : []))
	if (words.length === selections.length) return sources.texts.holding(words, most, gone)
	if (further !== undefined) return null
	return idsOf(sources, first).filter(id => !gone.has(id))
}

/** By name where there are few; of many any will do as examples. */
function firstByName(database: Database, ids: ArrayLike<number>, limit: number) {
	if (ids.length > fewRows) return Array.from(ids).slice(0, limit)
	const sql = 'SELECT id FROM computer WHERE id IN (SELECT value FROM json_each(?)) ORDER BY name_key, id LIMIT ?'
	const rows = database.all<{id: number}>(sql, JSON.stringify(Array.from(ids)), limit)
	return rows.map(({id}) => id)
}

/** Ids of the rows that the service no longer lists. */
export function readVanished(database: Database): ReadonlySet<number> {
	return new Set(readIds(database, vanishedIds))
}

const vanishedIds: Condition = {sql: 'SELECT id FROM computer WHERE vanished_at IS NOT NULL', params: []}

function only(order: Int32Array, ids: Int32Array) {
	const wanted = marked(ids)
	return order.filter(id => wanted[id] === 1)
}

function without(order: Int32Array, ids: Int32Array) {
	if (ids.length === 0) return order
	const unwanted = marked(ids)
	return order.filter(id => unwanted[id] !== 1)
}

function marked(ids: Int32Array) {
	const marks = new Uint8Array(1 + largest(ids))
	for (const id of ids) marks[id] = 1
	return marks
}

/** As one text: a hundred thousand rows as objects would cost three times as much. `LIMIT -1` keeps the inner order. */
export function readIds(database: Database, {sql, params}: Condition) {
	const joined = `SELECT count(*) AS n, group_concat(id) AS ids FROM (${sql} LIMIT -1)`
	const row = database.get<{n: number; ids: string | null}>(joined, ...params)
	return numbersIn(row?.ids ?? '', row?.n ?? 0)
}

/** The `count` numbers of a text such as `12,7,300`. */
export function numbersIn(text: string, count: number): Int32Array {
	const numbers = new Int32Array(count)
	const comma = 44
	let at = 0
	let number = 0
	for (let place = 0; place < text.length; place += 1) {
		const code = text.charCodeAt(place)
		if (code !== comma) number = number * 10 + code - 48
		else {
			numbers[at] = number
			at += 1
			number = 0
		}
	}
	if (count > 0) numbers[at] = number
	return numbers
}

/** All GUIDs with their ids, from their index: for many rows this is far less than looking each of them up. */
function readGuids(database: Database, ids: Int32Array) {
	const sql = `SELECT count(*) AS n, group_concat(id) AS ids, json_group_array(guid) AS guids
    FROM (SELECT id, guid FROM computer LIMIT -1)`
	const all = database.get<{n: number; ids: string | null; guids: string}>(sql)
	// Made by SQLite from a text column.
	const guids = JSON.parse(all?.guids ?? '[]') as readonly string[]
	const places = numbersIn(all?.ids ?? '', all?.n ?? 0)
	const byId = new Map(guids.map((guid, place) => [places[place], guid]))
	return Array.from(ids, id => byId.get(id) ?? '')
}

/** Rows of these ids in the order given. */
export function readStored(database: Database, ids: readonly number[]) {
	const sql = 'SELECT * FROM computer JOIN reading USING (id) WHERE id IN (SELECT value FROM json_each(?))'
	const byId = new Map(database.all<StoredComputer>(sql, JSON.stringify(ids)).map(row => [row.id, row]))
	return ids.flatMap(id => byId.get(id) ?? [])
}
