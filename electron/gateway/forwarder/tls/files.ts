/** The forwarder's folder: private files, replaced as a whole, changed by one process at a time. */
import {chmodSync, closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, statSync, writeSync} from 'node:fs'
import {join} from 'node:path'

import type {Clock} from '#base/ports.ts'
import {CordonError, systemCode} from '#contract/errors.ts'

/** Key and certificates in one file each, so that a crash cannot separate them; the `.pem` files are copies for distribution. */
export const fileNames = {
	authority: 'ca.key',
	authorityCopy: 'ca.pem',
	server: 'server.key',
	serverCopy: 'server.pem',
	imported: 'imported.key'
} as const
type FileName = (typeof fileNames)[keyof typeof fileNames]

/** The result of the store's `tryLockFile`: held, or held by another process. */
export type TryLock = (path: string) => {release(): void} | {holder: unknown}

const lockPatienceMs = 10_000
const lockStepMs = 20

export type AuthorityFiles = ReturnType<typeof openFiles>

/** Creates the folder for its owner only. Throws `storage`. */
export function openFiles(folder: string, tryLock: TryLock, clock: Clock) {
	inWords('The folder of the forwarding server cannot be used', () => {
		mkdirSync(folder, {recursive: true, mode: 0o700})
		chmodSync(folder, 0o700)
	})
	const path = (name: FileName) => join(folder, name)

	async function locked<T>(work: () => Promise<T>) {
		for (let waited = 0; waited < lockPatienceMs; waited += lockStepMs) {
			const attempt = inWords('The folder of the forwarding server cannot be locked', () => tryLock(join(folder, 'lock')))
			if (!('release' in attempt)) {
				await clock.sleep(lockStepMs)
				continue
			}
			try {
				return await work()
			} finally {
				attempt.release()
			}
		}
		throw new CordonError('storage', 'Another process keeps the certificates of the forwarding server locked.')
	}

	return {
		/** `null`: missing; `'open'`: readable by other users, so not read. */
		read: (name: FileName) => inWords(`${name} cannot be read`, () => readPrivate(path(name))),
		write: (name: FileName, content: string) => inWords(`${name} cannot be written`, () => replaceFile(folder, path(name), content)),
		remove: (name: FileName) => inWords(`${name} cannot be removed`, () => rmSync(path(name), {force: true})),
		/** Keeps a damaged file under another name. */
		setAside: (name: FileName, now: number) => {
			const stamp = new Date(now).toISOString().replaceAll(/[:.]/g, '-')
			inWords(`${name} cannot be renamed`, () => renameSync(path(name), `${path(name)}.damaged-${stamp}`))
		},
		path,
		/** One process at a time. Throws `storage` when another holds it for ten seconds. */
		locked
	}
}

/** Windows has no such mode; there the profile's folder belongs to the user. */
function readPrivate(path: string) {
	const found = statSync(path, {throwIfNoEntry: false})
	if (found === undefined) return null
	if (process.platform !== 'win32' && path.endsWith('.key') && (found.mode & 0o077) !== 0) return 'open'
	return readFileSync(path, 'utf8')
}

/** After a crash either the old or the new content exists. */
function replaceFile(folder: string, path: string, content: string) {
	const draft = `${path}.${process.pid}.new`
	rmSync(draft, {force: true})
	try {
		writeFlushed(draft, content)
		renameSync(draft, path)
	} finally {
		rmSync(draft, {force: true})
	}
	// Makes the new name survive a power cut. Windows cannot open a folder for that.
	if (process.platform !== 'win32') flush(folder)
}

function writeFlushed(path: string, content: string) {
	const file = openSync(path, 'wx', 0o600)
	try {
		const bytes = Buffer.from(content)
		for (let written = 0; written < bytes.length;) written += writeSync(file, bytes, written)
		fsyncSync(file)
	} finally {
		closeSync(file)
	}
}

function flush(folder: string) {
	const handle = openSync(folder, 'r')
	try {
		fsyncSync(handle)
	} finally {
		closeSync(handle)
	}
}

function inWords<T>(what: string, work: () => T) {
	try {
		return work()
	} catch (error) {
		const code = systemCode(error)
		const kind = code === 'ENOSPC' || code === 'EDQUOT' ? 'disk_full' : 'storage'
		throw new CordonError(kind, `${what} (${code ?? 'unknown reason'}).`, {}, {cause: error})
	}
}
