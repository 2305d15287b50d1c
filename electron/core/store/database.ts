/**
 * SQLite as the rest of the application sees it. The only file that knows `node:sqlite`.
 * Everything is synchronous: when `run` or `transaction` returns, SQLite has done its part.
 */
import {chmodSync, closeSync, copyFileSync, mkdtempSync, openSync, rmSync, statSync} from 'node:fs'
import type {DatabaseSync, SQLInputValue, StatementSync} from 'node:sqlite'
import {tmpdir} from 'node:os'
import {basename, join} from 'node:path'
import {pathToFileURL} from 'node:url'

import {CordonError} from '#shared/contract/errors.ts'

import {storageError, storeFaultOf} from './faults.ts'
import {createRecent} from './recent.ts'

export type Param = null | number | bigint | string | Uint8Array
export type NamedParams = Readonly<Record<string, Param>>
type Params = readonly Param[] | readonly [NamedParams]

/** `FULL` reaches the disk with each commit; `NORMAL` only with a checkpoint, but never breaks the file. */
export type Synchronous = 'FULL' | 'NORMAL'

export interface Statement {
	get<Row>(...params: Params): Row | undefined
	all<Row>(...params: Params): Row[]
	/** One row at a time; do not write through the same database while it runs. */
	iterate<Row>(...params: Params): Iterable<Row>
	run(...params: Params): {readonly changes: number; readonly lastId: number}
}

export interface TransactionOptions {
	/** Commit to the disk even where the database is open with `NORMAL`. */
	readonly durable?: boolean
}

/**
 * One open file. Rows come back as the type that the caller names: the schema is the caller's own, so the caller knows.
 * Every failure is a `CordonError` of `storage` or `disk_full`, with SQLite's own error as its cause.
 */
export interface Database {
	readonly path: string
	/** A statement from the cache: a text that is asked often is compiled once. */
	prepare(sql: string): Statement
	get<Row>(sql: string, ...params: Params): Row | undefined
	all<Row>(sql: string, ...params: Params): Row[]
	run(sql: string, ...params: Params): {readonly changes: number; readonly lastId: number}
	/** Several statements without parameters. */
	exec(sql: string): void
	/** `BEGIN IMMEDIATE`, then commit, or roll back what threw. Inside another transaction it simply joins it. */
	transaction<T>(work: () => T, options?: TransactionOptions): T
	/** A function for SQL; `deterministic`, so that indexes may use it. */
	define(name: string, compute: (...values: Param[]) => Param): void
	readonly isOpen: boolean
	close(): void
}

export interface OpenOptions {
	readonly synchronous: Synchronous
	/** How long to wait for another process, in milliseconds. Default: 5000. */
	readonly busyTimeoutMs?: number
}

/**
 * Opens or creates the file with mode 0600. One on a disk that is full or cannot be written, such as a copy that is kept as
 * evidence, is opened for reading alone. Throws `storage` when SQLite does not take the settings asked for.
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
	readonly handle: DatabaseSync
	/** After the handle was closed. */
	done(): void
}

function nothingLeft(): void {
	// Nothing was made beside the file.
}

const unwritable: ReadonlySet<string | undefined> = new Set(['read_only', 'cannot_open', 'full'])

/**
 * The file as it stands, for reading. Where the last changes are still in its journal, both are copied to a folder of our
 * own: SQLite reads a journal only where it may write beside it. `undefined` where that is no way out.
 */
