/** How many rows of a query have each value of the facets. */
import {setImmediate as pause} from 'node:timers/promises'

import type {ComputerFacets, ComputerFacetValue} from '#contract/computer-list.ts'
import {parseFilter} from '#model/computer-filter.ts'
import {cutOut} from '#model/filter-language.ts'
import type {FilterField} from '#model/filter-term.ts'
import type {LabelReader} from '#core/service/labels/labels.ts'
import type {Database} from '#core/store/database.ts'
import {createRecent} from '#shared/recent.ts'
import {computerFacets, seenAges, type ComputerFacet} from '#model/choices.ts'
import {numbersIn, type Queries, readIds} from './queries.ts'

/** Values that one computer can have several of are told by lists of ids, all others by a code for each id. */
type Coded = {kind: 'codes'; values: readonly string[]; codes: Uint16Array} | {kind: 'lists'; lists: readonly {value: string; ids: Int32Array}[]}

/** What is asked of a facet in the filter. */
const fields: Readonly<Record<ComputerFacet, FilterField>> = {
	seen: 'last_seen',
	group: 'group',
	os: 'os',
	policy: 'policy',
	connector: 'connector',
	isolation: 'isolation',
	compromised: 'compromised',
	tag: 'tag',
	role: 'role',
	guess: 'guess'
}
const mostValues = 100
/** Ages are looked at anew this often, in milliseconds. */
const ageStepMs = 60_000

interface FacetDependencies {
	database: Database
	queries: Queries
	labels: LabelReader
	now: () => number
	/** Aborted when the copy is closed. */
	ended: AbortSignal
}

export function makeFacets(deps: FacetDependencies) {
	const {database, queries, labels, now, ended} = deps
	const kept = createRecent<Coded>(computerFacets.length)
	const codedOf = (facet: ComputerFacet, revision: number) => {
		const time = Math.floor(now() / ageStepMs) * ageStepMs
		const of = `${facet} ${revision} ${facet === 'seen' ? time : ''} ${facet === 'tag' || facet === 'role' ? labels.revision() : ''}`
		return kept.remembered(of, () => readCoded(database, labels, facet, time))
	}
	const idsOf = (filter: string) => queries.ids({filter, sort: {column: 'hostname', descending: false}})
	return {
		/** Takes turns with requests for rows: no piece takes longer than a walk over one index. */
		read: async (filter: string, signal: AbortSignal | undefined) => {
			const matching = idsOf(filter).length
			const counted: (readonly [ComputerFacet, readonly ComputerFacetValue[]])[] = []
			for (const facet of computerFacets) {
				await pause()
				signal?.throwIfAborted()
				ended.throwIfAborted()
				const ids = idsOf(withoutField(filter, fields[facet]))
				await pause()
				ended.throwIfAborted()
				counted.push([facet, countsOf(facet, codedOf(facet, queries.revision()), ids)])
			}
			// One entry for each name.
			return {facets: Object.fromEntries(counted) as ComputerFacets['facets'], matching}
		}
	}
}

/** The filter without what it asks for of this field; what it excludes stays. */
export function withoutField(filter: string, field: FilterField) {
	const asked = parseFilter(filter).terms.filter(term => term.field === field && !term.negated)
	return asked.toReversed().reduce((text, term) => cutOut(text, term), filter)
}

function countsOf(facet: ComputerFacet, coded: Coded, ids: Int32Array) {
	const counts = coded.kind === 'codes' ? countCodes(coded, ids) : countLists(coded, ids)
	const present = counts.filter(({count}) => count > 0)
	if (facet === 'seen' || facet === 'isolation') return present
	return present.toSorted((a, b) => b.count - a.count).slice(0, mostValues)
}

function countCodes({values, codes}: Extract<Coded, {kind: 'codes'}>, ids: Int32Array) {
	const counts = new Int32Array(values.length + 1)
	for (const id of ids) {
		const code = codes[id] ?? 0
		counts[code] = (counts[code] ?? 0) + 1
	}
	return values.map((value, place) => ({value, count: counts[place + 1] ?? 0}))
}

