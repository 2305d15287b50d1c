/** Programs left by a console that was killed or lost power. */
import {setTimeout as sleep} from 'node:timers/promises'

import type {Database} from '#core/store/database.ts'
import {isAlive, type ProcessIdentity} from '#core/store/process-identity.ts'
import {endGroup} from './program.ts'
import {listProcesses, putProcess} from './state-rows.ts'

/**
 * Ends and removes them; returns messages. A program that cannot be identified for sure (unknown start) is left alone and
 * reported.
 */
export async function endOrphans(database: Database, patienceMs = 2000): Promise<readonly string[]> {
	const found = listProcesses(database)
	const told = await Promise.all(found.map(orphan => endOrphan(orphan, patienceMs)))
	for (const {instance} of found) putProcess(database, instance, undefined)
	return told.flatMap(text => text ?? [])
}

/** Returns a message; `undefined` when it has already ended. */
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
