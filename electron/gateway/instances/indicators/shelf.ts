/** The versions of all indicators of an instance. The time of addition is stored, and increases with each. */
import {openCacheFile} from '#core/store/cache-file.ts'
import {indicatorId, type Version} from './stix.ts'

const tables = `
CREATE TABLE version (
  collection TEXT NOT NULL, id TEXT NOT NULL, key TEXT NOT NULL,
  created INTEGER NOT NULL, modified INTEGER NOT NULL, revoked INTEGER NOT NULL,
  added INTEGER NOT NULL,
  -- Of the versions of an object.
  first INTEGER NOT NULL, last INTEGER NOT NULL,
  PRIMARY KEY (collection, added)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX version_of ON version (collection, id, modified);
CREATE UNIQUE INDEX version_current ON version (collection, key) WHERE last = 1;
CREATE TABLE own (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
INSERT INTO own VALUES ('token', hex(randomblob(32)));
`

export type VersionFilter = 'last' | 'first' | 'all' | {modified: number}

export interface Wanted {
	collection: string
	/** Unix microseconds, exclusive. */
	after: number
	limit: number
	versions: readonly VersionFilter[]
	/** `null`: all objects. */
	ids: readonly string[] | null
}

export type IndicatorShelf = ReturnType<typeof openIndicatorShelf>

/** Changes per transaction. */
const together = 1000

export function openIndicatorShelf(path: string) {
	const database = openCacheFile({path, schemaVersion: 1, tables, tune: ''})
	const count = 'SELECT count(*) AS n FROM version WHERE collection = ? AND last = 1 AND revoked = 0'

	function find({collection, after, limit, versions, ids}: Wanted) {
		const either = versions.map(each => (each === 'all' ? 'TRUE' : typeof each === 'string' ? `${each} = 1` : `modified = ${each.modified}`))
		const among = ids === null ? 'TRUE' : 'id IN (SELECT value FROM json_each(?))'
		const sql = `SELECT id, key, created, modified, revoked, added FROM version
      WHERE collection = ? AND added > ? AND (${either.join(' OR ')}) AND ${among} ORDER BY added LIMIT ?`
		const named = ids === null ? [] : [JSON.stringify(ids)]
		return database.all<Version>(sql, collection, after, ...named, limit + 1)
	}

	/** `revoked`: whether it was removed. */
	function add(collection: string, key: string, revoked: 0 | 1, now: number) {
		const id = indicatorId(key)
		const before = database.get<Version>('SELECT * FROM version WHERE collection = ? AND key = ? AND last = 1', collection, key)
		const newest = database.get<{added: number | null}>('SELECT max(added) AS added FROM version WHERE collection = ?', collection)
		// A clock set back does not change the order.
		const modified = Math.max(now, (before?.modified ?? 0) + 1)
		const added = Math.max(now * 1000, (newest?.added ?? 0) + 1)
		database.run('UPDATE version SET last = 0 WHERE collection = ? AND key = ? AND last = 1', collection, key)
		database.run(
			'INSERT INTO version VALUES (?, ?, ?, ?, ?, ?, ?, ?, 1)',
			...[collection, id, key, before?.created ?? modified, modified, revoked, added, before === undefined ? 1 : 0]
		)
	}

	return {
		/** At most one more than requested: then there is more. */
		find,
		has: (collection: string, id: string) => database.get('SELECT 1 FROM version WHERE collection = ? AND id = ?', collection, id) !== undefined,
		current: (collection: string) => database.get<{n: number}>(count, collection)?.n ?? 0,
		/** Replaces the collection's content; removed values are revoked. Resolves with the changes. */
		async set(collection: string, keys: ReadonlySet<string>, now: () => number, signal: AbortSignal) {
			const rows = database.all<{key: string; revoked: number}>('SELECT key, revoked FROM version WHERE collection = ? AND last = 1', collection)
			const known = new Map(rows.map(({key, revoked}) => [key, revoked]))
			const changes = [
				...[...keys].filter(key => known.get(key) !== 0).map(key => [key, 0] as const),
				...rows.filter(({key, revoked}) => revoked === 0 && !keys.has(key)).map(({key}) => [key, 1] as const)
			]
			for (let place = 0; place < changes.length; place += together) {
				signal.throwIfAborted()
				database.transaction(() => {
					for (const [key, revoked] of changes.slice(place, place + together)) add(collection, key, revoked, now())
				})
				await new Promise(setImmediate)
			}
			return changes.length
		},
		/** Key for tokens given to clients. */
		token: database.get<{value: string}>("SELECT value FROM own WHERE name = 'token'")?.value ?? '',
		close: () => database.close()
	}
}
