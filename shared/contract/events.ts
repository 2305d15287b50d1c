/** Procedures of the local store of events (API reference, "Events"). Times are ISO 8601 UTC; ids keep all digits. */
import {type} from '@orpc/contract'
import {z} from 'zod'

import {base, connection, onConnection, window} from './base.ts'
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

export interface EventRow {
	/** Local key, stable while the event is stored. */
	readonly key: string
	/** The service's id with all digits; some kinds have none. */
	readonly id: string | null
	readonly at: string
	readonly typeId: number | null
	readonly type: string
	readonly severity: EventSeverity
	readonly detection: string | null
	/** Without a detection's name: what the service says about a Cloud IOC, scan, fault or failure. */
	readonly about: string | null
	readonly detectionId: string | null
	readonly outcome: DetectionOutcome | null
	readonly guid: string | null
	readonly hostname: string
	readonly user: string | null
	readonly groupGuids: readonly string[]
	readonly sha256: string | null
	/** SHA-256 of the parent. */
	readonly parent: string | null
	readonly fileName: string | null
	readonly filePath: string | null
	readonly disposition: string | null
	readonly remote: string | null
	readonly url: string | null
	/** Whether the service's record has undocumented parts. */
	readonly odd: boolean
	readonly gathered?: GatheredEvents
}

export interface DetectionGroup {
	readonly title: string
	readonly severity: EventSeverity
	/** Times of the first and the newest event. */
	readonly since: string
	readonly until: string
	/** Of its events, oldest first. */
	readonly keys: readonly string[]
	/** Every known outcome is a success. */
	readonly stopped: boolean
	readonly computers: readonly {guid: string; hostname: string}[]
	/** Malicious files first, and last those that are clean: most are programs that were used. */
	readonly hashes: readonly string[]
	/** The first of them, unless all are clean. */
	readonly suspect: string | null
}

/** Events of one row, represented by its newest. */
export interface GatheredEvents {
	readonly events: number
	readonly computers: number
	/** Time of the oldest of them. */
	readonly since: string
}

/** The examined events of gathered rows. `exact: false`: older events match too, before `oldest`. */
export interface EventGathering {
	readonly events: number
	/** Events without a value of the grouping: each has its own row. */
	readonly without: number
	readonly exact: boolean
	readonly oldest: string | null
}

export interface EventWindow {
	readonly rows: readonly EventRow[]
	readonly offset: number
	/** `exact: false`: counting stopped at this number. */
	readonly matching: {count: number; exact: boolean}
	readonly all: number
	readonly revision: number
	/** With `grouping` by a value. */
	readonly gathering?: EventGathering
}

export interface EventDetail {
	readonly row: EventRow
	/** The service's record as text, with all digits. */
	readonly json: string
	/** All stored events of the same detection, oldest first. */
	readonly chain: readonly EventRow[]
	/** The newest events of its detection group, oldest first. */
	readonly group: {title: string; events: readonly EventRow[]} | null
	readonly typeDescription: string | null
}

export interface EventHistogram {
	readonly from: string
	readonly to: string
	readonly stepMs: number
	/** One list per severity, each with one count per step. */
	readonly counts: Readonly<Record<EventSeverity, readonly number[]>>
	/** `false`: counting stopped, newest first; steps before `countedFrom` show less than there is. */
	readonly exact: boolean
	readonly countedFrom: string | null
	/** Spans not loaded from the service. */
	readonly gaps: readonly {from: string; to: string}[]
}

export interface Facet {
	readonly value: string
	readonly label: string
	readonly count: number
}

export interface EventFacets {
	readonly type: readonly Facet[]
	readonly severity: readonly Facet[]
	readonly outcome: readonly Facet[]
	readonly group: readonly Facet[]
	readonly detection: readonly Facet[]
	/** `exact: false`: only this many of the newest events were counted. */
	readonly counted: {events: number; exact: boolean}
}

export interface EventStoreState {
	readonly stored: number
	readonly oldest: string | null
	readonly newest: string | null
	readonly phase: 'empty' | 'loading' | 'complete' | 'partial' | 'failed'
	readonly read: number
	readonly total: number | null
	readonly readAt: string | null
	readonly error: ErrorReport | null
	/** Estimated cost of the next load, in calls. */
	readonly refreshCalls: number | null
	readonly revision: number
	/** Spans of the last `keptDays` not loaded, oldest first. */
	readonly gaps: readonly {from: string; to: string}[]
	/** The service keeps events for this many days, and this copy at most this many of them. */
	readonly keptDays: number
	readonly keptEvents: number
	/** Event fields unknown to this version, with counts; they are stored and shown raw. */
	readonly unknownFields: readonly {field: string; count: number}[]
}

export interface EventTypeRow {
	readonly id: number
	readonly name: string
	readonly description: string
	/** How many are stored. */
	readonly count: number
}

export const eventsContract = {
	state: base.input(onConnection).output(type<EventStoreState>()),
	query: base.input(eventQuery.extend({...window})).output(type<EventWindow>()),
	/** Position of an event in the order of the query, newest first; `-1` when it does not match. */
	position: base.input(eventQuery.extend({key: z.string()})).output(type<number>()),
	histogram: base.input(eventQuery.extend({steps: z.int().min(10).max(400)})).output(type<EventHistogram>()),
	facets: base.input(eventQuery).output(type<EventFacets>()),
	detail: base.input(z.object({connection, key: z.string().min(1)})).output(type<EventDetail | null>()),
	types: base.input(onConnection).output(type<readonly EventTypeRow[]>()),
	/** Loads new events, or, with `days`, missing ones of that many days. Resolves at the end with any result. */
	refresh: base.input(z.object({connection, days: z.int().min(1).max(30).optional()})).output(type<EventStoreState>()),
	/** Local facts of a hash, address, URL, file name, user, host or GUID. */
	export: base.input(eventQuery.extend({format: z.enum(['csv', 'jsonl'])})).output(type<CutStream>())
}
