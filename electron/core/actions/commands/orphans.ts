/** Changes that were requested and have no outcome: their process was killed, or the disk refused the entry. */
import type {LogEntry} from '#model/incident.ts'
import {isolateCommand} from '#model/isolation.ts'

import {every} from '#base/every.ts'
import type {Clock} from '#base/ports.ts'
import type {IncidentLog} from '#core/record/incidents/types.ts'
import type {WriteLocks} from '#core/service/connections/types.ts'
import {lockOf} from './target.ts'
import type {Escrow} from './types.ts'

export interface OrphanDependencies {
	log: Pick<IncidentLog, 'appendOnce' | 'openChanges'>
	locks: Pick<WriteLocks, 'isHeld'>
	codes: Pick<Escrow['codes'], 'settle'>
	onTrouble: (message: string, error: unknown) => void
}

const everyMs = 15_000

const outcomes = ['command.succeeded', 'command.failed', 'command.outcome_unknown'] as const

const message =
	'Outcome unknown. Cordon ended before it recorded the outcome, or the incident log could not be written. ' +
	'The change may have been applied. Check the current state before retrying.'

/**
 * Looks at once and then regularly, because other processes on the profile end as well. Resolves when the signal is aborted.
 */
export async function watchOrphans(deps: OrphanDependencies, clock: Clock, signal: AbortSignal) {
	const look = async () => {
		try {
			await closeOrphans(deps)
		} catch (error) {
			deps.onTrouble('Changes without an outcome could not be looked after.', error)
		}
	}
	await look()
	await every(clock, everyMs, signal, look)
}

/**
 * Logs their outcome as unknown and returns how many there were. A running change holds its lock until its outcome is
 * written, so it is skipped; one that ended meanwhile has its outcome.
 */
export async function closeOrphans({log, locks, codes, onTrouble}: OrphanDependencies) {
	const orphans = (await log.openChanges()).filter(intent => !isRunning(locks, intent))
	let closed = 0
	for (const intent of orphans) {
		if ((await log.appendOnce(outcomeOf(intent), outcomes)) === undefined) continue
		closed += 1
		const {id, command} = intent
		if (command === isolateCommand)
			codes.settle(id, 'unknown').catch((error: unknown) => onTrouble('The unlock code of a lost isolation could not be noted.', error))
	}
	return closed
}

function outcomeOf({id, incident, surface, command, target, connection}: LogEntry) {
	const common = {about: id, incident, surface, command, target, connection}
	return {...common, kind: 'command.outcome_unknown', message, data: {code: 'outcome_unknown'}} as const
}

function isRunning(locks: Pick<WriteLocks, 'isHeld'>, {connection, args}: LogEntry) {
	const target = lockOf(args ?? {})
	return connection !== null && target !== null && locks.isHeld(connection.id, target)
}
