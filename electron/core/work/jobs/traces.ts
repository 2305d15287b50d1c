/** Changes of a job's targets in the incident log since it started: its own, and those of others on this profile. */
import type {LogEntry} from '#model/incident.ts'
import {isSameGuid} from '#model/formats.ts'
import {allEntries} from '#core/record/incidents/all-entries.ts'
import type {TargetRow} from './rows.ts'
import type {RunState} from './run-state.ts'

/** The newest intent of one target, with its outcome. */
export interface Trace {
	readonly intent: LogEntry
	readonly outcome: LogEntry | undefined
}

/** By the id of the target. */
export interface Traces {
	readonly own: ReadonlyMap<string, Trace>
	/** The newest change by others with another goal, unless it is known to have done nothing. */
	readonly opposed: ReadonlyMap<string, LogEntry>
}

export async function readTraces(run: RunState): Promise<Traces> {
	const own = new Map<string, LogEntry>()
	const others: LogEntry[] = []
	const outcomes = new Map<string, LogEntry>()
	const {services, connection, facts} = run
	for (const entry of await allEntries(services.log, {writesOnly: true, connection: connection.id}, facts.logSeq)) {
		if (entry.kind === 'command.observed') continue
		if (entry.kind !== 'command.requested') outcomes.set(entry.about ?? '', entry)
		else if (entry.data?.['job'] === run.id) own.set(targetIn(entry), entry)
		else if (run.action.opposes(entry)) others.push(entry)
	}
	const effective = others.filter(({id}) => !didNothing(outcomes.get(id)))
	return {
		own: new Map([...own].map(([target, intent]) => [target, {intent, outcome: outcomes.get(intent.id)}])),
		opposed: new Map(effective.map(entry => [targetIn(entry), entry]))
	}
}

/** Somebody asked for something else after this job did, or since it began. */
export function wasOpposed({own, opposed}: Traces, target: string) {
	const later = opposed.get(target)
	const mine = own.get(target)
	// What was not sent is no answer to it.
	const since = mine === undefined || didNothing(mine.outcome) ? 0 : mine.intent.seq
	return later !== undefined && later.seq > since
}

function targetIn({args, target}: LogEntry) {
	const hash = args?.['sha256']
	return (typeof hash === 'string' ? hash : (target?.guid ?? '')).toLowerCase()
}

/**
 * Whether somebody else on this profile changed it since it was read: then that is no reason to send it. Its lock is held. Each
 * entry is read once for all targets: those about a list of hashes may be many.
 */
export async function wasChangedSince({services, connection, id, readSeqs, facts, others, plan: {action}}: RunState, target: TargetRow) {
	const read = readSeqs.get(target.position) ?? facts.logSeq
	for (const entry of await allEntries(services.log, {writesOnly: true, connection: connection.id}, others.upTo)) {
		others.upTo = Math.max(others.upTo, entry.seq)
		if (didNothing(entry)) others.without.add(entry.about)
		if (entry.kind !== 'command.requested' || entry.data?.['job'] === id) continue
		if ('list' in action && !isSameGuid(entry.target?.guid, action.list)) continue
		const changed = targetIn(entry)
		others.intents.set(changed, [...(others.intents.get(changed) ?? []), entry])
	}
	return others.intents.get(target.id.toLowerCase())?.some(intent => intent.seq > read && !others.without.has(intent.id)) === true
}

/** A release refused because of the state is reported as a success with that state. */
function didNothing(outcome: LogEntry | undefined) {
	return outcome?.kind === 'command.failed' || (outcome?.kind === 'command.succeeded' && outcome.status === 409)
}
