/** Procedures of the incident log. Entries are only ever added: a note, a pin and a hand-over are entries of their own. */
import {oc, type} from '@orpc/contract'
import {z} from 'zod'

import type {AuditRecord} from '../model/audit.ts'
import type {Handover} from '../model/handover.ts'
import {logQuerySchema, type EntryKind, type Incident, type LogEntry, type Pin} from '../model/incident.ts'
import type {TextFile} from '../model/text-file.ts'
import type {ErrorReport} from './errors.ts'
import type {ChainState} from './local.ts'

const base = oc.errors({CORDON: {status: 500, data: type<ErrorReport>()}})

export const logFormats = ['jsonl', 'csv', 'md', 'html'] as const

const logSearch = logQuerySchema.omit({limit: true, before: true, after: true})

/** One host among the matching entries, with its newest marks. */
export interface HostLane {
	readonly guid: string
	readonly label: string
	readonly entries: number
	readonly marks: readonly {readonly id: string; readonly at: string; readonly kind: EntryKind}[]
}

/** Changes that one person asked for in one step of time. */
export interface WritesInStep {
	readonly operator: string
	/** Beginning of the step, ISO 8601 UTC. */
	readonly hour: string
	readonly count: number
}

export interface LogPicture {
	/** Those that were touched last. */
	readonly lanes: readonly HostLane[]
	/** How many hosts match in all. */
	readonly hosts: number
	/** All of them, oldest first, whole steps apart. */
	readonly writes: readonly WritesInStep[]
	/** Length of a step in hours: 1, or as many as make the whole time at most 96 steps. */
	readonly stepHours: number
}

export interface LogExport extends TextFile {
	/** It was too large for one file: the name says so, and older entries are in it, not the newest. */
	readonly cut: boolean
}

/** What is known of the audit log of a connection. */
export interface AuditState {
	/** Kept on this computer, those that repeat our own actions aside. */
	readonly elsewhere: number
	/** How many repeat an action of our own log. */
	readonly own: number
	/** What is kept begins here. */
	readonly oldestAt: string | null
	/** When it was last read, whatever came of it. */
	readonly readAt: string | null
	/** How many entries the service had for the time that was asked for. */
	readonly total: number | null
	/** Everything of that time is here. */
	readonly complete: boolean
	/** Calls of the last reading. */
	readonly calls: number
	/** Why the last reading brought nothing, or not everything. */
	readonly problem: ErrorReport | null
	/** The least that reading what is new costs, in calls; what is missing is in it. */
	readonly price: number
}

/** One row of the log with what was done elsewhere between our own entries. */
export type JoinedRow =
	| {
			readonly kind: 'own'
			readonly entry: LogEntry
			/** How far this computer's clock was set back between the entry written before it and this one, if it was. */
			readonly setBackMs?: number
	  }
	| {readonly kind: 'elsewhere'; readonly record: AuditRecord}

/** Rows from `offset` on. */
export interface JoinedPage {
	readonly rows: readonly JoinedRow[]
	readonly offset: number
	/** Rows that match, loaded or not. */
	readonly matching: number
	/** Our own among all that match. */
	readonly own: number
	/** Records from elsewhere among all that match. */
	readonly elsewhere: number
	/** Rows that match and came after `upTo`: they are not among the rows. */
	readonly newer: number
	/** Number of the newest entry of our own that matches, 0 for none. */
	readonly newest: number
}

/** What an address of the log names: the row, and all entries about the same thing, newest first. */
export interface LogThread {
	readonly row: JoinedRow | null
	readonly entries: readonly LogEntry[]
}

const connection = z.string().min(1)

const handover = z.object({
	connection,
	/** Only evidence, notes and changes of this incident; what is open is open for all. */
	incident: z.string().nullable().default(null),
	/** How long the shift was. */
	hours: z.int().min(1).max(168).default(12),
})
const nextSteps = z.string().max(10_000).default('')

const pinning = z.object({
	/** Id of the entry. */
	id: z.string().min(1),
	pinned: z.boolean(),
	reason: z.string().trim().max(1000).default(''),
	/** Where the pin goes when its entry belongs to no incident. */
	incident: z.string().nullable().default(null),
})

export const logContract = {
	query: base
		.input(logQuerySchema)
		.output(type<{readonly entries: readonly LogEntry[]; readonly more: boolean; readonly matching: number}>()),
	/** Our own entries with what was done elsewhere between them, newest first. */
	joined: base
		.input(
			z.object({
				query: logSearch,
				/** Whose audit log is joined; `null`: none. */
				connection: connection.nullable(),
				offset: z.int().min(0).default(0),
				limit: z.int().min(1).max(500).default(200),
				/** Number of the newest entry of our own that somebody reads from: what came later waits. */
				upTo: z.int().min(0).optional(),
			}),
		)
		.output(type<JoinedPage>()),
	/** `key`: id of an entry of ours, or the key of a record from elsewhere. */
	thread: base.input(z.object({connection: connection.nullable(), key: z.string().min(1)})).output(type<LogThread>()),
	/** What is known of the audit log of a connection. The service is not asked. */
	audit: base.input(z.object({connection})).output(type<AuditState>()),
	/** Asks the service for what is new; with `all` for everything of the last 30 days, whatever it costs. */
	readAudit: base.input(z.object({connection, all: z.boolean().default(false)})).output(type<AuditState>()),
	/** Copies a record from elsewhere into our own log, as evidence. */
	pinElsewhere: base
		.input(
			z.object({
				connection,
				key: z.string(),
				reason: z.string().trim().max(1000).default(''),
				incident: z.string().nullable().default(null),
			}),
		)
		.output(type<LogEntry>()),
	note: base
		.input(
			z.object({
				text: z.string().trim().min(1).max(10_000),
				about: z.string().nullable(),
				/** The object that the note is about, as the operator sees it. */
				target: z.object({guid: z.string(), label: z.string()}).optional(),
				incident: z.string().nullable(),
				/** The tenant that it is about. */
				connection: connection.nullable().default(null),
			}),
		)
		.output(type<LogEntry>()),
	/** What whoever comes next has to know, from what lies on this computer. */
	handover: base.input(handover).output(type<Handover>()),
	/** The same as text for a ticket, and as a page to print. */
	handoverText: base
		.input(handover.extend({next: nextSteps}))
		.output(type<{readonly name: string; readonly markdown: string; readonly html: string}>()),
	/** Writes the next steps into the log, as a note. */
	handOver: base.input(handover.extend({next: nextSteps.refine(text => text.trim() !== '')})).output(type<LogEntry>()),
	/** All that is pinned as evidence now. */
	pins: base.output(type<readonly Pin[]>()),
	/** `null` when it was so already. */
	setPinned: base.input(pinning).output(type<LogEntry | null>()),
	/** All who left entries. */
	people: base.output(type<readonly string[]>()),
	picture: base.input(logSearch).output(type<LogPicture>()),
	export: base.input(z.object({query: logSearch, format: z.enum(logFormats)})).output(type<LogExport>()),
	/** Goes over the whole chain of hashes. */
	verify: base.output(type<ChainState>()),
	incidents: base.output(type<readonly Incident[]>()),
	openIncident: base
		.input(z.object({title: z.string().trim().min(1).max(200), reference: z.string().trim().max(200)}))
		.output(type<Incident>()),
	setIncidentOpen: base.input(z.object({id: z.string(), open: z.boolean()})).output(type<Incident>()),
}
