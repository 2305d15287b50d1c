import {CordonError, messageOf, systemCode} from '#contract/errors.ts'

/** The kind of SQLite error, by its primary result code (https://sqlite.org/rescode.html). */
export type StoreFault = 'full' | 'read_only' | 'locked' | 'io' | 'corrupt' | 'cannot_open' | 'constraint' | 'other'

const faults: Readonly<Record<number, StoreFault>> = {
	5: 'locked',
	6: 'locked',
	8: 'read_only',
	10: 'io',
	11: 'corrupt',
	13: 'full',
	14: 'cannot_open',
	19: 'constraint',
	26: 'corrupt'
}

const words: Readonly<Record<StoreFault, string>> = {
	full: 'the disk is full',
	read_only: 'it is read-only, or its disk is full',
	locked: 'another process has locked it',
	io: 'the disk reported an error',
	corrupt: 'the file is damaged',
	cannot_open: 'the file cannot be opened',
	constraint: 'a rule of the store refused it',
	other: 'SQLite refused it'
}

/** SQLITE_IOERR_SHMSIZE: no room for the shared-memory file. */
const noRoomForSharedMemory = 4874

/** The fault behind an error of `store/`; `undefined` when it is not from SQLite. */
export function storeFaultOf(error: unknown) {
	const origin = error instanceof CordonError ? error.cause : error
	if (!isSqliteError(origin)) return undefined
	if (origin.errcode === noRoomForSharedMemory) return 'full'
	return faults[origin.errcode & 0xff] ?? 'other'
}

/** SQLite's own code behind an error of `store/`, to pass between threads. */
export function codeOfFault(error: unknown) {
	const origin = error instanceof CordonError ? error.cause : error
	return isSqliteError(origin) ? origin.errcode : undefined
}

/** The inverse: restores the fault of an error from another thread. */
export function withFaultCode(error: CordonError, errcode: number | undefined) {
	if (errcode === undefined) return error
	const cause = Object.assign(new Error(error.message), {errcode})
	return new CordonError(error.code, error.message, error.details, {cause})
}

/** The fault as words after "... because". */
export function describeFault(error: unknown) {
	const fault = storeFaultOf(error)
	if (fault !== undefined) return words[fault]
	return error instanceof Error ? error.message.replace(/\.$/, '') : 'of an unknown reason'
}

/** Runs the work; turns SQLite errors into a `CordonError` that names the file. */
export function storageError<T>(path: string, work: () => T) {
	try {
		return work()
	} catch (error) {
		if (isClosed(error)) throw new CordonError('cancelled', 'Cancelled: Cordon is stopping, or this connection was removed.', {}, {cause: error})
		const fault = storeFaultOf(error)
		if (error instanceof CordonError || fault === undefined) throw error
		const code = fault === 'full' ? 'disk_full' : 'storage'
		const details = fault === 'corrupt' ? {fix: damagedFix(path)} : {}
		throw new CordonError(code, sentence(path, fault, error), details, {cause: error})
	}
}

function sentence(path: string, fault: StoreFault, error: unknown) {
	const detail = isSqliteError(error) ? ` (SQLite ${error.errcode}: ${error.message})` : ''
	return `The local store ${path} cannot be used because ${words[fault]}${detail}.`
}

/** Nothing is repaired or removed automatically: it may be evidence. */
function damagedFix(path: string) {
	return `Stop Cordon, then restore ${path} from a backup, or move it away together with ${path}-wal: a new one is made.`
}

/** What somebody was still at when its file was closed. */
function isClosed(error: unknown) {
	return systemCode(error) === 'ERR_INVALID_STATE' && /not open|finalized/.test(messageOf(error))
}

interface SqliteError extends Error {
	errcode: number
}

function isSqliteError(error: unknown): error is SqliteError {
	return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
}
