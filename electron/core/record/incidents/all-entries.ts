import type {LogEntry} from '#model/incident.ts'
import {isolateCommand, releaseCommand} from '#model/isolation.ts'

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

const isolations: ReadonlySet<string | null> = new Set([isolateCommand, releaseCommand])
/** Each takes a reading of the log. */
const mostRead = 100

type Log = Pick<IncidentLog, 'matching' | 'stepsOf' | 'about'>

/** Changes whose outcome is unknown, and that nothing known since has settled, oldest first. */
export async function unknownOutcomes(log: Log, connection: string, now: number): Promise<readonly LogEntry[]> {
	const query = {connection, since: new Date(now - unknownForMs).toISOString()}
	const unknown = await allEntries(log, {...query, kinds: ['command.outcome_unknown']})
	if (unknown.length === 0) return unknown
	const steps = await log.stepsOf(unknown.flatMap(({about}) => about ?? []))
	const observed = new Set(steps.flatMap(({kind, about}) => (kind === 'command.observed' ? [about] : [])))
	const left = unknown.filter(entry => !observed.has(entry.about))
	const settled = await Promise.all(left.slice(-mostRead).map(entry => isSettled(log, connection, entry)))
	return left.filter((_entry, index) => settled[index - left.length + settled.length] !== true)
}

/** The reading after the lost answer found the isolation of somebody else. One that was pending may have come to nothing. */
function foundAnothers({command, data}: LogEntry) {
	return command === isolateCommand && data?.['state'] === 'isolated'
}

/** A release or an intent that decides may lie behind much else that was done with a computer. */
export const entriesAbout = 1000

/** So long the service may show an isolation that was released. */
const lingersMs = 600_000

/**
 * A later request with a known outcome tells the isolation or the group of its computer, and so does the isolation of somebody else,
 * unless it was just released from here.
 */
async function isSettled(log: Log, connection: string, entry: LogEntry) {
	const {seq, at, command, target} = entry
	const tells = command === 'svc_move_computer' ? tellsGroup : tellsIsolation
	if (target === null || !(isolations.has(command) || tells === tellsGroup)) return false
	const entries = await log.about(connection, target.guid, entriesAbout)
	if ((entries.find(tells)?.seq ?? 0) > seq) return true
	const before = entries.filter(one => one.seq < seq)
	return foundAnothers(entry) && recentRelease(before, at) === undefined
}

/**
 * A release from here shortly before, its answer lost or not, after which nothing tells the isolation: what reads as isolated may
 * be what it released. `entries`: of one computer, newest first.
 */
export function recentRelease(entries: readonly LogEntry[], at: string): LogEntry | undefined {
	const newest = entries.find(one => tellsIsolation(one) || (one.command === releaseCommand && one.kind === 'command.outcome_unknown'))
	return newest?.command === releaseCommand && Date.parse(at) - Date.parse(newest.at) < lingersMs ? newest : undefined
}

/** Whether a computer that reads as isolated then may be one that was just released from here. */
export async function mayLinger(log: Pick<Log, 'about'>, connection: string, guid: string, at: string): Promise<boolean> {
	try {
		return recentRelease(await log.about(connection, guid, entriesAbout), at) !== undefined
	} catch {
		return true
	}
}

function isKnown({kind}: LogEntry) {
	return kind === 'command.succeeded' || kind === 'command.observed'
}

const tellsIsolation = (entry: LogEntry) => isolations.has(entry.command) && isKnown(entry)

const tellsGroup = (entry: LogEntry) => entry.command === 'svc_move_computer' && isKnown(entry)