function countLists({lists}: Extract<Coded, {kind: 'lists'}>, ids: Int32Array) {
	if (lists.length === 0) return []
	const among = new Uint8Array(1 + ids.reduce((most, id) => Math.max(most, id), 0))
	for (const id of ids) among[id] = 1
	return lists.map(({value, ids: own}) => ({value, count: own.reduce((sum, id) => sum + (among[id] ?? 0), 0)}))
}

function readCoded(database: Database, labels: LabelReader, facet: ComputerFacet, now: number): Coded {
	switch (facet) {
		case 'seen':
			return codesOf(readAges(database, now))
		case 'tag':
		case 'role':
			return {kind: 'lists', lists: readLabels(database, labels, facet)}
		case 'guess':
			return {kind: 'lists', lists: readGuesses(database)}
		default: {
			const [key, value] = columns[facet]
			return codesOf(readColumn(database, key, value))
		}
	}
}

/** What groups the rows of a facet, and the value of each. */
const columns = {
	group: ['group_fold', 'group_name'],
	policy: ['policy_fold', 'policy_name'],
	os: ['os_key', 'os'],
	connector: ['connector_key', 'connector'],
	isolation: ['rank', 'glance'],
	compromised: ['compromised', "iif(compromised, 'yes', 'no')"]
} as const

interface ValueIds {
	value: string
	ids: Int32Array
}

/** The place of a computer's value, counted from 1; 0 is none. */
export function placesOf(lists: readonly ValueIds[]): Uint16Array {
	const largest = lists.reduce((most, {ids}) => ids.reduce((id, other) => Math.max(id, other), most), 0)
	const places = new Uint16Array(largest + 1)
	for (const [place, {ids}] of lists.entries()) for (const id of ids) places[id] = place + 1
	return places
}

function codesOf(lists: readonly ValueIds[]): Coded {
	return {kind: 'codes', values: lists.map(({value}) => value), codes: placesOf(lists)}
}

interface Joined {
	n: number
	ids: string | null
}

/** A walk over the index of the column, which holds the ids too; the value itself is that of one row each. */
export function readColumn(database: Database, key: string, value: string): readonly ValueIds[] {
	const rows = database.all<Joined & {id: number}>(
		`SELECT count(*) AS n, group_concat(id) AS ids, min(id) AS id FROM computer GROUP BY ${key} ORDER BY ${key}`
	)
	const one = database.prepare(`SELECT ${value} AS value FROM computer WHERE id = ?`)
	return rows.map(({n, ids, id}) => ({value: one.get<{value: string}>(id)?.value ?? '', ids: numbersIn(ids ?? '', n)}))
}

function readAges(database: Database, now: number) {
	const read = (where: string, ...params: readonly number[]) => readIds(database, {sql: `SELECT id FROM computer WHERE ${where}`, params})
	let newer: number | null = null
	return seenAges.map(({id, ms}) => {
		if (id === 'never') return {value: id, ids: read('last_seen IS NULL')}
		const to = newer
		const from = ms === null ? null : now - ms
		newer = from
		if (to === null) return {value: id, ids: read('last_seen >= ?', from ?? 0)}
		if (from === null) return {value: id, ids: read('last_seen < ?', to)}
		return {value: id, ids: read('last_seen >= ? AND last_seen < ?', from, to)}
	})
}

function readLabels(database: Database, labels: LabelReader, kind: 'tag' | 'role') {
	const sql = 'SELECT id FROM computer WHERE guid IN (SELECT value FROM json_each(?))'
	return labels.all(kind).map(({value, guids}) => ({value, ids: readIds(database, {sql, params: [JSON.stringify(guids)]})}))
}

/** Few combinations of roles occur, each for many computers. */
function readGuesses(database: Database) {
	const rows = database.all<Joined & {guess: string}>(
		`SELECT guess, count(*) AS n, group_concat(id) AS ids FROM computer WHERE guess <> ',' GROUP BY guess`
	)
	const lists = new Map<string, number[]>()
	for (const {guess, n, ids} of rows) {
		const own = numbersIn(ids ?? '', n)
		for (const role of guess.split(',').filter(part => part !== '')) {
			const list = lists.get(role) ?? []
			for (const id of own) list.push(id)
			lists.set(role, list)
		}
	}
	return [...lists].map(([value, ids]) => ({value, ids: Int32Array.from(ids)}))
}
