import {z} from 'zod'

import {eventSpans, eventGroupings, groupingSpans} from '#shared/model/choices.ts'

const moment = z
	.string()
	.refine(text => !Number.isNaN(Date.parse(text)))
	.optional()
	.catch(undefined)

/** The state of the events screen in its address, for bookmarks and links. */
export const eventsSearchSchema = z.object({
	filter: z.string().optional().catch(undefined),
	/** Period of the chart and, without a selected time, of the rows. */
	span: z.enum(eventSpans).optional().catch(undefined),
	/** The selected time, ISO 8601: inclusive start, exclusive end. */
	from: moment,
	to: moment,
	grouping: z.enum(eventGroupings).optional().catch(undefined),
	within: z.literal(groupingSpans).optional().catch(undefined),
	/** Key of the event in the side panel. */
	event: z.string().optional().catch(undefined),
})
export type EventsSearch = z.infer<typeof eventsSearchSchema>
