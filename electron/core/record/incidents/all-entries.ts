import type {LogEntry} from '#shared/model/incident.ts'

import type {IncidentLog, LogSearch} from './types.ts'

const page = 1000

/** Every matching entry, oldest first. */
export async function allEntries(log: Pick<IncidentLog, 'query'>, query: Partial<LogSearch>): Promise<readonly LogEntry[]> {
	const found: LogEntry[] = []
	for (;;) {
		const {entries} = await log.query({...query, after: found.at(-1)?.seq ?? 0, limit: page})
		found.push(...entries)
		if (entries.length < page) return found
	}
}
