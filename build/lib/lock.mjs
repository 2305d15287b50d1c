import {closeSync, linkSync, openSync, readFileSync, renameSync, rmSync, statSync, writeSync} from 'node:fs'
import {setTimeout as sleep} from 'node:timers/promises'

const pollMs = 100
/** A lock file without a process id belongs to a process that is writing it, or that died doing so. */
const emptyIsStaleAfterMs = 5_000

/**
 * Runs `work` while no other process holds `path`. A holder that no longer lives is ignored.
 * @template T
 * @param {string} path
 * @param {() => T | Promise<T>} work
 * @param {(holder: number | undefined) => void} [onWait]
 * @returns {Promise<T>}
 */
export async function withLock(path, work, onWait = () => {}) {
	await acquire(path, onWait)
	try {
		return await work()
	} finally {
		rmSync(path, {force: true})
	}
}

async function acquire(path, onWait) {
	let told = false
	while (!create(path)) {
		if (isStale(path)) {
			takeAway(path)
			continue
		}
		if (!told) onWait(ownerOf(path))
		told = true
		await sleep(pollMs)
	}
}

function create(path) {
	let file
	try {
		file = openSync(path, 'wx', 0o600)
	} catch (error) {
		if (error.code === 'EEXIST') return false
		throw error
	}
	writeSync(file, String(process.pid))
	closeSync(file)
	return true
}

function isStale(path) {
	const owner = ownerOf(path)
	if (owner !== undefined) return !isAlive(owner)
	return ageOf(path) > emptyIsStaleAfterMs
}

/** Two waiters may find the same dead owner; the slower one must not remove the lock of the faster one. */
function takeAway(path) {
	const aside = `${path}.${process.pid}`
	try {
		renameSync(path, aside)
	} catch {
		return
	}
	const owner = ownerOf(aside)
	if (owner !== undefined && isAlive(owner)) restore(aside, path)
	rmSync(aside, {force: true})
}

function restore(aside, path) {
	try {
		linkSync(aside, path)
	} catch {
		// Somebody holds it already: then two processes set up the same thing, which only costs time.
	}
}

function ownerOf(path) {
	try {
		const pid = Number.parseInt(readFileSync(path, 'utf8'), 10)
		return Number.isNaN(pid) ? undefined : pid
	} catch {
		return undefined
	}
}

function ageOf(path) {
	try {
		return Date.now() - statSync(path).mtimeMs
	} catch {
		return 0
	}
}

function isAlive(pid) {
	try {
		process.kill(pid, 0)
		return true
	} catch (error) {
		return error.code === 'EPERM'
	}
}
