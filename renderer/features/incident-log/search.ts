import {z} from 'zod'

import {entryKinds, surfaces} from '#shared/model/incident.ts'

export const spans = ['1h', '24h', '7d', '30d'] as const
export type Span = (typeof spans)[number]

/** In place of a connection's id: every tenant's entries. */
export const allTenants = 'all'

export const incidentLogSearchSchema = z.object({
	text: z.string().optional().catch(undefined),
	incident: z.string().optional().catch(undefined),
	kind: z.enum(entryKinds).optional().catch(undefined),
	target: z.string().optional().catch(undefined),
	/** Only entries of this connection (its id; `all` for those of every tenant, left out for this one), from this surface, of the last so long. */
	connection: z.string().optional().catch(undefined),
	surface: z.enum(surfaces).optional().catch(undefined),
	within: z.enum(spans).optional().catch(undefined),
	/** Who did it, and a hash that the entries name. */
	person: z.string().optional().catch(undefined),
	hash: z.string().optional().catch(undefined),
	pinned: z.boolean().optional().catch(undefined),
	/** `false` leaves out what was done elsewhere. */
	elsewhere: z.boolean().optional().catch(undefined),
	/** Shows the pictures. */
	pictures: z.boolean().optional().catch(undefined),
	/** A time that was chosen in a picture, ISO 8601. */
	from: z.iso.datetime().optional().catch(undefined),
	to: z.iso.datetime().optional().catch(undefined),
	/** Id of the entry to show, or the key of what was done elsewhere. */
	entry: z.string().optional().catch(undefined),
	writes: z.boolean().optional().catch(undefined),
	/** Something to be done when the screen opens. */
	act: z.enum(['verify']).optional().catch(undefined),
})
export type IncidentLogSearch = z.infer<typeof incidentLogSearchSchema>

const hours: Readonly<Record<Span, number>> = {'1h': 1, '24h': 24, '7d': 168, '30d': 720}

/** The beginning of a span, to the minute, so that the question stays the same for a while. */
export function sinceOf(span: Span, now: number): string {
	return new Date(Math.floor(now / 60_000) * 60_000 - hours[span] * 3_600_000).toISOString()
}

/** Lengths of a shift that are offered, in hours. */
export const shifts = [4, 8, 12, 24, 72] as const

export const handoverSearchSchema = z.object({
	incident: z.string().optional().catch(undefined),
	hours: z
		.union(shifts.map(hours => z.literal(hours)))
		.optional()
		.catch(undefined),
})
