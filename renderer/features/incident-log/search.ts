import {z} from 'zod'

import {entryKinds, surfaces} from '#shared/model/incident.ts'

export const spans = ['1h', '24h', '7d', '30d'] as const
export type Span = (typeof spans)[number]

/** Instead of a connection's id: every tenant's entries. */
export const allTenants = 'all'

export const incidentLogSearchSchema = z.object({
	text: z.string().optional().catch(undefined),
	incident: z.string().optional().catch(undefined),
	kind: z.enum(entryKinds).optional().catch(undefined),
	target: z.string().optional().catch(undefined),
	/** Filters: connection (an id; `all` for every tenant; default: the present one), surface, and last period. */
	connection: z.string().optional().catch(undefined),
	surface: z.enum(surfaces).optional().catch(undefined),
	within: z.enum(spans).optional().catch(undefined),
	/** The person, and a hash in the entries. */
	person: z.string().optional().catch(undefined),
	hash: z.string().optional().catch(undefined),
	pinned: z.boolean().optional().catch(undefined),
	/** `false` omits changes elsewhere. */
	elsewhere: z.boolean().optional().catch(undefined),
	/** Shows the charts. */
	pictures: z.boolean().optional().catch(undefined),
	/** A time selected in a chart, ISO 8601. */
	from: z.iso.datetime().optional().catch(undefined),
	to: z.iso.datetime().optional().catch(undefined),
	/** Id of the shown entry, or the key of a change elsewhere. */
	entry: z.string().optional().catch(undefined),
	writes: z.boolean().optional().catch(undefined),
	/** An action when the screen opens. */
	act: z.enum(['verify']).optional().catch(undefined),
})
export type IncidentLogSearch = z.infer<typeof incidentLogSearchSchema>

const hours: Readonly<Record<Span, number>> = {'1h': 1, '24h': 24, '7d': 168, '30d': 720}

/** Start of a period, to the minute, so that the query stays the same for a while. */
export function sinceOf(span: Span, now: number): string {
	return new Date(Math.floor(now / 60_000) * 60_000 - hours[span] * 3_600_000).toISOString()
}

/** Offered lengths of a shift, in hours. */
export const shifts = [4, 8, 12, 24, 72] as const

export const handoverSearchSchema = z.object({
	incident: z.string().optional().catch(undefined),
	hours: z
		.union(shifts.map(hours => z.literal(hours)))
		.optional()
		.catch(undefined),
})
