import type {Database, Param} from '#core/store/database.ts'
import type {Computer} from '#model/computer.ts'
import {parseExact} from '#model/exact-json.ts'
import {ipv4Number} from '#model/filter-values.ts'
import {fold} from '#model/fold.ts'
import {
	columnsOf,
	isolationColumns,
	type IsolationColumns,
	jsonOf,
	listOf,
	macDigits,
	type RecordColumns,
	searchTexts,
	type SearchTexts,
	type StoredComputer,
	unknownIsolation,
	glanceRanks
} from './columns.ts'

/** A computer as a reading gives it. */
export interface Reading {
	readonly record: Computer
	/** The record as text, where it is known already. */
	readonly json?: string | undefined
	/** Unix milliseconds. */
	readonly at: number
	/** It may lack fields: what it does not say stays as it was. */
	readonly merged: boolean
}

export function emptyBatch(): Batch {
	return {grown: new Set(), changed: new Set(), added: new Map()}
}

/** What decides whether a reading changes anything. */
interface Known {
	id: number
	read_at: number
	isolation_at: number
	vanished_at: number | null
	available: number
	status: string
	json: string
}

/** Writes rows; to be called within a transaction, whose last call is `finish`. Each returns whether any row changed. */
export type Rows = ReturnType<typeof makeRows>

export function makeRows(database: Database, now: () => number) {
	const find = database.prepare(
		`SELECT id, read_at, isolation_at, vanished_at, available, status, json
     FROM computer JOIN reading USING (id) JOIN record USING (id) WHERE guid = ?`
	)
	const whole = database.prepare('SELECT * FROM computer JOIN reading USING (id) WHERE id = ?')
	const writeJson = database.prepare('INSERT OR REPLACE INTO record VALUES (?, ?)')
	const writeReading = database.prepare('INSERT OR REPLACE INTO reading VALUES (?, ?, ?)')
	const named = database.prepare('SELECT name FROM computer_group WHERE guid = ?')
	const insertRow = makeInsert(database)
	const lists = makeLists(database)
	const groupName = (guid: string) => named.get<{name: string}>(guid)?.name
	// A clock that was set back must not freeze the copy: a time that lies ahead of now is as good as none.
	const isNewer = (at: number, known: number) => at >= known || known > now()

	const insert = ({record, json, at}: Reading, batch: Batch): true => {
		const columns = columnsOf(record, groupName)
		const isolation = record.isolation === undefined ? unknownIsolation : isolationColumns(record.isolation)
		const isolationAt = record.isolation === undefined ? 0 : at
		const id = insertRow(record.connector_guid, columns, isolation, isolationAt)
		writeReading.run(id, at, isolationAt)
		writeJson.run(id, json ?? jsonOf(record))
		lists.write(id, record.connector_guid, columns)
		batch.grown.add(columns.host_fold)
		noteAdded(batch.added, columns, isolation)
		return true
	}

	const update = (old: StoredComputer, record: Computer, isolation: Partial<StoredComputer>, names: Names) => {
		const columns = columnsOf(record, groupName)
		const back = old.vanished_at === null ? {} : {vanished_at: null}
		const changes = {...differing(old, columns), ...differing(old, isolation), ...back}
		updateRow(database, old.id, changes)
		if (textOf(old.guid, old) !== textOf(old.guid, columns)) lists.rewrite(old.id, old.guid, columns)
		if ('host_fold' in changes || 'vanished_at' in changes) names.changed.add(old.host_fold).add(columns.host_fold)
		return Object.keys(changes).length > 0
	}

	/** The same text as before says nothing new, unless another reading of the isolation came in between. */
	const put = ({record, json: given, at, merged}: Reading, known: Known, names: Names) => {
		const full = merged ? mergedWith(known.json, record) : record
		const json = merged ? jsonOf(full) : (given ?? jsonOf(full))
		const fresh = record.isolation !== undefined && isNewer(at, known.isolation_at)
		writeReading.run(known.id, at, fresh ? at : known.isolation_at)
		const sameJson = json === known.json
		const sameIsolation = !fresh || isSameIsolation(known, record)
		if (sameJson && sameIsolation && known.vanished_at === null) return false
		if (!sameJson) writeJson.run(known.id, json)
		const old = whole.get<StoredComputer>(known.id)
		if (old === undefined) return false
		const isolation = fresh && record.isolation !== undefined ? isolationChanges(known, record.isolation, at) : {}
		return update(old, full, isolation, names) || !sameJson
	}

	return {
		/** Notes in `batch` what has to be written once all rows are there. */
		put: (reading: Reading, batch: Batch) => {
			const known = find.get<Known>(reading.record.connector_guid)
			if (known === undefined) return insert(reading, batch)
			if (!isNewer(reading.at, Math.max(known.read_at, known.vanished_at ?? 0))) return false
			return put(reading, known, batch)
		},
		putIsolation: (guid: string, isolation: {available: boolean; status: string}, at: number) => {
			const known = find.get<Known>(guid)
			if (known === undefined || !isNewer(at, known.isolation_at)) return false
			writeReading.run(known.id, known.read_at, at)
			const old = whole.get<StoredComputer>(known.id)
			if (old === undefined) return false
			const changes = differing(old, isolationChanges(known, isolation, at))
			updateRow(database, old.id, changes)
			return Object.keys(changes).length > 0
		},
		vanish: (where: string, params: readonly Param[], at: number) => {
			const gone = database.all<{host_fold: string}>(
				`UPDATE computer SET vanished_at = ?, duplicate = 0
         WHERE vanished_at IS NULL AND id IN (SELECT id FROM reading WHERE ${where}) RETURNING host_fold`,
				at,
				...params
			)
			markDuplicates(database, {grown: new Set(), changed: new Set(gone.map(row => row.host_fold))})
			return gone.length > 0
		},
		finish: makeFinish(database),
		/** Whether a reading counts beside the known one. */
		isNewer,
		rename: (group: {guid: string; name: string}) => rename(database, group)
	}
}

