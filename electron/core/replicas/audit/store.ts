/** The audit log of one connection as far as it was read: one small SQLite file, which can be deleted at any time. */
import type {AuditChange, AuditRecord} from '#model/audit.ts'
import type {AuditState} from '#contract/log.ts'

import {createRecent} from '#shared/recent.ts'
import {openCacheFile} from '#core/store/cache-file.ts'
import type {Database, Param} from '#core/store/database.ts'
import {versionOf} from '#core/store/version.ts'
import type {KnownCode} from './known-codes.ts'
import type {ReadRecord} from './record.ts'

export interface AuditQuery {
	text?: readonly string[] | undefined
	target?: string | undefined
	user?: string | undefined
	/** ISO 8601, exclusive end. */
	since?: string | undefined
	until?: string | undefined
	/** Omits logins. */
	writesOnly?: boolean | undefined
}

/** The result of the last reading. */
export type LastReading = Pick<AuditState, 'total' | 'complete' | 'calls' | 'problem'> & {readAt: string}

export interface Sums extends Pick<AuditState, 'elsewhere' | 'own' | 'oldestAt'> {
	/** Unix milliseconds by the service's clock, which asks for what came after. */
	readonly newestAt: number | null
}

export type AuditStore = ReturnType<typeof openAuditStore>

/** Increase with every change of the tables. The file is a cache of the service: one of another version is recreated. */
const schemaVersion = 2

const tables = `
CREATE TABLE record (
  key TEXT PRIMARY KEY, at TEXT NOT NULL, service_at TEXT NOT NULL,
  user TEXT NOT NULL COLLATE NOCASE, event TEXT NOT NULL, type TEXT NOT NULL,
  guid TEXT, label TEXT COLLATE NOCASE, message TEXT NOT NULL, changes TEXT NOT NULL, own TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX record_at ON record (at, key);
CREATE INDEX record_guid ON record (guid);
CREATE TABLE code (digest TEXT PRIMARY KEY, length INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE reading (only INTEGER PRIMARY KEY CHECK (only = 1), last TEXT NOT NULL) STRICT;
`

const searched = `(message || ' ' || user || ' ' || type || ' ' || coalesce(label, '') || ' ' || coalesce(guid, '') || ' ' || changes)`

interface Row {
	key: string
	at: string
	service_at: string
	user: string
	event: string
	type: string
	guid: string | null
	label: string | null
	message: string
	changes: string
	own: string | null
}

export function openAuditStore(path: string) {
	const database = openCacheFile({path, schemaVersion, tables, tune: 'PRAGMA journal_size_limit = 4194304'})
	const known = createRecent<Sums>(1)
	return {
		/** Newest first, without repetitions of our own entries. */
		newest: (query: AuditQuery, limit: number) => {
			const {sql, params} = conditionOf(query)
			const all = `SELECT * FROM record WHERE ${sql} ORDER BY at DESC, key DESC LIMIT ?`
			return database.all<Row>(all, ...params, limit).map(recordOf)
		},
		/** The same records as `newest`, as times and keys only. */
		places: (query: AuditQuery) => {
			const {sql, params} = conditionOf(query)
			return database.all<{at: string; key: string}>(`SELECT at, key FROM record WHERE ${sql} ORDER BY at DESC, key DESC`, ...params)
		},
		find: (key: string) => database.all<Row>('SELECT * FROM record WHERE key = ?', key).map(recordOf)[0],
		/** Differs after each change, also by another process. */
		revision: () => versionOf(database),
		/** Every overview asks. */
		sums: () => known.remembered(versionOf(database), () => sumsOf(database)),
		/** Existing records stay unchanged. */
		keep: (records: readonly ReadRecord[], own: ReadonlyMap<string, string>) => database.transaction(() => keepAll(database, records, own)),
		/** Digests of the unlock codes found so far. */
		codes: () => database.all<KnownCode>('SELECT digest, length FROM code'),
		keepCodes: (codes: readonly KnownCode[]) =>
			database.transaction(() => {
				for (const {digest, length} of codes) database.run('INSERT OR IGNORE INTO code VALUES (?, ?)', digest, length)
			}),
		last: () => {
			const row = database.get<{last: string}>('SELECT last FROM reading')
			// This file's own column, written below.
			return row === undefined ? null : (JSON.parse(row.last) as LastReading)
		},
		setLast: (reading: LastReading) => void database.run('INSERT OR REPLACE INTO reading VALUES (1, ?)', JSON.stringify(reading)),
		stop: () => database.close()
	}
}

function conditionOf(query: AuditQuery): {sql: string; params: readonly Param[]} {
	const {text = [], target, user, since, until, writesOnly} = query
	const parts: readonly (readonly [sql: string, ...params: readonly string[]])[] = [
		['own IS NULL'],
		...text.map(word => [`${searched} LIKE ? ESCAPE '\\'`, `%${word.replace(/[\\%_]/g, '\\$&')}%`] as const),
		...(target === undefined ? [] : [['(guid = ? OR label = ?)', target.toLowerCase(), target] as const]),
		...(user === undefined ? [] : [['user = ?', user] as const]),
		...(since === undefined ? [] : [['at >= ?', since] as const]),
		...(until === undefined ? [] : [['at < ?', until] as const]),
		...(writesOnly === true ? [["event <> 'login'"] as const] : [])
	]
	return {sql: parts.map(([sql]) => sql).join(' AND '), params: parts.flatMap(([, ...params]) => params)}
}

function sumsOf(database: Database) {
	const sql = `SELECT count(*) - count(own) AS elsewhere, count(own) AS own, min(at) AS "oldestAt",
    max(unixepoch(service_at)) * 1000 AS "newestAt" FROM record`
	return database.get<Sums>(sql) ?? {elsewhere: 0, own: 0, oldestAt: null, newestAt: null}
}

function keepAll(database: Database, records: readonly ReadRecord[], own: ReadonlyMap<string, string>) {
	for (const {key, at, serviceAt, user, event, type, target, message, changes} of records)
		database.run(
			'INSERT OR IGNORE INTO record VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
			...[key, at, serviceAt, user, event, type, target?.guid ?? null, target?.label ?? null, message],
			JSON.stringify(changes),
			own.get(key) ?? null
		)
}

function recordOf(row: Row): AuditRecord {
	const {key, at, service_at: serviceAt, user, event, type, guid, label, message, own} = row
	const target = guid === null ? null : {guid, label: label ?? guid}
	// This file's own column, written above.
	const changes = JSON.parse(row.changes) as readonly AuditChange[]
	return {key, at, serviceAt, user, event, type, target, message, changes, own}
}
