import {z} from 'zod'

/** Ids have up to 19 digits and are missing on some kinds (API reference, "Events"). */
export const exactInteger = z.union([z.int(), z.bigint()])

export const eventSchema = z.looseObject({
	id: exactInteger.optional(),
	timestamp: z.number().optional(),
	timestamp_nanoseconds: z.number().optional(),
	date: z.string().optional(),
	event_type: z.string().optional(),
	event_type_id: z.number().optional(),
	detection: z.string().optional(),
	detection_id: z.string().optional(),
	connector_guid: z.string().optional(),
	group_guids: z.array(z.string()).optional(),
	severity: z.string().optional()
})
export type ServiceEvent = z.infer<typeof eventSchema>

export const eventTypeSchema = z.looseObject({id: z.number(), name: z.string(), description: z.string().nullish()})
export type EventType = z.infer<typeof eventTypeSchema>

/** The last one stands for words unknown to this version. */
export const eventSeverities = ['critical', 'high', 'medium', 'low', 'none', 'unknown'] as const
export type EventSeverity = (typeof eventSeverities)[number]

/** The outcome of a detection, joined over all events with its `detection_id`. */
export const detectionOutcomes = ['open', 'quarantined', 'failed', 'recalled'] as const
export type DetectionOutcome = (typeof detectionOutcomes)[number]
