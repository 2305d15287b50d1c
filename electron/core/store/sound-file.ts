/** A database that is not trusted after a disk error: it is closed, reopened and checked. */
import {statSync} from 'node:fs'
import {basename} from 'node:path'

import {CordonError} from '#contract/errors.ts'

import {openDatabase, type Database, type OpenOptions, type TransactionOptions} from './database.ts'
import {storeFaultOf, type StoreFault} from './faults.ts'
import {migrate, type Migration} from './migrations.ts'

export type SoundFile = ReturnType<typeof openSoundFile>

interface SoundFileOptions extends OpenOptions {
	path: string
	migrations: readonly Migration[]
	/** The error when the file under the name is not the original one. Default: none. */
	otherFile?: (what: string) => CordonError
}

interface FileIdentity {
	dev: bigint
	ino: bigint
}

/** After these errors the handle is still sound. */
const harmless: ReadonlySet<StoreFault> = new Set(['locked', 'constraint'])
/** After these it is worth reopening the file, but no write could have damaged it. */
const nothingWritten: ReadonlySet<StoreFault> = new Set(['read_only', 'cannot_open'])

/** Opened at first use. */
export function openSoundFile(options: SoundFileOptions) {
	let current: Database | undefined
	let distrusted = false
	/** Of the file that this process began with. */
	let known: FileIdentity | undefined

	const open = () => {
		// Opening would create the file: a deleted one must not come back empty.
		if (current === undefined) refuseOther(options, known)
		current ??= openChecked(options, distrusted)
		known ??= identityOf(options.path)
		return current
	}
	// SQLite goes on after a failed fsync as if nothing had happened, and the next commit "succeeds" although the
	// system may have dropped the pages (PostgreSQL, "fsync errors"). So this handle never commits again.
	const giveUp = (error: unknown) => {
		const fault = storeFaultOf(error)
		if (fault === undefined || harmless.has(fault)) return
		current?.close()
		current = undefined
		distrusted ||= !nothingWritten.has(fault)
	}
	const attempt = <T>(work: (database: Database) => T) => {
		try {
			return work(open())
		} catch (error) {
			giveUp(error)
			throw error
		}
	}
	const commit = <T>(work: (database: Database) => T, how?: TransactionOptions) =>
		attempt(database => {
			refuseOther(options, known)
			if (distrusted) flush(database)
			distrusted = false
			return database.transaction(() => work(database), how)
		})

	return {
		read: attempt,
		/** One transaction. */
		write: <T>(work: (database: Database) => T, how?: TransactionOptions) => {
			const reused = current !== undefined
			try {
				return commit(work, how)
			} catch (error) {
				// A handle opened while the disk was read-only stays so; the disk may be writable now.
				if (reused && storeFaultOf(error) === 'read_only') return commit(work, how)
				throw error
			}
		},
		close: () => {
			current?.close()
			current = undefined
		}
	}
}

function identityOf(path: string) {
	return statSync(path, {bigint: true, throwIfNoEntry: false})
}

/** A write to a deleted or replaced file would be lost. */
function refuseOther({path, otherFile}: SoundFileOptions, known: FileIdentity | undefined) {
	if (known === undefined || otherFile === undefined) return
	const now = identityOf(path)
	if (now === undefined) throw otherFile('was deleted or moved away')
	if (now.dev !== known.dev || now.ino !== known.ino) throw otherFile('was replaced by another file')
}

function openChecked({path, migrations, otherFile: _other, ...how}: SoundFileOptions, afterFault: boolean) {
	const database = openDatabase(path, how)
	try {
		if (afterFault) verify(database)
		migrate(database, migrations)
		return database
	} catch (error) {
		database.close()
		throw error
	}
}

/** After a disk error, committed data goes into the main file before anything is added. */
function flush(database: Database) {
	database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
}

function verify(database: Database) {
	const verdict = database.get<{quick_check: string}>('PRAGMA quick_check(1)')?.quick_check
	if (verdict === 'ok') return
	throw new CordonError('storage', `${basename(database.path)} is damaged: ${verdict ?? 'nothing can be read'}.`)
}
