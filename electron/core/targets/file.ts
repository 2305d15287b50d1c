/** A file of JSON Lines. A confirmed batch is on the disk. */
import {constants} from 'node:fs'
import {open, rename, rm, stat, type FileHandle} from 'node:fs/promises'
import {setTimeout as pause} from 'node:timers/promises'

import {systemCode} from '#contract/errors.ts'
import {createTurns, type Turn} from '#base/turns.ts'
import {openGuard} from '#core/store/lock-file.ts'
import type {Batch, SessionHost, TargetSession, ToOf} from './session.ts'

export async function openFileTarget(to: ToOf<'file'>, host: SessionHost): Promise<TargetSession> {
	if (host.isWritten !== true) await inTurn(to.path, () => endLastLine(to.path))
	return {send: batch => inTurn(to.path, () => send(to, host, batch)), close: async () => undefined}
}

const {O_APPEND, O_CREAT, O_NOFOLLOW, O_RDWR} = constants

/** By path: to anyone else, a batch half written looks like one that a killed process left. */
const turns = new Map<string, Turn>()

function inTurn<T>(path: string, work: () => Promise<T>) {
	const turn = turns.get(path) ?? createTurns()
	turns.set(path, turn)
	return turn(work)
}

/** Opened for each batch, so that a moved file is followed by a new one. */
async function opened<T>(path: string, work: (file: FileHandle) => Promise<T>) {
	const file = await open(path, O_APPEND | O_CREAT | O_RDWR | O_NOFOLLOW, 0o600)
	try {
		// A pipe that nobody reads blocks a thread of the system for ever, and no signal ends that.
		if (!(await file.stat()).isFile()) throw new Error(`${path} is not a regular file`)
		return await work(file)
	} finally {
		await file.close()
	}
}

async function send({path, rotateBytes, keep}: ToOf<'file'>, host: SessionHost, batch: Batch) {
	const {items, upTo} = batch
	const {size, ino} = items.length === 0 ? {size: 0, ino: 0} : await append(path, items.map(({body}) => `${body}\n`).join(''))
	// A file that cannot be renamed does not get the same lines again.
	host.delivered(batch, upTo, items.length)
	if (size >= rotateBytes) await rotate(path, keep, ino)
}

/** Resolves with the size of the file, and which it is. */
function append(path: string, text: string) {
	const bytes = Buffer.from(text)
	return opened(path, async file => {
		const {size, ino} = await file.stat()
		let at = 0
		try {
			// At once: a line of another process never stands inside one of these.
			while (at < bytes.length) at += (await file.write(bytes, at)).bytesWritten
			await file.datasync()
		} catch (error) {
			// A full disk may have stored a part; what another profile appended stays.
			if ((await file.stat().catch(() => undefined))?.size === size + at) await file.truncate(size).catch(() => undefined)
			throw error
		}
		return {size: size + bytes.length, ino}
	})
}

/** By one profile alone: a second would drop what the first has just moved. */
async function rotate(path: string, keep: number, ino: number) {
	const guard = `${path}.rotating`
	if (!openGuard(guard)) return
	try {
		if ((await stat(path).catch(absent))?.ino !== ino) return
		await rm(`${path}.${keep}`, {force: true})
		for (let number = keep - 1; number >= 0; number -= 1)
			await rename(number === 0 ? path : `${path}.${number}`, `${path}.${number + 1}`).catch(absent)
	} finally {
		await rm(guard, {force: true})
	}
}

function absent(error: unknown): undefined {
	if (systemCode(error) !== 'ENOENT') throw error
}

/** In real time. */
const settleMs = 300

/** A killed process may have left half an object, which is sent again whole. Any other end is not Cordon's, and stays. */
async function endLastLine(path: string) {
	await opened(path, async file => {
		const {size} = await file.stat()
		const start = await lastLine(file, size)
		if (start === size) return
		const {buffer} = await file.read(Buffer.alloc(size - start), 0, size - start, start)
		// Another profile may be writing it just now.
		await pause(settleMs)
		if ((await file.stat()).size !== size) return
		await (isHalf(buffer.toString()) ? file.truncate(start) : file.appendFile('\n'))
	})
}

async function lastLine(file: FileHandle, size: number) {
	for (let end = size; end > 0;) {
		const start = Math.max(0, end - 65_536)
		const {buffer, bytesRead} = await file.read(Buffer.alloc(end - start), 0, end - start, start)
		const found = buffer.subarray(0, bytesRead).lastIndexOf('\n')
		if (found !== -1) return start + found + 1
		end = start
	}
	return 0
}

function isHalf(line: string) {
	try {
		JSON.parse(line)
		return false
	} catch {
		return line.startsWith('{')
	}
}
