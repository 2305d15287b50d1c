/** The visible request log, bounded: pure, for tests without a connection. */
import type {RequestEntry} from '#contract/instances.ts'

/** Older ones are dropped: the page shows the present, metrics count the rest. */
export const mostRequests = 500

export interface RequestLog {
	/** Newest first. */
	shown: readonly RequestEntry[]
	/** Received while paused; newest first. */
	held: readonly RequestEntry[]
	isPaused: boolean
}

export const emptyLog: RequestLog = {shown: [], held: [], isPaused: false}

/** A client may give many requests one ID: that of its own work, or to hide them. */
export function keyOf({id, at, phases}: RequestEntry) {
	return [id, at, ...Object.values(phases)].join(' ')
}

/** Adds a batch in any order, without duplicates. */
export function taken(log: RequestLog, batch: readonly RequestEntry[]): RequestLog {
	if (log.isPaused) return {...log, held: merged(log.held, batch, log.shown)}
	return {...log, shown: merged(log.shown, batch, [])}
}

export function paused(log: RequestLog, isPaused: boolean): RequestLog {
	return {shown: merged(log.shown, log.held, []), held: [], isPaused}
}

function merged(old: readonly RequestEntry[], batch: readonly RequestEntry[], known: readonly RequestEntry[]) {
	const keys = new Set([...old, ...known].map(keyOf))
	const fresh = batch.filter(entry => !keys.has(keyOf(entry)))
	if (fresh.length === 0) return old
	return [...fresh, ...old].toSorted((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0)).slice(0, mostRequests)
}

export const statusFilters = ['all', '2xx', '3xx', '4xx', '5xx', 'failed'] as const
export type StatusFilter = (typeof statusFilters)[number]

/** Whether a request matches the words and the status; every word must occur. */
export function fits(entry: RequestEntry, text: string, status: StatusFilter) {
	if (status === 'failed' && !isFailure(entry)) return false
	if (/^\dxx$/.test(status) && String(entry.status)[0] !== status[0]) return false
	const all = [entry.method, entry.path, entry.status, entry.client, entry.reason, entry.protocol, entry.alias, entry.id].join(' ').toLowerCase()
	return text
		.toLowerCase()
		.split(/\s+/)
		.every(word => all.includes(word))
}

/** Failed for the client: 5xx, or truncated. */
export function isFailure(entry: RequestEntry) {
	return entry.status >= 500 || isCut(entry)
}

/** Ended too early. An answer of Cordon's own, such as 404, is ended by Cordon and complete. */
export function isCut({endedBy, source}: RequestEntry) {
	return endedBy !== 'done' && !(endedBy === 'cordon' && source === 'cordon')
}

export const phaseNames = ['tls', 'access', 'queue', 'connect', 'firstByte', 'body'] as const
type PhaseName = (typeof phaseNames)[number]

export const phaseWords: Readonly<Record<PhaseName, string>> = {
	tls: 'TLS',
	access: 'access',
	queue: 'queue',
	connect: 'connect',
	firstByte: 'first byte',
	body: 'body'
}

/** Sum of all phases, in milliseconds. */
export function totalMs({phases}: RequestEntry) {
	return phaseNames.reduce((sum, name) => sum + (phases[name] ?? 0), 0)
}
