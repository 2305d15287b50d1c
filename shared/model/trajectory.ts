import {z} from 'zod'

import {computerSchema} from './computer.ts'
import {exactInteger} from './event.ts'

/** Ids of cloud events are strings here, and missing on file and network activity (API reference, "trajectory"). */
const trajectoryEventSchema = z.looseObject({
	id: z.union([z.string(), exactInteger]).nullish(),
	timestamp: z.number().nullish(),
	timestamp_nanoseconds: z.number().nullish(),
	date: z.string().nullish(),
	event_type: z.string().nullish(),
	event_type_id: z.number().nullish()
})

export const trajectorySchema = z.looseObject({computer: computerSchema, events: z.array(trajectoryEventSchema)})
export type Trajectory = z.infer<typeof trajectorySchema>

/** GET `/computers/activity` returns stubs that link to the computers. */
export const activityItemSchema = z.looseObject({connector_guid: z.string(), hostname: z.string().optional(), active: z.boolean().optional()})
export type ActivityItem = z.infer<typeof activityItemSchema>
