import type {LogEntry} from '#model/incident.ts'

import type {IncidentLog, LogSearch} from './types.ts'

const page = 1000
/** Unknown outcomes are reported for this long. */
export const unknownForMs = 7 * 24 * 3_600_000

/** Every matching entry, oldest first. */
export async function allEntries(log: Pick<IncidentLog, 'matching'>, query: LogSearch, after = 0): Promise<readonly LogEntry[]> {
	const found: LogEntry[] = []
	for (;;) {
		const entries = await log.matching(query, found.at(-1)?.seq ?? after, page)
		found.push(...entries)
		if (entries.length < page) return found
	}
}

/** Changes whose outcome is unknown and was not observed since, oldest first. */
export async function unknownOutcomes(
	log: Pick<IncidentLog, 'matching' | 'stepsOf'>,
	connection: string,
	now: number
): Promise<readonly LogEntry[]> {
	const query = {connection, since: new Date(now - unknownForMs).toISOString()}
	const unknown = await allEntries(log, {...query, kinds: ['command.outcome_unknown']})
	if (unknown.length === 0) return unknown
	const steps = await log.stepsOf(unknown.flatMap(({about}) => about ?? []))
	const observed = new Set(steps.flatMap(({kind, about}) => (kind === 'command.observed' ? [about] : [])))
	return unknown.filter(({about}) => !observed.has(about))
}
