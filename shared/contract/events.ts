/** Procedures of the local store of events (API reference, "Events"). Times are ISO 8601 UTC; ids keep all digits. */
import {type} from '@orpc/contract'
import {z} from 'zod'

import {base, connection, given, onConnection, window} from './base.ts'
import type {DetectionOutcome, EventSeverity} from '../model/event.ts'
import type {CutStream} from '../model/text-file.ts'
import type {ErrorReport} from './errors.ts'
import {eventGroupings, groupingSpans} from '../model/choices.ts'

const eventQuery = z.object({
	connection,
	/** Typed filter, as in `model/event-filter.ts`. */
	filter: z.string(),
	/** Inclusive start, exclusive end. */
	from: z.string().nullable().default(null),
	to: z.string().nullable().default(null),
	grouping: z.enum(eventGroupings).default('none'),
	/** Minutes; default: no limit. */
	within: z.literal(groupingSpans).nullable().optional()
})
export type EventQuery = z.infer<typeof eventQuery>

export type EventRow = Readonly<{
	/** Local key, stable while the event is stored. */
	key: string
	/** The service's id with all digits; some kinds have none. */
	id: string | null
	at: string
	typeId: number | null
	type: string
	severity: EventSeverity
	detection: string | null
	/** Without a detection's name: what the service says about a Cloud IOC, scan, fault or failure. */
	about: string | null
	detectionId: string | null
	outcome: DetectionOutcome | null
	guid: string | null
	hostname: string
	user: string | null
	groupGuids: readonly string[]
	sha256: string | null
	/** SHA-256 of the parent. */
	parent: string | null
	fileName: string | null
	filePath: string | null
	disposition: string | null
	remote: string | null
	url: string | null
	/** Whether the service's record has undocumented parts. */
	odd: boolean
	gathered?: GatheredEvents
}>

export type DetectionGroup = Readonly<{
	title: string
	severity: EventSeverity
	/** Times of the first and the newest event. */
	since: string
	until: string
	/** Of its events, oldest first. */
	keys: readonly string[]
	/** Every known outcome is a success. */
	stopped: boolean
	computers: readonly {guid: string; hostname: string}[]
	/** Malicious files first, and last those that are clean: most are programs that were used. */
	hashes: readonly string[]
	/** The first of them, unless all are clean. */
	suspect: string | null
}>

/** Events of one row, represented by its newest. */
export interface GatheredEvents {
	readonly events: number
	readonly computers: number
	/** Time of the oldest of them. */
	readonly since: string
}

/** The examined events of gathered rows. `exact: false`: older events match too, before `oldest`. */
export type EventGathering = Readonly<{
	events: number
	/** Events without a value of the grouping: each has its own row. */
	without: number
	exact: boolean
	oldest: string | null
}>

export type EventWindow = Readonly<{
	rows: readonly EventRow[]
	offset: number
	/** `exact: false`: counting stopped at this number. */
	matching: {count: number; exact: boolean}
	all: number
	revision: number
	/** With `grouping` by a value. */
	gathering?: EventGathering
}>

export type EventDetail = Readonly<{
	row: EventRow
	/** The service's record as text, with all digits. */
	json: string
	/** All stored events of the same detection, oldest first. */
	chain: readonly EventRow[]
	/** The newest events of its detection group, oldest first. */
	group: {title: string; events: readonly EventRow[]} | null
	typeDescription: string | null
}>

export type EventHistogram = Readonly<{
	from: string
	to: string
	stepMs: number
	/** One list per severity, each with one count per step. */
	counts: Readonly<Record<EventSeverity, readonly number[]>>
	/** `false`: counting stopped, newest first; steps before `countedFrom` show less than there is. */
	exact: boolean
	countedFrom: string | null
	/** Spans not loaded from the service. */
	gaps: readonly {from: string; to: string}[]
}>

export interface Facet {
	readonly value: string
	readonly label: string
	readonly count: number
}

export type EventFacets = Readonly<{
	type: readonly Facet[]
	severity: readonly Facet[]
	outcome: readonly Facet[]
	group: readonly Facet[]
	detection: readonly Facet[]
	/** `exact: false`: only this many of the newest events were counted. */
	counted: {events: number; exact: boolean}
}>

export type EventStoreState = Readonly<{
	stored: number
	oldest: string | null
	newest: string | null
	phase: 'empty' | 'loading' | 'complete' | 'partial' | 'failed'
	read: number
	total: number | null
	readAt: string | null
	error: ErrorReport | null
	/** Estimated cost of the next load, in calls. */
	refreshCalls: number | null
	revision: number
	/** Spans of the last `keptDays` not loaded, oldest first. */
	gaps: readonly {from: string; to: string}[]
	/** The service keeps events for this many days, and this copy at most this many of them. */
	keptDays: number
	keptEvents: number
	/** Event fields unknown to this version, with counts; they are stored and shown raw. */
	unknownFields: readonly {field: string; count: number}[]
}>

export type EventTypeRow = Readonly<{
	id: number
	name: string
	description: string
	/** How many are stored. */
	count: number
}>

export const eventsContract = {
	state: base.input(onConnection).output(type<EventStoreState>()),
	query: base.input(eventQuery.extend({...window})).output(type<EventWindow>()),
	/** Position of an event in the order of the query, newest first; `-1` when it does not match. */
	position: base.input(eventQuery.extend({key: z.string()})).output(type<number>()),
	histogram: base.input(eventQuery.extend({steps: z.int().min(10).max(400)})).output(type<EventHistogram>()),
	facets: base.input(eventQuery).output(type<EventFacets>()),
	detail: given({connection, key: z.string().min(1)}).output(type<EventDetail | null>()),
	types: base.input(onConnection).output(type<readonly EventTypeRow[]>()),
	/** Loads new events, or, with `days`, missing ones of that many days. Resolves at the end with any result. */
	refresh: given({connection, days: z.int().min(1).max(30).optional()}).output(type<EventStoreState>()),
	/** Local facts of a hash, address, URL, file name, user, host or GUID. */
	export: base.input(eventQuery.extend({format: z.enum(['csv', 'jsonl'])})).output(type<CutStream>())
}
