/** Procedures of the incident log. Entries are only ever added: a note, a pin and a handover are separate entries. */
import {type} from '@orpc/contract'
import {z} from 'zod'

import {base, connection, given, incident, onConnection} from './base.ts'
import type {AuditRecord} from '../model/audit.ts'
import type {Handover} from '../model/handover.ts'
import {logQuerySchema, type EntryKind, type Incident, type LogEntry, type Pin} from '../model/incident.ts'
import type {CutStream} from '../model/text-file.ts'
import type {ErrorReport} from './errors.ts'
import type {ChainState} from './local.ts'

const logFormats = ['jsonl', 'csv', 'md', 'html'] as const

const logSearch = logQuerySchema.omit({limit: true, before: true, after: true})

/** One host among the matching entries, with its newest marks. */
export type HostLane = Readonly<{
	guid: string
	label: string
	entries: number
	/** `missed`: another isolation state was confirmed than the requested one. */
	marks: readonly {id: string; at: string; kind: EntryKind; missed?: true}[]
}>

/** Changes requested by one person in one time step. */
export interface WritesInStep {
	readonly operator: string
	/** Start of the step, ISO 8601 UTC. */
	readonly hour: string
	readonly count: number
}

export type LogPicture = Readonly<{
	/** Those changed last. */
	lanes: readonly HostLane[]
	/** Total number of matching hosts. */
	hosts: number
	/** All of them, oldest first, in whole steps. */
	writes: readonly WritesInStep[]
	/** Length of a step in hours: 1, or enough for at most 96 steps. */
	stepHours: number
}>

export type AuditState = Readonly<{
	/** Stored on this computer, without repetitions of our own actions. */
	elsewhere: number
	/** Number that repeat an action in our own log. */
	own: number
	/** Start of the stored part. */
	oldestAt: string | null
	/** When it was last loaded, with any result. */
	readAt: string | null
	/** Total number of the service's entries for the requested time. */
	total: number | null
	/** Whether that time is complete. */
	complete: boolean
	/** Calls of the last load. */
	calls: number
	/** Why the last load failed or was incomplete. */
	problem: ErrorReport | null
	/** Minimum cost of loading new entries, in calls, including missing ones. */
	price: number
}>

/** One row of the log, merged with changes elsewhere. */
export type JoinedRow =
	| {
			kind: 'own'
			entry: LogEntry
			/** How far this computer's clock was set back since the entry written before this one, if so. */
			setBackMs?: number
			/** The later entries of the change that this one begins, oldest first. */
			steps: readonly LogEntry[]
	  }
	| {kind: 'elsewhere'; record: AuditRecord}

/** Rows from `offset`. */
export type JoinedPage = Readonly<{
	rows: readonly JoinedRow[]
	offset: number
	/** Number of matching rows, loaded or not. */
	matching: number
	/** Matching own entries. */
	own: number
	/** Lines that they stand on: one for each change, and one for each other entry. */
	lines: number
	/** Records from elsewhere among all matches. */
	elsewhere: number
	/** Matching rows after `upTo`, not included in the rows. */
	newer: number
	/** Number of the newest own entry, matching or not, 0 for none. */
	newest: number
}>

/** The row in an address, and all entries about the same object, newest first. */
export interface LogThread {
	readonly row: JoinedRow | null
	readonly entries: readonly LogEntry[]
}

const handover = z.object({
	connection,
	/** Only evidence, notes and changes of this incident; open work is shown for all. */
	incident,
	/** Length of the shift. */
	hours: z.int().min(1).max(168).default(12)
})
const nextSteps = z.string().max(10_000).default('')

const pinning = z.object({
	/** Id of the entry. */
	id: z.string().min(1),
	pinned: z.boolean(),
	reason: z.string().trim().max(1000).default(''),
	/** Incident of the pin when its entry has none. */
	incident
})

export const logContract = {
	query: base.input(logQuerySchema).output(type<{entries: readonly LogEntry[]; more: boolean; matching: number}>()),
	/** Our own entries merged with changes elsewhere, newest first. */
	joined: given({
		query: logSearch,
		/** Connection of the merged audit log; `null`: none. */
		connection: connection.nullable(),
		offset: z.int().min(0).default(0),
		limit: z.int().min(1).max(500).default(200),
		/** Number of the newest own entry shown to a reader: later ones wait. */
		upTo: z.int().min(0).optional()
	}).output(type<JoinedPage>()),
	/** `key`: id of an own entry, or key of a record from elsewhere. */
	thread: given({connection: connection.nullable(), key: z.string().min(1)}).output(type<LogThread>()),
	/** State of a connection's audit log. The service is not queried. */
	audit: base.input(onConnection).output(type<AuditState>()),
	/** Loads new entries from the service; with `all` those of the last 30 days, at any cost. */
	readAudit: given({connection, all: z.boolean().default(false)}).output(type<AuditState>()),
	/** Copies a record from elsewhere into our own log as evidence. */
	pinElsewhere: given({connection, key: z.string(), reason: z.string().trim().max(1000).default(''), incident}).output(type<LogEntry>()),
	note: given({
		text: z.string().trim().min(1).max(10_000),
		about: z.string().nullable(),
		/** The note's object, as seen by the operator. */
		target: z.object({guid: z.string(), label: z.string()}).optional(),
		incident: z.string().nullable(),
		/** The note's tenant. */
		connection: connection.nullable().default(null)
	}).output(type<LogEntry>()),
	/** The shift handover, from local data. */
	handover: base.input(handover).output(type<Handover>()),
	/** The same as text for a ticket, and as a page to print. */
	handoverText: base.input(handover.extend({next: nextSteps})).output(type<{name: string; markdown: string; html: string}>()),
	/** Writes the next steps into the log as a note. */
	handOver: base.input(handover.extend({next: nextSteps.refine(text => text.trim() !== '')})).output(type<LogEntry>()),
	pins: base.output(type<readonly Pin[]>()),
	/** `null` without a change. */
	setPinned: base.input(pinning).output(type<LogEntry | null>()),
	people: base.output(type<readonly string[]>()),
	picture: base.input(logSearch).output(type<LogPicture>()),
	/** `cut`: the name says so too, and the file lacks the newest entries. */
	export: given({query: logSearch, format: z.enum(logFormats)}).output(type<CutStream>()),
	verify: base.output(type<ChainState>()),
	incidents: base.output(type<readonly Incident[]>()),
	openIncident: given({title: z.string().trim().min(1).max(200), reference: z.string().trim().max(200)}).output(type<Incident>()),
	setIncidentOpen: given({id: z.string(), open: z.boolean()}).output(type<Incident>())
}