function openFrozen(path: string, error: unknown): Opened | undefined {
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
	const done = (): void => rmSync(folder, {recursive: true, force: true})
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

function sizeOf(path: string): number {
	return statSync(path, {throwIfNoEntry: false})?.size ?? 0
}

const mostStatements = 200
const longestKept = 10_000

function connect(path: string, timeout: number): DatabaseSync {
	// Loaded at first use: a command that opens no database does not pay for it.
	const sqlite = process.getBuiltinModule('node:sqlite')
	return new sqlite.DatabaseSync(path, {timeout, enableForeignKeyConstraints: true, allowExtension: false})
}

/** SQLite gives the `-wal` and `-shm` files the mode of the database itself. */
function ensurePrivateFile(path: string): void {
	try {
		closeSync(openSync(path, 'a', 0o600))
		if (process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0) chmodSync(path, 0o600)
	} catch {
		// A file that cannot be written can still be read; if it cannot be opened either, SQLite says so with its reason.
	}
}

function configure(handle: DatabaseSync, path: string, synchronous: Synchronous): void {
	handle.exec('PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA recursive_triggers = ON')
	// Only macOS knows these two; without them its fsync does not flush the drive.
	handle.exec('PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON')
	enterWal(handle)
	handle.exec(`PRAGMA synchronous = ${synchronous}`)
	const asked = {journal_mode: 'wal', synchronous: synchronous === 'FULL' ? 2 : 1, foreign_keys: 1, trusted_schema: 0}
	for (const [name, expected] of Object.entries(asked)) {
		const found = pragma(handle, name)
		if (found !== expected) throw refused(path, `${name} is ${String(found)} instead of ${expected}`)
	}
}

/** Two processes that create the file at once: SQLite refuses the switch at once instead of waiting, so we do the waiting. */
function enterWal(handle: DatabaseSync): void {
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

function refused(path: string, what: string): CordonError {
	return new CordonError('storage', `The local store ${path} cannot be used safely: ${what}.`)
}

function wrap({handle, done}: Opened, path: string, synchronous: Synchronous, patienceMs: number): Database {
	const cache = createRecent<Statement>(mostStatements)
	const guarded = <T>(work: () => T): T => storageError(path, work)

	const prepare = (sql: string): Statement => {
		const known = cache.get(sql)
		if (known !== undefined) return known
		const made = wrapStatement(
			guarded(() => handle.prepare(sql)),
			path,
		)
		// A filter over thousands of values is asked once, and its statement is as large as its text.
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
			if (handle.isTransaction) return work()
			const durable = options?.durable === true && synchronous !== 'FULL'
			if (durable) handle.exec('PRAGMA synchronous = FULL')
			try {
				return transact(handle, guarded, patienceMs, work)
			} finally {
				if (durable) handle.exec(`PRAGMA synchronous = ${synchronous}`)
			}
		},
		// The wrapper hands over exactly the values that `Param` lists, as long as `useBigIntArguments` is off.
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
		},
	}
}

function transact<T>(handle: DatabaseSync, guarded: <R>(work: () => R) => R, patienceMs: number, work: () => T): T {
	guarded(() => begin(handle, patienceMs))
	try {
		const result = work()
		guarded(() => handle.exec('COMMIT'))
		return result
	} catch (error) {
		// Some errors, a full disk among them, make SQLite roll back by itself.
		if (handle.isOpen && handle.isTransaction) rollBack(handle)
		throw error
	}
}

/**
 * SQLite's own waiting looks ever more rarely, up to every 100 ms, and so misses the short gaps that a process leaves
 * which writes one transaction after the other. This looks every few milliseconds.
 */
function begin(handle: DatabaseSync, patienceMs: number): void {
	const end = performance.now() + patienceMs
	handle.exec('PRAGMA busy_timeout = 0')
	try {
		for (;;) {
			try {
				return handle.exec('BEGIN IMMEDIATE')
			} catch (error) {
				if (storeFaultOf(error) !== 'locked' || performance.now() > end) throw error
			}
			pause(3)
		}
	} finally {
		handle.exec(`PRAGMA busy_timeout = ${patienceMs}`)
	}
}

function pause(ms: number): void {
	Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

function rollBack(handle: DatabaseSync): void {
	try {
		handle.exec('ROLLBACK')
	} catch {
		// The error that led here is the one to report; SQLite rolls back when the file is opened next.
	}
}

function wrapStatement(statement: StatementSync, path: string): Statement {
	// Rows and parameters: SQLite types values at run time, the caller knows its own schema (see `Database`).
	const args = (params: Params): SQLInputValue[] => params as unknown as SQLInputValue[]
	return {
		get: <Row>(...params: Params) => storageError(path, () => statement.get(...args(params))) as Row | undefined,
		all: <Row>(...params: Params) => storageError(path, () => statement.all(...args(params))) as Row[],
		iterate: <Row>(...params: Params) => guardedRows(path, statement.iterate(...args(params))) as Iterable<Row>,
		run: (...params) => {
			const {changes, lastInsertRowid} = storageError(path, () => statement.run(...args(params)))
			return {changes: Number(changes), lastId: Number(lastInsertRowid)}
		},
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
