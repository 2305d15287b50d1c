/**
 * SQLite for the rest of the application. The only file that uses `node:sqlite`. Everything but `transactionInPieces` is
 * synchronous: when `run` or `transaction` returns, SQLite is done.
 */
import {chmodSync, closeSync, copyFileSync, mkdtempSync, openSync, rmSync, statSync} from 'node:fs'
import type {DatabaseSync, SQLInputValue, StatementSync} from 'node:sqlite'
import {tmpdir} from 'node:os'
import {basename, join} from 'node:path'
import {setTimeout as sleep} from 'node:timers/promises'
import {pathToFileURL} from 'node:url'

import {CordonError} from '#contract/errors.ts'

import {storageError, storeFaultOf} from './faults.ts'
import {createRecent} from '#shared/recent.ts'

export type Param = null | number | bigint | string | Uint8Array
export type NamedParams = Readonly<Record<string, Param>>
type Params = readonly Param[] | readonly [NamedParams]

/** `FULL` syncs the disk with each commit; `NORMAL` only with a checkpoint, but never corrupts the file. */
type Synchronous = 'FULL' | 'NORMAL'

type Statement = ReturnType<typeof wrapStatement>

export interface TransactionOptions {
	/** Syncs the commit to the disk even where the database is open with `NORMAL`. */
	durable?: boolean
}

/**
 * One open file. Rows have the type that the caller names, because the caller owns the schema. Every failure is a `CordonError`
 * of `storage` or `disk_full`, with SQLite's own error as its cause.
 */
export interface Database {
	readonly path: string
	/** A cached statement: repeated SQL is compiled once. */
	prepare(sql: string): Statement
	get<Row>(sql: string, ...params: Params): Row | undefined
	all<Row>(sql: string, ...params: Params): Row[]
	run(sql: string, ...params: Params): {changes: number; lastId: number}
	/** Several statements without parameters. */
	exec(sql: string): void
	/** `BEGIN IMMEDIATE`, then commit; rolls back on an error. Inside another transaction it joins that one. */
	transaction<T>(work: () => T, options?: TransactionOptions): T
	/** The same for work that waits in between, as for the lock of another process. Meanwhile nothing else may use this connection to write. */
	transactionInPieces<T>(work: () => Promise<T>): Promise<T>
	/** A function for SQL; `deterministic`, so that indexes may use it. */
	define(name: string, compute: (...values: Param[]) => Param): void
	readonly isOpen: boolean
	close(): void
}

export interface OpenOptions {
	synchronous: Synchronous
	/** Maximum wait for another process, in milliseconds. Default: 5000. */
	busyTimeoutMs?: number
}

/**
 * Opens or creates the file with mode 0600. On a full or read-only disk, such as a copy kept as evidence, opens it for reading
 * only. Throws `storage` when SQLite rejects a setting.
 */
export function openDatabase(path: string, options: OpenOptions): Database {
	ensurePrivateFile(path)
	const patienceMs = options.busyTimeoutMs ?? 5000
	const handle = storageError(path, () => connect(path, patienceMs))
	try {
		storageError(path, () => configure(handle, path, options.synchronous))
	} catch (error) {
		handle.close()
		const frozen = openFrozen(path, error)
		if (frozen === undefined) throw error
		return wrap(frozen, path, options.synchronous, patienceMs)
	}
	return wrap({handle, done: nothingLeft}, path, options.synchronous, patienceMs)
}

interface Opened {
	handle: DatabaseSync
	/** Called after the handle was closed. */
	done(): void
}

function nothingLeft() {
	// No files were made beside it.
}

const unwritable: ReadonlySet<string | undefined> = new Set(['read_only', 'cannot_open', 'full'])

/**
 * Opens the file read-only. When the last changes are still in its journal, both are copied to a temporary folder: SQLite needs
 * write access beside the journal. `undefined` when that does not help.
 */
function openFrozen(path: string, error: unknown) {
	if (!unwritable.has(storeFaultOf(error)) || sizeOf(path) === 0) return undefined
	try {
		return sizeOf(`${path}-wal`) === 0 ? openImmutable(path) : openCopy(path)
	} catch {
		// The first error says more.
		return undefined
	}
}

