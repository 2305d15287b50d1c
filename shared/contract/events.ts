/** Procedures of the local store of events (API reference, "Events"). Times are ISO 8601 UTC; ids keep all their digits. */
import {oc, type} from '@orpc/contract'
import {z} from 'zod'

import type {DetectionOutcome, EventSeverity} from '../model/event.ts'
import type {TextFile} from '../model/text-file.ts'
import type {ErrorReport} from './errors.ts'

export {detectionOutcomes, eventSeverities, type DetectionOutcome, type EventSeverity} from '../model/event.ts'

const base = oc.errors({CORDON: {status: 500, data: type<ErrorReport>()}})
const connection = z.string().min(1)

/**
 * `detections`: one row for each detection, with its newest event. `hash`, `computer`, `name` (of what was detected): one
 * row for each of these among the newest matching events. Events that have none of it stay as they are.
 */
export const eventGroupings = ['none', 'detections', 'hash', 'computer', 'name'] as const
export type EventGrouping = (typeof eventGroupings)[number]

export type ValueGrouping = Exclude<EventGrouping, 'none' | 'detections'>

/** Rows of the newest events with the same value; the others tell what the store joined when it read them. */
export function isByValue(grouping: EventGrouping): grouping is ValueGrouping {
	return grouping !== 'none' && grouping !== 'detections'
}

/** Minutes that the events of one row of `hash`, `computer` or `name` may lie before its newest. */
export const groupingSpans = [10, 60, 1440] as const

const eventQuery = z.object({
	connection,
	/** Typed filter, as in `model/event-filter.ts`. */
	filter: z.string(),
	/** Inclusive start, exclusive end. */
	from: z.string().nullable().default(null),
	to: z.string().nullable().default(null),
	grouping: z.enum(eventGroupings).default('none'),
	/** Minutes; without it, however far apart they are. */
	within: z.literal(groupingSpans).nullable().optional(),
})
export type EventQuery = z.infer<typeof eventQuery>

export interface EventRow {
	/** Local key: stable for as long as the event is stored. */
	readonly key: string
	/** The service's id with all its digits; some kinds have none. */
	readonly id: string | null
	readonly at: string
	readonly typeId: number | null
	readonly type: string
	readonly severity: EventSeverity
	readonly detection: string | null
	readonly detectionId: string | null
	readonly outcome: DetectionOutcome | null
	readonly guid: string | null
	readonly hostname: string
	readonly user: string | null
	readonly groupGuids: readonly string[]
	readonly sha256: string | null
	readonly fileName: string | null
	readonly filePath: string | null
	readonly disposition: string | null
	readonly remote: string | null
	readonly url: string | null
	/** What the row stands for, where rows are gathered by a value. */
	readonly gathered?: GatheredEvents
}

/** Events of one row, which is its newest. */
export interface GatheredEvents {
	readonly events: number
	readonly computers: number
	/** Time of the oldest of them. */
	readonly since: string
}

/** What was looked at to gather rows. `exact: false`: there are older events that match, before `oldest`. */
export interface EventGathering {
	readonly events: number
	/** So many of them have none of what rows are gathered by: each is a row of its own. */
	readonly without: number
	readonly exact: boolean
	readonly oldest: string | null
}

export interface EventWindow {
	readonly rows: readonly EventRow[]
	readonly offset: number
	/** `exact: false`: counting was given up at this number, and there are more. */
	readonly matching: {readonly count: number; readonly exact: boolean}
	readonly all: number
	readonly revision: number
	/** With `grouping` by a value. */
	readonly gathering?: EventGathering
}

export interface EventDetail {
	readonly row: EventRow
	/** The service's record as text, every digit kept. */
	readonly json: string
	/** All stored events of the same detection, oldest first. */
	readonly chain: readonly EventRow[]
	readonly typeDescription: string | null
}

export interface EventHistogram {
	readonly from: string
	readonly to: string
	readonly stepMs: number
	/** One list per severity, each with one count per step. */
	readonly counts: Readonly<Record<EventSeverity, readonly number[]>>
	/** `false`: counting was given up, newest first; steps before `countedFrom` show less than there is. */
	readonly exact: boolean
	readonly countedFrom: string | null
	/** Spans that have not been read yet from the service. */
	readonly gaps: readonly {readonly from: string; readonly to: string}[]
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
	/** `exact: false`: only so many of the newest events were counted, and there are more. */
	readonly counted: {readonly events: number; readonly exact: boolean}
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
	/** What the next refresh will cost, in calls, as far as can be told. */
	readonly refreshCalls: number | null
	readonly revision: number
	/** Spans of the last `keptDays` that have not been read yet, oldest first. */
	readonly gaps: readonly {readonly from: string; readonly to: string}[]
	/** The service keeps events for so many days, and this copy no more than so many of them. */
	readonly keptDays: number
	readonly keptEvents: number
	/** Fields of events that this version does not know, and how often; they are kept and shown raw. */
	readonly unknownFields: readonly {readonly field: string; readonly count: number}[]
}

export interface EventTypeRow {
	readonly id: number
	readonly name: string
	readonly description: string
	/** How many are stored. */
	readonly count: number
}

export const eventsContract = {
	state: base.input(z.object({connection})).output(type<EventStoreState>()),
	query: base.input(eventQuery.extend({offset: z.int().min(0), limit: z.int().min(1).max(500)})).output(type<EventWindow>()),
	/** Position of an event in the order of the query, newest first; `-1` when it does not match. */
	position: base.input(eventQuery.extend({key: z.string()})).output(type<number>()),
	histogram: base.input(eventQuery.extend({steps: z.int().min(10).max(400)})).output(type<EventHistogram>()),
	facets: base.input(eventQuery).output(type<EventFacets>()),
	detail: base.input(z.object({connection, key: z.string().min(1)})).output(type<EventDetail | null>()),
	types: base.input(z.object({connection})).output(type<readonly EventTypeRow[]>()),
	/** Reads what is new, or, with `days`, what is missing of so many days. Resolves when it ended, whatever came of it. */
	refresh: base.input(z.object({connection, days: z.int().min(1).max(30).optional()})).output(type<EventStoreState>()),
	/** What is known locally of a hash, address, URL, file name, user, host or GUID. */
	export: base.input(eventQuery.extend({format: z.enum(['csv', 'jsonl'])})).output(type<TextFile & {readonly cut: boolean}>()),
}