function textOf(guid: string, columns: RecordColumns) {
	return Object.values(searchTexts(guid, columns)).join('\0')
}

function isSameIsolation(known: Known, {isolation}: Computer) {
	if (known.isolation_at === 0) return false
	return known.status === isolation?.status && known.available === (isolation.available ? 1 : 0)
}

/** A state that is read for the first time, or differs, is known since this reading. */
function isolationChanges(known: Known, isolation: {available: boolean; status: string}, at: number): IsolationColumns & {state_since?: number} {
	const columns = isolationColumns(isolation)
	return known.isolation_at > 0 && known.status === columns.status ? columns : {...columns, state_since: at}
}

function mergedWith(json: string, record: Computer) {
	// The stored text was written from a checked record.
	return {...(parseExact(json) as unknown as Computer), ...record}
}

/** Called for each row of a listing, so without copies. */
function differing(old: StoredComputer, columns: Partial<StoredComputer>) {
	const changes: Record<string, Param> = {}
	// The keys of a literal type; TypeScript knows them only as texts.
	for (const name of Object.keys(columns) as (keyof StoredComputer)[]) {
		const value = columns[name]
		if (value !== undefined && value !== old[name]) changes[name] = value
	}
	return changes
}

/* The statements that write computers: rows, what is searched in them, and what several rows have to do with each other. */

/** Folded names of new computers, and old and new names of changed ones: their duplicate marks may be wrong. */
interface Names {
	grown: Set<string>
	changed: Set<string>
}

interface Batch extends Names {
	added: Added
}

type Changes = Readonly<Record<string, Param>>

/** The binding order. The names are keys of literals in `columns.ts`, never data. */
const recordNames = Object.keys(columnsOf({connector_guid: ''}, () => undefined)) as readonly (keyof RecordColumns)[]
const isolationNames = Object.keys(unknownIsolation) as readonly (keyof IsolationColumns)[]

function makeInsert(database: Database): (guid: string, columns: RecordColumns, isolation: IsolationColumns, since: number) => number {
	const names = ['guid', ...recordNames, ...isolationNames, 'state_since']
	const statement = database.prepare(`INSERT INTO computer (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`)
	return (guid, columns, isolation, since) =>
		statement.run(guid, ...recordNames.map(name => columns[name]), ...isolationNames.map(name => isolation[name]), since).lastId
}

/** Writes only what differs, so that SQLite leaves indexes of other columns alone. */
function updateRow(database: Database, id: number, columns: Changes) {
	const names = Object.keys(columns)
	if (names.length === 0) return
	const set = names.map(name => `${name} = ?`)
	database.run(`UPDATE computer SET ${set.join(', ')} WHERE id = ?`, ...Object.values(columns), id)
}

