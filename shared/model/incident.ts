import {z} from 'zod'

import {releaseCommand} from './isolation.ts'

export const surfaces = ['screen', 'cli', 'automation', 'playbook', 'api', 'assistant'] as const
export type Surface = (typeof surfaces)[number]

/**
 * Kinds of log entries. `note` entries annotate others, and a pin is an entry about another one; entries are never changed or
 * removed.
 */
export const entryKinds = [
	'command.requested',
	'command.succeeded',
	'command.failed',
	'command.outcome_unknown',
	'command.observed',
	'secret.revealed',
	'note',
	'evidence.pinned',
	'evidence.unpinned',
	'connection.changed',
	'lease.changed',
	'forwarding.changed',
	'managed.changed',
	'session.changed',
	'detection.changed',
	'incident.opened',
	'incident.closed',
	'incident.reopened'
] as const
export type EntryKind = (typeof entryKinds)[number]

/** Entries about another one that stand for themselves: what else is about an entry is a step of the same change. */
export const annotations: readonly EntryKind[] = ['note', 'evidence.pinned', 'evidence.unpinned', 'secret.revealed', 'lease.changed']

const incidentSchema = z.object({
	id: z.string(),
	title: z.string(),
	reference: z.string(),
	open: z.boolean(),
	openedAt: z.string(),
	closedAt: z.string().nullable(),
	entries: z.number()
})
export type Incident = z.infer<typeof incidentSchema>

/** An entry as read back. Secrets were redacted before it was written. */
const logEntrySchema = z.object({
	seq: z.number(),
	id: z.string(),
	at: z.string(),
	kind: z.enum(entryKinds),
	/** The intent of an outcome, or the entry of a note. */
	about: z.string().nullable(),
	incident: z.string().nullable(),
	command: z.string().nullable(),
	args: z.record(z.string(), z.unknown()).nullable(),
	/** The target as seen by the operator. */
	target: z.object({guid: z.string(), label: z.string()}).nullable(),
	connection: z.object({id: z.string(), name: z.string(), url: z.string()}).nullable(),
	operator: z.string(),
	surface: z.enum(surfaces),
	durationMs: z.number().nullable(),
	status: z.number().nullable(),
	requestId: z.string().nullable(),
	message: z.string(),
	data: z.record(z.string(), z.unknown()).nullable()
})
export type LogEntry = z.infer<typeof logEntrySchema>

/** A pin cannot be pinned; a copy of a change elsewhere is evidence by itself. */
export function isAboutEvidence({kind, about}: LogEntry) {
	return kind === 'evidence.unpinned' || (kind === 'evidence.pinned' && about !== null)
}

/** A confirmed isolation state is not always the one that was asked for. */
export function isMissed({kind, command, data}: Pick<LogEntry, 'kind' | 'command' | 'data'>): boolean {
	const wanted = command === releaseCommand ? 'not_isolated' : 'isolated'
	return kind === 'command.observed' && (data?.['state'] ?? wanted) !== wanted
}

/** A change that was not carried out, or of which nobody knows. */
export function isTrouble(entry: Pick<LogEntry, 'kind' | 'command' | 'data'>): boolean {
	return entry.kind === 'command.failed' || entry.kind === 'command.outcome_unknown' || isMissed(entry)
}

export const logQuerySchema = z.object({
	text: z.string().optional(),
	kinds: z.array(z.enum(entryKinds)).optional(),
	command: z.string().optional(),
	target: z.string().optional(),
	incident: z.string().optional(),
	connection: z.string().optional(),
	/** Id of a connection: its entries, and those without one. */
	tenant: z.string().optional(),
	surface: z.enum(surfaces).optional(),
	/** Who did it, as the entry names them. */
	operator: z.string().optional(),
	/** SHA-256, SHA-1 or MD5 in an entry. */
	hash: z.string().optional(),
	/** Only current evidence. */
	pinned: z.boolean().optional(),
	/** The isolation observed. */
	state: z.string().optional(),
	/** Only changes: commands whose risk is not `read`. */
	writesOnly: z.boolean().optional(),
	since: z.string().optional(),
	/** Exclusive end. */
	until: z.string().optional(),
	/** Entries older than this sequence number, for paging backwards. */
	before: z.number().optional(),
	/** Entries newer than this sequence number, oldest first, for following. */
	after: z.number().optional(),
	limit: z.number().int().min(1).max(1000).default(200)
})
export type LogQuery = z.infer<typeof logQuerySchema>

/** An entry kept as evidence, by its newest pin entry. */
export type Pin = Readonly<{
	/** Id of the pinned entry. */
	about: string
	at: string
	by: string
	reason: string
}>

/** Why a change was made, by its first entry; empty where nothing says so. */
export function whyOf({args, data}: Pick<LogEntry, 'args' | 'data'>): {reason: string; ticket: string} {
	const said = [data?.['reason'], data?.['comment'], args?.['comment']].find(text => typeof text === 'string')
	// A comment for the service carries the ticket and the job too.
	const [, reason = '', ticket = ''] = /^(.*?)(?: \[([^\]]*)\])?(?: \(Cordon job \S+\))?$/su.exec(String(said ?? '')) ?? []
	const given = data?.['ticket']
	return {reason, ticket: typeof given === 'string' ? given : ticket}
}