function openImmutable(path: string): Opened {
	const url = pathToFileURL(path)
	url.searchParams.set('immutable', '1')
	const sqlite = process.getBuiltinModule('node:sqlite')
	const handle = new sqlite.DatabaseSync(url, {readOnly: true, allowExtension: false})
	handle.exec('PRAGMA trusted_schema = OFF')
	return {handle, done: nothingLeft}
}

function openCopy(path: string): Opened {
	const folder = mkdtempSync(join(tmpdir(), 'cordon-read-'))
	const done = () => rmSync(folder, {recursive: true, force: true})
	try {
		const copy = join(folder, basename(path))
		copyFileSync(path, copy)
		copyFileSync(`${path}-wal`, `${copy}-wal`)
		const handle = connect(copy, 0)
		handle.exec('PRAGMA trusted_schema = OFF; PRAGMA query_only = ON')
		return {handle, done}
	} catch (error) {
		done()
		throw error
	}
}

function sizeOf(path: string) {
	return statSync(path, {throwIfNoEntry: false})?.size ?? 0
}

const mostStatements = 200
const longestKept = 10_000

function connect(path: string, timeout: number) {
	// Loaded at first use, not by commands without a database.
	const sqlite = process.getBuiltinModule('node:sqlite')
	return new sqlite.DatabaseSync(path, {timeout, enableForeignKeyConstraints: true, allowExtension: false})
}

/** SQLite gives the `-wal` and `-shm` files the mode of the database itself. */
function ensurePrivateFile(path: string) {
	try {
		closeSync(openSync(path, 'a', 0o600))
		if (process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0) chmodSync(path, 0o600)
	} catch {
		// An unwritable file can still be read; if it cannot be opened either, SQLite reports the reason.
	}
}

function configure(handle: DatabaseSync, path: string, synchronous: Synchronous) {
	handle.exec('PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA recursive_triggers = ON')
	// Only macOS supports these two; without them its fsync does not flush the drive.
	handle.exec('PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON')
	enterWal(handle)
	handle.exec(`PRAGMA synchronous = ${synchronous}`)
	const asked = {journal_mode: 'wal', synchronous: synchronous === 'FULL' ? 2 : 1, foreign_keys: 1, trusted_schema: 0}
	for (const [name, expected] of Object.entries(asked)) {
		const found = pragma(handle, name)
		if (found !== expected) throw refused(path, `${name} is ${String(found)} instead of ${expected}`)
	}
}

/** When two processes create the file at once, SQLite refuses the switch instead of waiting, so this waits. */
function enterWal(handle: DatabaseSync) {
	for (let attempt = 1; ; attempt += 1) {
		try {
			if (pragma(handle, 'journal_mode') === 'wal') return
			handle.exec('PRAGMA journal_mode = WAL')
			return
		} catch (error) {
			if (attempt === 100 || storeFaultOf(error) !== 'locked') throw error
			pause(20)
		}
	}
}

function pragma(handle: DatabaseSync, name: string): unknown {
	return Object.values(handle.prepare(`PRAGMA ${name}`).get() ?? {})[0]
}

function refused(path: string, what: string) {
	return new CordonError('storage', `The local store ${path} cannot be used safely: ${what}.`)
}

