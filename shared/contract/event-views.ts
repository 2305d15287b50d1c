/** Saved views of events: filter, time and grouping under a name (API reference, "Events"). */
import {type} from '@orpc/contract'
import {z} from 'zod'

import {base, connection, onConnection} from './base.ts'
import {eventGroupings, eventSpans, groupingSpans} from '../model/choices.ts'

const moment = z.iso.datetime().nullable()

export const eventViewSchema = z.object({
	/** Distinguishes them from views of the computers list, stored together. */
	kind: z.literal('events'),
	id: z.string().min(1).max(60),
	name: z.string().trim().min(1).max(60),
	filter: z.string().max(4000),
	span: z.enum(eventSpans).nullable(),
	/** The selected time, inclusive start, exclusive end; `null`: open. */
	from: moment,
	to: moment,
	grouping: z.enum(eventGroupings),
	/** Minutes; `null`: no limit. */
	within: z.literal(groupingSpans).nullable()
})
export type EventView = z.infer<typeof eventViewSchema>
const views = type<readonly EventView[]>()

export const eventViewsContract = {
	list: base.input(onConnection).output(views),
	/** Adds it or replaces the one with its id. Returns all. */
	save: base.input(z.object({connection, view: eventViewSchema})).output(views),
	remove: base.input(z.object({connection, id: z.string()})).output(views)
}
