import type {Database} from '#core/store/database.ts'
import type {ErrorReport} from '#contract/errors.ts'
import type {FileListItem} from '#model/file-list.ts'
import {fold} from '#model/fold.ts'
import type {Records} from './source.ts'
import type {ItemOrder, ItemQuery} from './types.ts'

export type ItemState = Readonly<{
	id: number
	stored: number
	total: number | null
	readAt: number | null
	wholeAt: number | null
	problem: ErrorReport | null
}>

export interface StoredItem {
	readonly sha256: string
	readonly description: string
	readonly source: string
	readonly first_seen: number | null
}

interface ListRow {
	id: number
	total: number | null
	read_at: number | null
	whole_at: number | null
	pass: number
	problem: string | null
	stored: number
}

/** Items of all lists. Callers write within a transaction. */
export type Items = ReturnType<typeof makeItems>

export function makeItems(database: Database) {
	/** Removed while a page that may still hold them was loading. */
	const removed = new Map<string, number>()
	const row = (guid: string) => database.get<ListRow>('SELECT * FROM item_list WHERE guid = ?', guid.toLowerCase())
	const open = (guid: string) => {
		database.run('INSERT INTO item_list (guid) VALUES (?) ON CONFLICT DO NOTHING', guid.toLowerCase())
		const made = row(guid)
		if (made === undefined) throw new Error('a row that was just written is missing')
		return made
	}
	const write = (list: ListRow, item: FileListItem, at: number, pass: number, firstSeen: number | null) => {
		const [description, source] = [item.description ?? '', item.source ?? '']
		return database.run(
			`INSERT INTO item VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET description = excluded.description, source = excluded.source,
         note_fold = excluded.note_fold, source_fold = excluded.source_fold, pass = excluded.pass, at = excluded.at
       WHERE excluded.at >= at OR excluded.pass > pass`,
			...[list.id, item.sha256.toLowerCase(), description, source, fold(description), fold(source), firstSeen, pass, at]
		).changes
	}
	return {
		...readers(database, row),
		begin: (guid: string) => {
			const {id, pass} = open(guid)
			// What was removed before is in no page of this reading, whatever the clock says.
			for (const key of removed.keys()) if (key.startsWith(`${id} `)) removed.delete(key)
			database.run('UPDATE item_list SET pass = ? WHERE id = ?', pass + 1, id)
			return pass + 1
		},
		put: (guid: string, {records, at, total}: Records<FileListItem>, pass: number) => {
			const list = open(guid)
			const firstSeen = list.whole_at === null ? null : at
			const there = records.filter(({sha256}) => (removed.get(keyOf(list.id, sha256)) ?? -1) < at)
			const hashes = new Set(there.map(({sha256}) => sha256.toLowerCase()))
			const fresh = hashes.size - countOf(database, list.id, [...hashes])
			for (const item of there) write(list, item, at, pass, firstSeen)
			const sql = 'UPDATE item_list SET read_at = ?, total = coalesce(?, total), stored = stored + ? WHERE id = ?'
			database.run(sql, at, total, fresh, list.id)
		},
		/** Ends the reading; items missing from a whole one are gone. */
		end: (guid: string, pass: number, at: number, {whole, problem}: {whole: boolean; problem: ErrorReport | null}) => {
			const list = open(guid)
			const gone = whole ? database.run('DELETE FROM item WHERE list = ? AND pass <> ?', list.id, pass).changes : 0
			database.run(
				'UPDATE item_list SET whole_at = iif(?, ?, whole_at), problem = ?, stored = stored - ? WHERE id = ?',
				...[whole ? 1 : 0, at, problem === null ? null : JSON.stringify(problem), gone, list.id]
			)
		},
		setTotal: (guid: string, total: number | null) => void database.run('UPDATE item_list SET total = ? WHERE id = ?', total, open(guid).id),
		/** `changed`: the item was just added or removed; otherwise only looked up. */
		add: (guid: string, item: FileListItem, at: number, changed: boolean) => {
			const list = open(guid)
			removed.delete(keyOf(list.id, item.sha256))
			const fresh = 1 - countOf(database, list.id, [item.sha256.toLowerCase()])
			write(list, item, at, list.pass, at)
			// For a partly read list, it is unknown whether the total includes the item.
			const counted = changed || list.whole_at !== null ? fresh : 0
			database.run('UPDATE item_list SET total = total + ?, stored = stored + ? WHERE id = ?', counted, fresh, list.id)
		},
		remove: (guid: string, sha256: string, at: number, changed: boolean) => {
			const list = open(guid)
			removed.set(keyOf(list.id, sha256), at)
			const {changes} = database.run('DELETE FROM item WHERE list = ? AND sha256 = ?', list.id, sha256.toLowerCase())
			const counted = changes > 0 || (changed && list.whole_at === null) ? 1 : 0
			database.run('UPDATE item_list SET total = max(0, total - ?), stored = stored - ? WHERE id = ?', counted, changes, list.id)
		},
		/** Forgets items of deleted lists. */
		forget: () => {
			const gone = "guid NOT IN (SELECT guid FROM object WHERE kind = 'list')"
			database.run(`DELETE FROM item WHERE list IN (SELECT id FROM item_list WHERE ${gone})`)
			database.run(`DELETE FROM item_list WHERE ${gone}`)
		}
	}
}

