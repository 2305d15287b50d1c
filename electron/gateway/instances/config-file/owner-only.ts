import {open, type FileHandle} from 'node:fs/promises'
import {constants, type Stats} from 'node:fs'
import {dirname, isAbsolute, resolve} from 'node:path'
import {setTimeout as pause} from 'node:timers/promises'

import {systemCode} from '#contract/errors.ts'

/** For the writer of a pipe, in ms. */
const longestWait = 5000

export interface FileOwner {
	readonly platform: string
	/** `null` on a system without user ids. */
	readonly uid: number | null
	/** `CREDENTIALS_DIRECTORY` of a systemd service: its files belong to this service only, whatever their mode. */
	readonly credentials?: string | undefined
}

/** Reads a whole file and checks who else can. Throws what `open` throws, and a `RangeError` above `most` bytes. */
export async function readWithOwner(path: string, owner: FileOwner, most: number, flags = 0) {
	const handle = await open(path, constants.O_RDONLY | flags)
	try {
		// Checks the opened file, not its name, so that nobody can replace it in between.
		const stat = await handle.stat()
		if (stat.isDirectory()) throw Object.assign(new Error('is a folder'), {code: 'EISDIR'})
		return {
			bytes: await readAll(handle, most),
			/** Why others may read it, as the end of a sentence; `null` when only its owner can. */
			exposed: isCredential(path, owner) ? null : exposure(stat, owner)
		}
	} finally {
		await handle.close()
	}
}

async function readAll(handle: FileHandle, most: number) {
	const pieces: Buffer[] = []
	let length = 0
	const end = performance.now() + longestWait
	for (;;) {
		// A pipe that was opened without waiting has nothing yet from a slow writer.
		const read = await handle.read().catch(async (error: unknown) => {
			if (systemCode(error) !== 'EAGAIN' || performance.now() > end) throw error
			await pause(50)
			return null
		})
		if (read?.bytesRead === 0) return Buffer.concat(pieces)
		if (read !== null) pieces.push(read.buffer.subarray(0, read.bytesRead))
		length += read?.bytesRead ?? 0
		if (length > most) throw new RangeError(`is larger than ${most} bytes`)
	}
}

function exposure(stat: Stats, {platform, uid}: FileOwner) {
	if (platform === 'win32' || uid === null || !stat.isFile()) return null
	if (stat.uid !== uid && stat.uid !== 0) return 'belongs to another user'
	return (stat.mode & 0o077) === 0 ? null : 'can be read or changed by others'
}

/** systemd grants access by an ACL, which shows in the group bits. */
function isCredential(path: string, {credentials}: FileOwner) {
	return credentials !== undefined && isAbsolute(credentials) && dirname(resolve(path)) === resolve(credentials)
}

/** Why a file cannot be read, as the end of a sentence. */
export function readProblem(error: unknown) {
	if (error instanceof RangeError) return error.message
	const code = systemCode(error)
	if (code === 'ENOENT') return 'is not there'
	if (code === 'EISDIR') return 'is a folder'
	return code === 'EACCES' || code === 'EPERM' ? 'may not be read by this user' : `cannot be read (${String(code ?? error)})`
}
