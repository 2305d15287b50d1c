import {z} from 'zod'

import {eventSpans} from '#shared/contract/event-views.ts'
import {eventGroupings, groupingSpans} from '#shared/contract/events.ts'

const moment = z
	.string()
	.refine(text => !Number.isNaN(Date.parse(text)))
	.optional()
	.catch(undefined)

/** The view of the events screen as it stands in its address, so that it can be kept and passed on. */
export const eventsSearchSchema = z.object({
	/** The typed filter. */
	filter: z.string().optional().catch(undefined),
	/** How far back the picture and, without a chosen time, the rows go. */
	span: z.enum(eventSpans).optional().catch(undefined),
	/** The chosen time, ISO 8601: inclusive start, exclusive end. */
	from: moment,
	to: moment,
	grouping: z.enum(eventGroupings).optional().catch(undefined),
	within: z.literal(groupingSpans).optional().catch(undefined),
	/** Key of the event in the side panel. */
	event: z.string().optional().catch(undefined),
})
export type EventsSearch = z.infer<typeof eventsSearchSchema>