function makeLists(database: Database) {
	const address = database.prepare('INSERT INTO address VALUES (?, ?, ?, ?)')
	const mac = database.prepare('INSERT OR IGNORE INTO mac VALUES (?, ?)')
	const write = (id: number, guid: string, columns: RecordColumns) => {
		writeTexts(database, id, searchTexts(guid, columns))
		for (const [place, text] of listOf(columns.ips).entries()) {
			address.run(id, place, fold(text), ipv4Number(text) ?? null)
		}
		for (const text of listOf(columns.macs)) mac.run(id, macDigits(text))
	}
	return {
		write,
		rewrite: (id: number, guid: string, columns: RecordColumns) => {
			database.run('DELETE FROM address WHERE id = ?', id)
			database.run('DELETE FROM mac WHERE id = ?', id)
			write(id, guid, columns)
		}
	}
}

function writeTexts(database: Database, id: number, {host, numbers, others}: SearchTexts) {
	database.run('INSERT OR REPLACE INTO search VALUES (?, ?, ?, ?)', id, host, numbers, others)
}

function makeFinish(database: Database) {
	const writeSums = makeSums(database)
	return (batch: Batch) => {
		writeSums(batch.added)
		return markDuplicates(database, batch)
	}
}

/** A name is a duplicate when several listed computers have it. */
function markDuplicates(database: Database, {grown, changed}: Names) {
	const count = database.prepare('SELECT count(*) AS n FROM computer WHERE host_fold = ? AND vanished_at IS NULL')
	const mark = database.prepare('UPDATE computer SET duplicate = ?1 WHERE host_fold = ?2 AND vanished_at IS NULL AND duplicate <> ?1')
	let rows = 0
	for (const name of new Set([...grown, ...changed])) {
		const several = name !== '' && (count.get<{n: number}>(name)?.n ?? 0) > 1
		// A new row is unmarked, so only a changed name can have a mark to remove.
		if (several || changed.has(name)) rows += mark.run(several ? 1 : 0, name).changes
	}
	return rows > 0
}

/** Records keep the group name of their last reading. */
function rename(database: Database, group: {guid: string; name: string}) {
	const others = database.all<{group_name: string}>(
		'SELECT group_name FROM member WHERE group_guid = ? AND group_name <> ? AND n > 0',
		group.guid,
		group.name
	)
	for (const {group_name: name} of others) renameMembers(database, group, name)
}

function renameMembers(database: Database, {guid, name}: {guid: string; name: string}, from: string) {
	const members = database.all<StoredComputer>(
		`SELECT * FROM computer JOIN reading USING (id)
     WHERE group_fold = ? AND group_guid = ? AND group_name = ? AND vanished_at IS NULL`,
		fold(from),
		guid,
		from
	)
	for (const member of members) {
		const columns = {...member, group_name: name, group_fold: fold(name)}
		updateRow(database, member.id, {group_name: columns.group_name, group_fold: columns.group_fold})
		writeTexts(database, member.id, searchTexts(member.guid, columns))
	}
}

interface SameRows {
	columns: RecordColumns
	rank: number
	n: number
}

/** How many rows were added, by what the sums tell apart. */
type Added = Map<string, SameRows>

function noteAdded(added: Added, columns: RecordColumns, {rank}: IsolationColumns) {
	const {compromised, group_guid: group, group_name: name, policy_guid: policy, policy_name: title, os} = columns
	const key = JSON.stringify([rank, compromised, group, name, policy, title, os])
	const same = added.get(key)
	if (same === undefined) added.set(key, {columns, rank, n: 1})
	else same.n += 1
}

/**
 * The sums of `schema.ts` over added rows, written together: a trigger for each row took half of the time of a first load.
 * Within the transaction that added the rows.
 */
function makeSums(database: Database): (added: Added) => void {
	const grow = 'ON CONFLICT DO UPDATE SET n = n + excluded.n'
	const tally = database.prepare(`INSERT INTO tally VALUES (?, ?, ?) ${grow}`)
	const member = database.prepare(`INSERT INTO member VALUES (?, ?, ?) ${grow}`)
	const spread = database.prepare(`INSERT INTO spread VALUES (?, ?, ?, ?, ?, ?) ${grow}`)
	const policy = database.prepare('INSERT INTO policy VALUES (?, ?, ?) ON CONFLICT DO NOTHING')
	return added => {
		for (const {columns, rank, n} of added.values()) {
			const {compromised, group_guid: group, policy_guid: guid, policy_name: name, policy_fold: folded, os} = columns
			tally.run(rank, compromised, n)
			member.run(group, columns.group_name, n)
			spread.run(group, guid, os, compromised, rank === glanceRanks.isolated ? 1 : 0, n)
			policy.run(guid, name, folded)
		}
	}
}