const dayMs = 86_400_000

const shown = 'sha256, description, source, first_seen'

function readers(database: Database, row: (guid: string) => ListRow | undefined) {
	function* ordered(list: number, {search, sort, descending}: ItemOrder, part = '', ...bounds: readonly number[]) {
		const {sql, params, notes} = searchOf(search)
		const order = orders[sort].map(column => `${column} ${descending ? 'DESC' : 'ASC'}`).join(', ')
		const found = `SELECT sha256 FROM item ${indexFor(sort, notes)} WHERE list = ? AND ${sql} ORDER BY ${order} ${part}`
		for (const {sha256} of database.prepare(found).iterate<{sha256: string}>(list, ...params, ...bounds)) yield sha256
	}
	return {
		state: (guid: string) => {
			const list = row(guid)
			if (list === undefined) return undefined
			const problem = list.problem === null ? null : (JSON.parse(list.problem) as ErrorReport)
			const {id, stored, total, read_at: readAt, whole_at: wholeAt} = list
			return {id, stored, total, readAt, wholeAt, problem}
		},
		window: (list: number, {offset, limit, ...order}: ItemQuery) => {
			// A covering index gives the hashes; only visible rows are looked up.
			return picked(database, list, [...ordered(list, order, 'LIMIT ? OFFSET ?', limit, offset)])
		},
		count: (list: number, search: string) => {
			const {sql, params, notes} = searchOf(search)
			const counting = `SELECT count(*) AS n FROM item ${indexFor('seen', notes)} WHERE list = ? AND ${sql}`
			return database.get<{n: number}>(counting, list, ...params)?.n ?? 0
		},
		hashes: (list: number, search: string) => {
			const {sql, params, notes} = searchOf(search)
			const found = `SELECT group_concat(sha256) AS joined FROM item ${indexFor('seen', notes)} WHERE list = ? AND ${sql}`
			const joined = database.get<{joined: string | null}>(found, list, ...params)?.joined ?? null
			return joined === null ? [] : joined.split(',')
		},
		/** Matching hashes in order; the order by number of computers is unknown here, so it falls back to the hash. */
		ordered: (list: number, order: ItemOrder) => ordered(list, order),
		/** How many items come before this one; `-1` when it does not match. */
		position: (list: number, order: ItemOrder, sha256: string) => positionOf(database, list, order, sha256),
		pick: (list: number, hashes: readonly string[]) => picked(database, list, hashes),
		/** Since when its hashes are known here, by days. */
		ages: (guid: string) => {
			const rows = database.all<{day: number | null; n: number}>(
				`SELECT first_seen / ${dayMs} AS day, count(*) AS n FROM item WHERE list = ? GROUP BY day ORDER BY day`,
				row(guid)?.id ?? -1
			)
			return {
				undated: rows.find(({day}) => day === null)?.n ?? 0,
				days: rows.flatMap(({day, n}) => (day === null ? [] : [{day: new Date(day * dayMs).toISOString(), hashes: n}]))
			}
		},
		holding: (sha256: string) =>
			database.all<StoredItem & {guid: string}>(
				`SELECT guid, ${shown} FROM item CROSS JOIN item_list ON item_list.id = list WHERE sha256 = ? ORDER BY guid`,
				sha256.toLowerCase()
			),
		/** Which of these hashes (lower case) are on which lists. */
		holdings: (hashes: readonly string[]) =>
			database.all<{sha256: string; guid: string}>(
				`SELECT sha256, guid FROM json_each(?) CROSS JOIN item ON sha256 = value CROSS JOIN item_list ON item_list.id = list
         ORDER BY guid`,
				JSON.stringify(hashes)
			)
	}
}

