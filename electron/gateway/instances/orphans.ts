/** Programs left by a console that was killed or lost power. */
import {readdirSync, readFileSync} from 'node:fs'
import {setTimeout as sleep} from 'node:timers/promises'

import type {Database} from '#core/store/database.ts'
import {identityOf, isAlive, statFields, type ProcessIdentity} from '#core/store/process-identity.ts'
import {endGroup, instanceVariable} from './program.ts'
import {listProcesses, putProcess} from './state-rows.ts'

interface Orphan extends ProcessIdentity {
	instance: string
}

/**
 * Ends and removes them; returns messages. A program that cannot be identified for sure (unknown start) is left alone and
 * reported.
 */
export async function endOrphans(database: Database, patienceMs?: number): Promise<readonly string[]> {
	const found = listProcesses(database)
	const told = await Promise.all(found.map(orphan => endOrphan(orphan, patienceMs)))
	for (const {instance} of found) putProcess(database, instance, undefined)
	return told.flatMap(text => text ?? [])
}

/** Returns a message; `undefined` when all has ended. */
export async function endOrphan(orphan: Orphan, patienceMs = 2000) {
	const {pid, started} = orphan
	const left = isAlive(orphan) ? [orphan] : childrenOf(orphan)
	const [first] = left
	if (first === undefined) return undefined
	if (started === '') return `Process ${pid} may be left from a Cordon that was killed: look at it, and end it by hand.`
	endGroup(pid, 'SIGTERM')
	await areGone(left, patienceMs)
	endGroup(pid, 'SIGKILL')
	await areGone(left, patienceMs)
	return `Process ${first.pid} was left from a Cordon that was killed; it was ended.`
}

/**
 * Outliving the program itself, in its group: a number is not reused while a group has it. Another process may have had it in
 * between, so that only the variable of `environmentOf` proves that the group is ours. Known on Linux only.
 */
function childrenOf({pid, instance}: Orphan) {
	if (process.platform !== 'linux') return []
	const mark = `${instanceVariable}=${instance}`
	return readdirSync('/proc').flatMap(name => {
		try {
			const [, , group, session] = statFields(readFileSync(`/proc/${name}/stat`, 'utf8')).map(Number)
			if (group !== pid || session !== pid) return []
			return readFileSync(`/proc/${name}/environ`, 'utf8').split('\0').includes(mark) ? [identityOf(Number(name))] : []
		} catch {
			// No process, or ended meanwhile.
			return []
		}
	})
}

async function areGone(left: readonly ProcessIdentity[], patienceMs: number) {
	const end = performance.now() + patienceMs
	while (left.some(isAlive) && performance.now() < end) await sleep(20)
}
