/** Changes that were asked for and never got an outcome: their process was killed, or the disk refused the entry. */
import type {LogEntry} from '#shared/model/incident.ts'

import {every} from '#core/base/every.ts'
import type {Clock} from '#core/base/ports.ts'
import type {IncidentLog} from '#core/record/incidents/types.ts'
import type {WriteLocks} from '#core/service/connections/types.ts'
import {isolateCommand} from '../isolation/receipt.ts'
import {lockOf} from './target.ts'
import type {Custody} from './types.ts'

export interface OrphanParts {
	readonly log: Pick<IncidentLog, 'appendOnce' | 'openChanges'>
	readonly locks: Pick<WriteLocks, 'isHeld'>
	readonly codes: Pick<Custody['codes'], 'settle'>
	readonly onTrouble: (message: string, error: unknown) => void
}

const everyMs = 15_000

const outcomes = ['command.succeeded', 'command.failed', 'command.outcome_unknown'] as const

const message =
	'Outcome unknown. Cordon ended before it recorded the outcome, or the incident log could not be written. ' +
	'The change may have been applied. Check the current state before retrying.'

/** At once, and again and again: other processes on the profile end as well. Resolves when the signal is aborted. */
export async function watchOrphans(parts: OrphanParts, clock: Clock, signal: AbortSignal): Promise<void> {
	const look = async (): Promise<void> => {
		try {
			await closeOrphans(parts)
		} catch (error) {
			parts.onTrouble('Changes without an outcome could not be looked after.', error)
		}
	}
	await look()
	await every(clock, everyMs, signal, look)
}

/**
 * Writes down that nobody knows their outcome. A change that still runs holds its lock until after its outcome is
 * written, so it is left alone, and one that ended since it was looked for has its outcome. Returns how many there were.
 */
export async function closeOrphans({log, locks, codes, onTrouble}: OrphanParts): Promise<number> {
	const orphans = (await log.openChanges()).filter(intent => !isRunning(locks, intent))
	let closed = 0
	for (const intent of orphans) {
		if ((await log.appendOnce(outcomeOf(intent), outcomes)) === undefined) continue
		closed += 1
		const {id, command} = intent
		if (command === isolateCommand)
			codes
				.settle(id, 'unknown')
				.catch((error: unknown) => onTrouble('The unlock code of a lost isolation could not be noted.', error))
	}
	return closed
}

function outcomeOf({id, incident, surface, command, target, connection}: LogEntry) {
	const common = {about: id, incident, surface, command, target, connection}
	return {...common, kind: 'command.outcome_unknown', message, data: {code: 'outcome_unknown'}} as const
}

function isRunning(locks: Pick<WriteLocks, 'isHeld'>, {connection, args}: LogEntry): boolean {
	const target = lockOf(args ?? {})
	return connection !== null && target !== null && locks.isHeld(connection.id, target)
}
