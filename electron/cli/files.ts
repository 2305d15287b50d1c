/** The command line itself reads and writes the files that a command names, in its own folder and with its own rights. */
import {constants, fstatSync, writeSync} from 'node:fs'
import {open, readFile} from 'node:fs/promises'
import {dirname} from 'node:path'
import {Writable} from 'node:stream'

import {makeFolder} from '#base/system.ts'
import {knownError, usageError, systemCode} from '#contract/errors.ts'

export interface CliFiles {
	/** `read` and `write` reject with an error that has the system's `code`. */
	read(file: string): Promise<string>
	/** Reads a file of at most this many bytes that only its owner can read. `option` names it in errors (`usage`). */
	readOwn(file: string, option: string, most: number): Promise<string>
	write(file: string, content: string | Uint8Array, how?: WriteHow): Promise<void>
}

interface WriteHow {
	/** Default: 0o666 without the umask. */
	mode?: number
	folder?: boolean
}

export const localFiles: CliFiles = {
	read: file => readFile(file, 'utf8'),
	readOwn,
	write: async (file, content, {mode, folder = false} = {}) => {
		if (folder) makeFolder(dirname(file))
		await using handle = await open(file, constants.O_WRONLY | constants.O_CREAT, mode)
		const isFile = (await handle.stat()).isFile()
		// One that was there has another; a device keeps it. What cannot be made private stays as it was.
		if (mode !== undefined && isFile) await handle.chmod(mode)
		if (isFile) await handle.truncate()
		await handle.writeFile(content)
	}
}

async function readOwn(file: string, option: string, most: number) {
	// Without O_NONBLOCK a FIFO without a writer would block, and no signal ends that.
	const handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)).catch(unreadable(file, option))
	try {
		// Checks the opened file, not its name, so that nobody can swap it in between.
		const stat = await handle.stat()
		if (stat.isDirectory()) throw usageError(`${file} is a folder.`, option)
		if (!stat.isFile()) throw usageError(`${file} is not a regular file: give --${option} -, and write the key to standard input.`, option)
		if (process.platform !== 'win32' && (stat.mode & 0o077) !== 0)
			throw usageError(`${file} can be read or changed by others: run chmod 600 on it first.`, option)
		if (stat.size > most) throw usageError(`${file} is longer than ${most} bytes.`, option)
		return await handle.readFile('utf8')
	} finally {
		await handle.close()
	}
}

/** A file gets all or an error: Node's own stream ignores that a disk took a part only. */
export function standardOutput() {
	const {stdout} = process
	if (!fstatSync(stdout.fd).isFile()) return stdout
	const write = (chunk: Buffer, _encoding: string, done: (error?: Error) => void) => {
		try {
			for (let at = 0; at < chunk.length;) at += writeSync(stdout.fd, chunk, at)
			done()
		} catch (error) {
			done(error as Error) // of the system
		}
	}
	// It has the parts of a terminal that a file has: none.
	return new Writable({write}) as unknown as NodeJS.WriteStream
}

/** Says why, in words of the option that named the file. */
export function unreadable(file: string, option: string) {
	return refusal(`${file} cannot be read`, 'there is no such file', option)
}

export function unwritable(file: string, option: string) {
	return refusal(`${file} cannot be written`, 'there is no such folder', option)
}

function refusal(what: string, missing: string, option: string) {
	return (error: unknown): never => {
		const known = knownError(error)
		if (known !== undefined) throw known
		const code = systemCode(error) ?? String(error)
		const why = {ENOENT: missing, EACCES: 'access is denied', EISDIR: 'it is a folder'}[code] ?? code
		throw usageError(`${what}: ${why}.`, option)
	}
}
