/** Programs that a console started which is gone: killed, or cut off with the power. */
import {setTimeout as sleep} from 'node:timers/promises'

import type {Database} from '#core/store/database.ts'
import {isAlive, type ProcessIdentity} from '#core/store/process-identity.ts'
import {endGroup} from './program.ts'
import {listProcesses, putProcess} from './state-rows.ts'

/**
 * Ends them and forgets them; returns what to tell. One of which it cannot be said for sure that it is that very program
 * (its start is unknown) is left alone and reported.
 */
export async function endOrphans(database: Database, patienceMs = 2000): Promise<readonly string[]> {
	const found = listProcesses(database)
	const told = await Promise.all(found.map(orphan => endOrphan(orphan, patienceMs)))
	for (const {instance} of found) putProcess(database, instance, undefined)
	return told.flatMap(text => text ?? [])
}

/** Returns what to tell; `undefined` when it is gone already. */
export async function endOrphan(orphan: ProcessIdentity, patienceMs: number): Promise<string | undefined> {
	if (!isAlive(orphan)) return undefined
	const {pid, started} = orphan
	if (started === '') return `Process ${pid} may be left from a Cordon that was killed: look at it, and end it by hand.`
	endGroup(pid, 'SIGTERM')
	await isGone(orphan, patienceMs)
	endGroup(pid, 'SIGKILL')
	await isGone(orphan, patienceMs)
	return `Process ${pid} was left from a Cordon that was killed; it was ended.`
}

async function isGone(orphan: ProcessIdentity, patienceMs: number): Promise<void> {
	const end = performance.now() + patienceMs
	while (isAlive(orphan) && performance.now() < end) await sleep(20)
}
