import {closeSync, linkSync, openSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs'
import {setTimeout as delay} from 'node:timers/promises'

import {CordonError, systemCode} from '#contract/errors.ts'

import {isAlive, ownIdentity, type ProcessIdentity} from './process-identity.ts'

export interface HeldLock {
	release(): void
}

/** A takeover lasts microseconds; an older guard belongs to a process killed during one. */
const guardLifetimeMs = 10_000

/**
 * Takes a lock that lives as long as this process, or returns its holder. Takes over the lock of a dead process. Throws file
 * system errors.
 */
export function tryLockFile(path: string): HeldLock | {holder: ProcessIdentity} {
	const own = ownIdentity()
	for (let attempt = 0; attempt < 100; attempt += 1) {
		if (createWhole(path, own)) return {release: () => releaseOwn(path, own)}
		const holder = readHolder(path)
		if (holder === 'gone') continue
		if (holder !== 'unreadable' && isAlive(holder)) return {holder}
		if (!removeStale(path, holder)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)
	}
	throw new Error(`${path} stays taken although its owner is gone`)
}

export function isHeld(attempt: ReturnType<typeof tryLockFile>): attempt is HeldLock {
	return 'release' in attempt
}

const patienceMs = 5000

/** One change at a time over all processes; readers need none: the file is replaced whole. */
export async function withSecretsLocked<T>(path: string, work: () => Promise<T>) {
	const deadline = performance.now() + patienceMs
	for (;;) {
		const attempt = tryLockFile(path)
		if (isHeld(attempt)) {
			try {
				return await work()
			} finally {
				attempt.release()
			}
		}
		if (performance.now() > deadline)
			throw new CordonError('secret_unavailable', `The secrets are being changed by process ${attempt.holder.pid}; try again.`)
		await delay(10)
	}
}

/** The running process that holds it. */
export function lockHolder(path: string) {
	const holder = readHolder(path)
	return typeof holder === 'object' && isAlive(holder) ? holder : undefined
}

/** Writes the file complete: linking a finished file is exclusive, and it is never seen empty. */
function createWhole(path: string, own: ProcessIdentity) {
	const draft = `${path}.${own.pid}`
	try {
		writeFileSync(draft, JSON.stringify(own), {mode: 0o600})
		linkSync(draft, path)
		return true
	} catch (error) {
		if (systemCode(error) === 'EEXIST') return false
		throw error
	} finally {
		rmSync(draft, {force: true})
	}
}

function readHolder(path: string): ProcessIdentity | 'gone' | 'unreadable' {
	try {
		const {pid, started} = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown> // `null` fails here, the rest is checked
		return typeof pid === 'number' && typeof started === 'string' ? {pid, started} : 'unreadable'
	} catch (error) {
		return systemCode(error) === 'ENOENT' ? 'gone' : 'unreadable'
	}
}

/** One process at a time may take over; without the guard, one could remove another's new lock. */
function removeStale(path: string, seen: ProcessIdentity | 'unreadable') {
	const guard = `${path}.takeover`
	if (!openGuard(guard)) return false
	try {
		const now = readHolder(path)
		if (JSON.stringify(now) === JSON.stringify(seen)) rmSync(path, {force: true})
		return true
	} finally {
		rmSync(guard, {force: true})
	}
}

/** Held until its file is removed, or for `guardLifetimeMs`. */
export function openGuard(guard: string) {
	try {
		closeSync(openSync(guard, 'wx', 0o600))
		return true
	} catch (error) {
		if (systemCode(error) !== 'EEXIST') throw error
		const age = Date.now() - (statSync(guard, {throwIfNoEntry: false})?.mtimeMs ?? Date.now())
		if (Math.abs(age) > guardLifetimeMs) rmSync(guard, {force: true})
		return false
	}
}

function releaseOwn(path: string, own: ProcessIdentity) {
	if (JSON.stringify(readHolder(path)) === JSON.stringify(own)) rmSync(path, {force: true})
}
