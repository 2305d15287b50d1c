/**
 * SHA-256 of the programs that belong to this computer's own system, so that one of them on a blocking list is noticed
 * (UX research, SR15: "present on this machine under the OS folder"). Files are read one after the other, behind the
 * scenes, and only once somebody stages hashes; what did not change since is not read again.
 */
import {createHash} from 'node:crypto'
import {createReadStream} from 'node:fs'
import {lstat, readdir} from 'node:fs/promises'
import {join} from 'node:path'
import {pipeline} from 'node:stream/promises'

import {openCacheFile} from '#core/store/cache-file.ts'
import type {Database} from '#core/store/database.ts'

const foldersOf: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
	win32: [String.raw`C:\Windows\System32`, String.raw`C:\Windows\SysWOW64`, String.raw`C:\Windows`],
	darwin: ['/bin', '/sbin', '/usr/bin', '/usr/sbin', '/usr/libexec'],
	linux: ['/usr/bin', '/usr/sbin', '/usr/lib/systemd']
}
const programs = /\.(?:exe|dll|sys|ocx|cpl|msi|ps1)$/i
/** A system program is smaller; hashing a disk image there is not worth the time. */
const largestFile = 200_000_000
const mostFiles = 20_000

/** In the profile's folder. */
export const systemFilesName = 'system-files.db'

interface SystemFilesOptions {
	/** The file that keeps what was hashed, such as `<profile>/system-files.db`. */
	path: string
	/** Default: those of this platform. */
	folders?: readonly string[] | undefined
	onTrouble: (message: string, error: unknown) => void
}

interface Found {
	path: string
	size: number
	changed: number
}

/** Hashes of files that belong to this computer's own system. */
export type SystemFiles = ReturnType<typeof createSystemFiles>

export function createSystemFiles(options: SystemFilesOptions) {
	const folders = options.folders ?? foldersOf[process.platform] ?? []
	const ended = new AbortController()
	const known = new Map<string, string>()
	let of: number | null = null
	/** Some files are copies of others, and some cannot be read. */
	let done = 0
	let running: Promise<void> | undefined
	const walk = async () => {
		const database = openKept(options.path)
		try {
			const files = await filesIn(folders, ended.signal)
			of = files.length
			for (const file of files) {
				if (ended.signal.aborted) return
				const hash = keptHash(database, file) ?? (await hashAnew(database, file, ended.signal))
				if (hash !== undefined) known.set(hash, file.path)
				done += 1
			}
		} finally {
			database.close()
		}
	}
	return {
		/** Path by hash, of those known so far. */
		known: () => known,
		progress: () => ({known: done, of}),
		/** Begins to hash them, if that was not done yet. */
		look: () => {
			running ??= walk().catch((error: unknown) => {
				if (!ended.signal.aborted) options.onTrouble('Programs of this system could not be hashed.', error)
			})
		},
		stop: async () => {
			ended.abort()
			await running
		}
	}
}

/** Path by hash, as it was when the files were last hashed. Throws what keeps the file from being read. */
export function keptSystemFiles(path: string): ReadonlyMap<string, string> {
	const database = openKept(path)
	try {
		const rows = database.all<{path: string; sha256: string}>('SELECT path, sha256 FROM hashed')
		return new Map(rows.map(row => [row.sha256, row.path]))
	} finally {
		database.close()
	}
}

function openKept(path: string) {
	const tables = `CREATE TABLE hashed (
    path TEXT PRIMARY KEY, size INTEGER NOT NULL, changed INTEGER NOT NULL, sha256 TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;`
	return openCacheFile({path, schemaVersion: 1, tables, tune: 'PRAGMA cache_size = -2048'})
}

/** Programs that lie in the folders themselves; links are not followed. */
async function filesIn(folders: readonly string[], signal: AbortSignal) {
	const files: Found[] = []
	for (const folder of folders) {
		for (const name of await namesIn(folder)) {
			if (signal.aborted || files.length >= mostFiles) return files
			const found = await programAt(join(folder, name))
			if (found !== undefined) files.push(found)
		}
	}
	return files
}

/** A folder that is not there, or may not be read, has no programs for us. */
async function namesIn(folder: string) {
	try {
		return await readdir(folder)
	} catch {
		return []
	}
}

async function programAt(path: string) {
	try {
		const stat = await lstat(path)
		if (!stat.isFile() || stat.size === 0 || stat.size > largestFile) return undefined
		const runs = process.platform === 'win32' ? programs.test(path) : (stat.mode & 0o111) !== 0
		return runs ? {path, size: stat.size, changed: Math.round(stat.mtimeMs)} : undefined
	} catch {
		return undefined
	}
}

function keptHash(database: Database, {path, size, changed}: Found) {
	return database.get<{sha256: string}>('SELECT sha256 FROM hashed WHERE path = ? AND size = ? AND changed = ?', path, size, changed)?.sha256
}

async function hashAnew(database: Database, file: Found, signal: AbortSignal) {
	const hash = createHash('sha256')
	try {
		await pipeline(createReadStream(file.path), hash, {signal})
	} catch {
		return undefined
	}
	const sha256 = hash.digest('hex')
	database.run('INSERT OR REPLACE INTO hashed VALUES (?, ?, ?, ?)', file.path, file.size, file.changed, sha256)
	return sha256
}
