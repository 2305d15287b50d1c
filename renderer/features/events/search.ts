import {z} from 'zod'

import {eventSpans, eventGroupings, groupingSpans} from '#model/choices.ts'
import {searchOf} from '#kit/search-of.ts'

const moment = z.string().refine(text => !Number.isNaN(Date.parse(text)))

export const eventsSearchSchema = searchOf({
	filter: z.string(),
	/** Period of the chart and, without a selected time, of the rows. */
	span: z.enum(eventSpans),
	/** The selected time, ISO 8601: inclusive start, exclusive end. */
	from: moment,
	to: moment,
	grouping: z.enum(eventGroupings),
	within: z.literal(groupingSpans),
	event: z.string()
})
export type EventsSearch = z.infer<typeof eventsSearchSchema>