function wrap({handle, done}: Opened, path: string, synchronous: Synchronous, patienceMs: number): Database {
	const cache = createRecent<Statement>(mostStatements)
	const guarded = <T>(work: () => T) => storageError(path, work)

	const prepare = (sql: string) => {
		const known = cache.get(sql)
		if (known !== undefined) return known
		const made = wrapStatement(
			guarded(() => handle.prepare(sql)),
			path
		)
		// A filter over thousands of values is used once, and its statement is as large as its text.
		return sql.length > longestKept ? made : cache.set(sql, made)
	}

	return {
		path,
		prepare,
		get: (sql, ...params) => prepare(sql).get(...params),
		all: (sql, ...params) => prepare(sql).all(...params),
		run: (sql, ...params) => prepare(sql).run(...params),
		exec: sql => guarded(() => handle.exec(sql)),
		transaction: (work, options) => {
			if (guarded(() => handle.isTransaction)) return work()
			const durable = options?.durable === true && synchronous !== 'FULL'
			if (durable) handle.exec('PRAGMA synchronous = FULL')
			try {
				return transact(handle, guarded, patienceMs, work)
			} finally {
				if (durable) handle.exec(`PRAGMA synchronous = ${synchronous}`)
			}
		},
		transactionInPieces: async work => {
			const end = performance.now() + patienceMs
			while (!guarded(() => begins(handle, end, patienceMs))) await sleep(pollMs)
			try {
				const result = await work()
				guarded(() => handle.exec('COMMIT'))
				return result
			} catch (error) {
				undo(handle)
				throw error
			}
		},
		// The wrapper passes exactly the values that `Param` lists, as long as `useBigIntArguments` is off.
		define: (name, compute) =>
			guarded(() => handle.function(name, {deterministic: true}, compute as (...values: SQLInputValue[]) => SQLInputValue)),
		get isOpen() {
			return handle.isOpen
		},
		close: () => {
			cache.clear()
			if (!handle.isOpen) return
			handle.close()
			done()
		}
	}
}

function transact<T>(handle: DatabaseSync, guarded: <R>(work: () => R) => R, patienceMs: number, work: () => T) {
	guarded(() => begin(handle, patienceMs))
	try {
		const result = work()
		guarded(() => handle.exec('COMMIT'))
		return result
	} catch (error) {
		undo(handle)
		throw error
	}
}

/**
 * SQLite's own wait polls at growing intervals up to 100 ms, and misses the short gaps of a process that writes one transaction
 * after another. This polls every few milliseconds.
 */
const pollMs = 3

function begin(handle: DatabaseSync, patienceMs: number) {
	const end = performance.now() + patienceMs
	while (!begins(handle, end, patienceMs)) pause(pollMs)
}

/** Throws at the end of the patience. */
function begins(handle: DatabaseSync, end: number, patienceMs: number) {
	handle.exec('PRAGMA busy_timeout = 0')
	try {
		handle.exec('BEGIN IMMEDIATE')
		return true
	} catch (error) {
		if (storeFaultOf(error) !== 'locked' || performance.now() > end) throw error
		return false
	} finally {
		handle.exec(`PRAGMA busy_timeout = ${patienceMs}`)
	}
}

function pause(ms: number) {
	Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

function undo(handle: DatabaseSync) {
	// Some errors, such as a full disk, make SQLite roll back by itself.
	if (!handle.isOpen || !handle.isTransaction) return
	try {
		handle.exec('ROLLBACK')
	} catch {
		// The original error is reported; SQLite rolls back when the file is opened next.
	}
}

function wrapStatement(statement: StatementSync, path: string) {
	// Rows and parameters: SQLite types values at run time, the caller knows its own schema (see `Database`).
	const args = (params: Params) => params as unknown as SQLInputValue[]
	return {
		get: <Row>(...params: Params) => storageError(path, () => statement.get(...args(params))) as Row | undefined,
		all: <Row>(...params: Params) => storageError(path, () => statement.all(...args(params))) as Row[],
		/** One row at a time; do not write through the same database meanwhile. */
		iterate: <Row>(...params: Params) =>
			guardedRows(
				path,
				storageError(path, () => statement.iterate(...args(params)))
			) as Iterable<Row>,
		run: (...params: Params) => {
			const {changes, lastInsertRowid} = storageError(path, () => statement.run(...args(params)))
			return {changes: Number(changes), lastId: Number(lastInsertRowid)}
		}
	}
}

function* guardedRows(path: string, rows: Iterator<unknown>): Iterable<unknown> {
	try {
		for (let next = storageError(path, () => rows.next()); next.done !== true; next = storageError(path, () => rows.next())) {
			yield next.value
		}
	} finally {
		rows.return?.()
	}
}

/** The column of a field: `endsAt` is `ends_at`. */
export function columnOf(field: string) {
	return field.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
}
