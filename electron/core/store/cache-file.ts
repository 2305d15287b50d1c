/** A cache file of service data: recreated when damaged or of another schema. */
import {existsSync, mkdirSync} from 'node:fs'
import {dirname} from 'node:path'

import {CordonError, knownError, messageOf} from '#contract/errors.ts'

import {removeDatabase} from './database-files.ts'
import {openDatabase, type Database} from './database.ts'
import {storeFaultOf} from './faults.ts'

interface CacheFile {
	path: string
	/** Increase with every change of `tables`; stored as `user_version`. */
	schemaVersion: number
	/** SQL for an empty file. */
	tables: string
	/** Pragmas of this connection. */
	tune: string
}

/** Facts about the whole file, and a number that each change raises. */
export const commonTables = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE revision (only INTEGER PRIMARY KEY CHECK (only = 1), value INTEGER NOT NULL) STRICT;
INSERT INTO revision VALUES (1, 0);
`

/** For a thread that writes while others read. */
export function openForWriting(path: string, cacheKilobytes: number): Database {
	const database = openDatabase(path, {synchronous: 'NORMAL', busyTimeoutMs: 30_000})
	database.exec(`PRAGMA cache_size = -${cacheKilobytes}; PRAGMA wal_autocheckpoint = 8000; PRAGMA journal_size_limit = 16777216`)
	return database
}

/** For reading alone, of the file of `live`: it stays as it is now, whatever others write, until this is closed. */
export function openSnapshot(live: Database): Database {
	const {path} = live
	const version = versionOf(live)
	if (!existsSync(path)) throw new CordonError('storage', `The local data in ${path} is gone.`)
	const database = openDatabase(path, {synchronous: 'NORMAL'})
	try {
		if (versionOf(database) !== version)
			throw new CordonError('storage', `The local data in ${path} was made anew by another version of Cordon.`, {
				fix: 'Use one version of Cordon on this profile, and start Cordon again.'
			})
		// The first reading is the moment.
		database.exec('BEGIN; SELECT value FROM revision')
	} catch (error) {
		database.close()
		throw error
	}
	return database
}

/** Opens or creates the file and its folder. Throws any error of opening except damage. */
export function openCacheFile(file: CacheFile) {
	makeFolder(file.path)
	try {
		return openChecked(file) ?? openAnew(file)
	} catch (error) {
		if (storeFaultOf(error) !== 'corrupt') throw error
		return openAnew(file)
	}
}

/** Node says of a read-only disk that the folder above is not there. */
function makeFolder(path: string) {
	try {
		mkdirSync(dirname(path), {recursive: true, mode: 0o700})
	} catch (error) {
		const code = knownError(error)?.code ?? 'storage'
		const why = code === 'disk_full' ? 'The disk is full.' : `Its disk may be full or read-only (${messageOf(error)}).`
		throw new CordonError(code, `The local store ${path} cannot be made. ${why}`, {}, {cause: error})
	}
}

/** `undefined` when the file has another schema. */
function openChecked(file: CacheFile) {
	const database = openDatabase(file.path, {synchronous: 'NORMAL'})
	try {
		database.exec(file.tune)
		if (versionOf(database) === 0) database.transaction(() => create(database, file))
		if (versionOf(database) === file.schemaVersion) return touchAll(database)
	} catch (error) {
		database.close()
		throw error
	}
	database.close()
	return undefined
}

function openAnew(file: CacheFile) {
	removeDatabase(file.path)
	const database = openChecked(file)
	if (database === undefined) throw new Error(`a new file has version ${file.schemaVersion}`)
	return database
}

function create(database: Database, {tables, schemaVersion}: CacheFile) {
	// Checked again: another process may have been first.
	if (versionOf(database) !== 0) return
	database.exec(tables)
	database.exec(`PRAGMA user_version = ${schemaVersion}`)
}

function versionOf(database: Database) {
	return database.get<{user_version: number}>('PRAGMA user_version')?.user_version ?? 0
}

/** Reads the root of every table and index, where damage shows first; a full check of a large file takes seconds. */
function touchAll(database: Database) {
	const named = database.all<{name: string}>("SELECT name FROM sqlite_schema WHERE type = 'table'")
	for (const {name} of named) database.get(`SELECT * FROM ${name} LIMIT 1`)
	return database
}
