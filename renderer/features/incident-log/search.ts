import {z} from 'zod'

import {entryKinds, surfaces} from '#model/incident.ts'
import {searchOf} from '#kit/search-of.ts'

export const spans = ['1h', '24h', '7d', '30d'] as const
export type Span = (typeof spans)[number]

/** Instead of a connection's id: every tenant's entries. */
export const allTenants = 'all'

export const incidentLogSearchSchema = searchOf({
	text: z.string(),
	incident: z.string(),
	kind: z.enum(entryKinds),
	target: z.string(),
	/** Filters: connection (an id; `all` for every tenant; default: the present one), surface, and last period. */
	connection: z.string(),
	surface: z.enum(surfaces),
	within: z.enum(spans),
	/** The person, and a hash in the entries. */
	person: z.string(),
	hash: z.string(),
	pinned: z.boolean(),
	/** `false` omits changes elsewhere. */
	elsewhere: z.boolean(),
	pictures: z.boolean(),
	/** A time selected in a chart, ISO 8601. */
	from: z.iso.datetime(),
	to: z.iso.datetime(),
	/** Id of the shown entry, or the key of a change elsewhere. */
	entry: z.string(),
	writes: z.boolean(),
	/** An action when the screen opens. */
	act: z.enum(['verify'])
})
export type IncidentLogSearch = z.infer<typeof incidentLogSearchSchema>

const hours: Readonly<Record<Span, number>> = {'1h': 1, '24h': 24, '7d': 168, '30d': 720}

/** Start of a period, to the minute, so that the query stays the same for a while. */
export function sinceOf(span: Span, now: number) {
	return new Date(Math.floor(now / 60_000) * 60_000 - hours[span] * 3_600_000).toISOString()
}

/** Offered lengths of a shift, in hours. */
export const shifts = [4, 8, 12, 24, 72] as const

export const handoverSearchSchema = searchOf({incident: z.string(), hours: z.union(shifts.map(hours => z.literal(hours)))})
