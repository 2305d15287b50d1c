/** What people decided about detection groups, and what was done about them: both are entries of the incident log. */
import {CordonError} from '#contract/errors.ts'
import type {DetectionCase, DetectionCaseDetail, DetectionWindow} from '#contract/detections.ts'
import type {DetectionGroup} from '#contract/events.ts'
import {detectionStatuses, type DetectionStatus} from '#model/choices.ts'
import type {LogEntry} from '#model/incident.ts'

import {type DetectionGroups, worstFirst} from '#core/replicas/events/groups.ts'
import type {EventStore} from '#core/replicas/events/store.ts'
import {allEntries} from '#core/record/incidents/all-entries.ts'
import type {IncidentLog, LogSearch} from '#core/record/incidents/types.ts'

type Log = Pick<IncidentLog, 'query' | 'matching'>

const dayMs = 86_400_000

/** All groups, the worst first; closed ones come last. */
export async function casesOf(...asked: Parameters<typeof decidedCases>): Promise<readonly DetectionCase[]> {
	return (await decidedCases(...asked)).map(([found]) => found)
}

export function windowOf(cases: readonly DetectionCase[], {offset, limit}: Record<'offset' | 'limit', number>): DetectionWindow {
	return {
		rows: cases
			.slice(offset, offset + limit)
			.map(({keys, computers, hashes: _hashes, suspect: _suspect, ...row}) => ({
				...row,
				newest: keys.at(-1) ?? row.key,
				events: keys.length,
				computers: computers.length
			})),
		offset,
		matching: cases.length,
		open: cases.filter(({status}) => status !== 'closed').length,
		owned: cases.some(({owner}) => owner !== '')
	}
}

type Decided = readonly (readonly [DetectionCase, readonly LogEntry[]])[]

/** By the groups, other ones after an event; `last`: of the newest decision. */
export type KnownCases = WeakMap<DetectionGroups, {query: LogSearch; last: number; cases: Decided}>

/** With all decisions about each, oldest first. */
async function decidedCases(
	store: Pick<EventStore, 'groups'>,
	log: Log,
	connection: string,
	known: KnownCases = new WeakMap()
): Promise<Decided> {
	const groups = await store.groups()
	const before = known.get(groups)
	if (before !== undefined && (await log.matching(before.query, before.last, 1)).length === 0) return before.cases
	const all = worstFirst(groups)
	if (all.length === 0) return []
	const oldest = Date.parse(all.map(({since}) => since).toSorted()[0] ?? '')
	// The clocks of the service and of this computer may differ.
	const since = Number.isNaN(oldest) ? undefined : new Date(oldest - dayMs).toISOString()
	const decisions = new Map(all.map((group): [DetectionGroup, LogEntry[]] => [group, []]))
	const query: LogSearch = {connection, kinds: ['detection.changed'], since}
	const entries = await allEntries(log, query)
	for (const entry of entries)
		for (const group of new Set(keysIn(entry).map(key => groups.get(key)))) if (group !== undefined) decisions.get(group)?.push(entry)
	const cases = [...decisions]
		.map(([group, decided]) => [withDecision(group, decided.at(-1)), decided] as const)
		.toSorted(([a], [b]) => Number(a.status === 'closed') - Number(b.status === 'closed'))
	known.set(groups, {query, last: entries.at(-1)?.seq ?? 0, cases})
	return cases
}

/** The newest events of a group that a decision names: the oldest go first. */
const mostKeys = 50

function keysIn({data}: LogEntry) {
	return [data?.['keys'] ?? data?.['key']].flat().map(String)
}

function withDecision(group: DetectionGroup, entry: LogEntry | undefined): DetectionCase {
	const [key = ''] = group.keys
	if (entry === undefined) return {...group, key, status: 'new', owner: '', changedAt: null}
	const status = detectionStatuses.find(each => each === entry.data?.['status']) ?? 'new'
	const isNewAgain = status === 'closed' && hasMore(group, entry)
	return {...group, key, status: isNewAgain ? 'new' : status, owner: String(entry.data?.['owner'] ?? ''), changedAt: entry.at}
}

/** Whether it has an event that it did not have when it was decided about. */
function hasMore({keys, until}: DetectionGroup, entry: LogEntry) {
	const events = entry.data?.['events']
	// Older entries do not say.
	if (typeof events !== 'number') return until > entry.at
	const known = new Set(keysIn(entry))
	const first = keys.findIndex(key => known.has(key))
	return first > events - known.size || keys.slice(first).some(key => !known.has(key))
}

/** More computers and hashes than these have too many entries to read. */
const mostSubjects = 25
const entriesOfEach = 40
const mostEntries = 100

/** `null` for an event of no group. */
export async function caseOf(
	store: Pick<EventStore, 'groups' | 'groupWith'>,
	log: Log,
	connection: string,
	key: string,
	known?: KnownCases
): Promise<DetectionCaseDetail | null> {
	const [found, decided = []] = (await decidedCases(store, log, connection, known)).find(([{keys}]) => keys.includes(key)) ?? []
	if (found === undefined) return null
	const about = {connection, since: found.since, limit: entriesOfEach}
	const answers = await Promise.all([
		...found.computers.slice(0, mostSubjects).map(({guid: target}) => log.query({...about, target})),
		...found.hashes.slice(0, mostSubjects).map(hash => log.query({...about, hash}))
	])
	const all = new Map([...decided, ...answers.flatMap(({entries}) => entries)].map(entry => [entry.id, entry]))
	const entries = [...all.values()].filter(isAction).toSorted((a, b) => b.seq - a.seq)
	const last = found.keys.at(-1) ?? ''
	return {
		...found,
		events: (await store.groupWith(last))?.events ?? [],
		entries: entries.slice(0, mostEntries),
		jobs: workIn(entries, 'job'),
		runs: workIn(entries, 'run')
	}
}

/** Reading the service is no step of an investigation that anybody looks for. */
function isAction({kind, command}: LogEntry) {
	return !kind.startsWith('command.') || command === null || !command.startsWith('svc_get')
}

function workIn(entries: readonly LogEntry[], kind: 'job' | 'run'): DetectionCaseDetail['jobs'] {
	const found = new Map<string, string>()
	for (const {data, message} of entries) {
		const id = data?.[kind]
		// The oldest entry of it comes last, and says what began.
		if (typeof id === 'string') found.set(id, message)
	}
	return [...found].map(([id, title]) => ({id, title}))
}

interface Decision {
	connection: NonNullable<LogEntry['connection']>
	key: string
	status: DetectionStatus
	owner: string
	note: string
}

/** Throws `not_found` for an event of no group. */
export async function decide(
	store: Pick<EventStore, 'groups'>,
	log: Pick<IncidentLog, 'append'>,
	{connection: {id, name, url}, key, status, owner, note}: Decision
): Promise<LogEntry> {
	const group = (await store.groups()).get(key)
	if (group === undefined) throw new CordonError('not_found', 'No detection group has this event. It may be too old.')
	const said = [`${group.title}: ${status}`, owner === '' ? 'no owner' : `owner ${owner}`].join(', ')
	return log.append({
		kind: 'detection.changed',
		surface: 'screen',
		message: note === '' ? `${said}.` : `${said}. ${note}`,
		connection: {id, name, url},
		data: {key, keys: group.keys.slice(-mostKeys), events: group.keys.length, status, owner, reason: note}
	})
}
