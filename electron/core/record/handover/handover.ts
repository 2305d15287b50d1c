/** The hand-over of a shift, from what lies on this computer: the service is not asked. */
import {type Handover, type HandoverLine, mostOfAKind} from '#model/handover.ts'
import type {Connection} from '#model/connection.ts'
import {type JobSummary, sentOf} from '#model/job.ts'
import type {Lease} from '#model/lease.ts'
import type {LogEntry, Pin} from '#model/incident.ts'
import type {UndoItem} from '#model/undo-list.ts'
import {leaseEnd} from '#text/isolation.ts'
import {omitUndefined} from '#shared/omit-undefined.ts'

import {allEntries, unknownOutcomes} from '../incidents/all-entries.ts'
import type {IncidentLog} from '../incidents/types.ts'

export interface HandoverSources {
	connection: Pick<Connection, 'id' | 'name'>
	operator: string
	/** Unix milliseconds. */
	now: number
	log: Pick<IncidentLog, 'matching' | 'stepsOf' | 'about' | 'pins' | 'incidents'>
	leases: readonly Lease[]
	inventory: {pending(): readonly {guid: string; label: string; status: string; since: string | null}[]}
	jobs: readonly JobSummary[]
	/** Of the whole shift. */
	undo: readonly UndoItem[]
}

export interface HandoverRequest {
	/** Only evidence, notes and changes of this incident; what is open is open for all. */
	incident: string | null
	hours: number
}

export async function handoverOf(sources: HandoverSources, {incident, hours}: HandoverRequest): Promise<Handover> {
	const {log, now, connection, operator} = sources
	const since = new Date(now - hours * 3_600_000).toISOString()
	const filter = {since, tenant: connection.id, ...(incident === null ? {} : {incident})}
	const incidents = incident === null ? [] : await log.incidents()
	const all: Lines = {
		leases: sources.leases.map(leaseLine),
		pending: pendingLines(sources),
		jobs: sources.jobs.filter(({endedAt}) => endedAt === null).map(jobLine),
		unknown: (await unknownOutcomes(log, connection.id, now)).map(entry => entryLine(entry)),
		lasting: sources.undo
			.filter(one => one.at >= since && one.undoneAt === null && (one.impossible !== null || Date.parse(one.until) <= now))
			.map(lastingLine),
		pinned: await pinnedLines(sources, filter),
		notes: (await allEntries(log, {...filter, kinds: ['note']})).map(entry => entryLine(entry))
	}
	const cut = Object.entries(all).filter(([, lines]) => lines.length > mostOfAKind)
	return {
		at: new Date(now).toISOString(),
		by: operator,
		connection: connection.name,
		incident: incidents.find(({id}) => id === incident)?.title ?? null,
		since,
		parts: shortened(all),
		cut: Object.fromEntries(cut.map(([part, lines]) => [part, lines.length]))
	}
}

type Lines = Handover['parts']

function shortened(all: Lines) {
	// The keys of `all`. Of notes, the newest say where things stand.
	return Object.fromEntries(
		Object.entries(all).map(([part, lines]) => [part, part === 'notes' ? lines.slice(-mostOfAKind) : lines.slice(0, mostOfAKind)])
	) as unknown as Lines
}

function leaseLine({label, guid, state, endsAt, auto, holder, trouble, note}: Lease): HandoverLine {
	const more = [note, trouble].filter(text => text !== null && text !== '').join(' ')
	return {
		text: `${label}: ${state === 'asked' ? 'outcome unknown; ' : ''}${leaseEnd(endsAt !== null, auto)}. Owner: ${holder}.${more === '' ? '' : ` ${more}`}`,
		at: endsAt,
		open: `/computers/${guid}`
	}
}

function pendingLines({inventory}: HandoverSources) {
	return inventory.pending().map(({guid, label, status, since}) => {
		const what = status === 'pending_start' ? 'isolation not confirmed' : 'release not confirmed'
		return {text: `${label}: ${what}.`, at: since, open: `/computers/${guid}`}
	})
}

function jobLine({id, title, startedAt, startedBy, targets, counts, because, phase}: JobSummary): HandoverLine {
	const why = because === null ? '' : ` ${because}`
	return {
		text: `${title} by ${startedBy}: ${phase.replaceAll('_', ' ')}, ${sentOf(counts)} of ${targets} sent.${why}`,
		at: startedAt,
		open: `/jobs/${id}`
	}
}

function lastingLine({title, by, at, impossible, id}: UndoItem): HandoverLine {
	return {
		text: `${title} ${by}. ${impossible ?? 'The time to undo it is over.'}`,
		at,
		open: id.startsWith('job:') ? `/jobs/${id.slice(4)}` : entryAddress(id)
	}
}

/** Pins of the shift, and those of its incident whenever they were set. */
async function pinnedLines(
	{log, connection}: HandoverSources,
	{since, incident}: {since: string; incident?: string}
): Promise<readonly HandoverLine[]> {
	const pins = await log.pins()
	const entries = await allEntries(log, {pinned: true, tenant: connection.id, ...omitUndefined({incident})})
	return entries.flatMap(entry => {
		const pin = pins.get(entry.id)
		return pin === undefined || (incident === undefined && pin.at < since) ? [] : [entryLine(entry, pin)]
	})
}

function entryLine(entry: LogEntry, pin?: Pin): HandoverLine {
	const why = pin === undefined || pin.reason === '' ? '' : ` Kept because: ${pin.reason}`
	const said = why === '' || /[.!?…]$/.test(entry.message) ? entry.message : `${entry.message}.`
	return {text: `${entry.operator}: ${said}${why}`, at: entry.at, open: entryAddress(entry.id)}
}

function entryAddress(id: string) {
	return `/log?entry=${id}`
}