const orders = {sha256: ['sha256'], seen: ['sha256'], description: ['note_fold', 'sha256'], source: ['source_fold', 'sha256']} as const

/** By hash, the table itself is in order. A search reads every note, and their index holds them together. */
function indexFor(sort: ItemQuery['sort'], notes: boolean) {
	if (sort === 'source') return 'INDEXED BY item_source'
	return sort === 'description' || notes ? 'INDEXED BY item_note' : 'NOT INDEXED'
}

function positionOf(database: Database, list: number, order: ItemOrder, sha256: string) {
	const {search, sort, descending} = order
	const {sql, params, notes} = searchOf(search)
	const columns = orders[sort]
	const own = `SELECT sha256, note_fold, source_fold FROM item WHERE list = ? AND sha256 = ? AND ${sql}`
	const row = database.get<Readonly<Record<(typeof columns)[number], string>>>(own, list, sha256.toLowerCase(), ...params)
	if (row === undefined) return -1
	const before = `(${columns.join(', ')}) ${descending ? '>' : '<'} (${columns.map(() => '?').join(', ')})`
	const counting = `SELECT count(*) AS n FROM item ${indexFor(sort, notes)} WHERE list = ? AND ${sql} AND ${before}`
	const values = columns.map(column => row[column])
	return database.get<{n: number}>(counting, list, ...params, ...values)?.n ?? -1
}

function picked(database: Database, list: number, hashes: readonly string[]) {
	const sql = `SELECT ${shown} FROM item WHERE list = ? AND sha256 IN (SELECT value FROM json_each(?))`
	const rows = new Map(database.all<StoredItem>(sql, list, JSON.stringify(hashes)).map(row => [row.sha256, row]))
	return hashes.flatMap(hash => rows.get(hash) ?? [])
}

function countOf(database: Database, list: number, hashes: readonly string[]) {
	const sql = 'SELECT count(*) AS n FROM item WHERE list = ? AND sha256 IN (SELECT value FROM json_each(?))'
	return database.get<{n: number}>(sql, list, JSON.stringify(hashes))?.n ?? 0
}

function keyOf(list: number, sha256: string) {
	return `${list} ${sha256.toLowerCase()}`
}

interface Condition {
	sql: string
	params: readonly string[]
	/** It searches notes too, not hashes alone. */
	notes: boolean
}

/**
 * Items whose hash starts with the text, or whose note holds all its words; quotation marks keep words together. An empty
 * text matches all.
 */
function searchOf(text: string) {
	const typed = fold(text).trim()
	if (typed === '') return {sql: '1', params: [], notes: false}
	const words = wordsOf(typed)
	const noted: Condition = {sql: words.map(() => 'instr(note_fold, ?) > 0').join(' AND '), params: words, notes: true}
	if (!/^[0-9a-f]{1,64}$/.test(typed)) return noted
	const begins: Condition = {sql: 'sha256 >= ? AND sha256 < ?', params: [typed, `${typed}g`], notes: false}
	// That many hex digits are not a word.
	if (typed.length >= 9) return begins
	return {sql: `((${begins.sql}) OR (${noted.sql}))`, params: [...begins.params, ...noted.params], notes: true}
}

function wordsOf(typed: string) {
	const words = [...typed.matchAll(/"([^"]+)"?|[^\s"]+/g)].map(([whole, quoted]) => quoted ?? whole)
	// Searches for a lone quotation mark literally.
	return words.length === 0 ? [typed] : words
}
