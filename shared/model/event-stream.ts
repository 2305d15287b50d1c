import {z} from 'zod'

/** Maximum streams of an organisation (API reference, section 11). */
export const mostStreams = 5
/** Retention of events in a stream's queue, in days. */
export const streamKeepsDays = 10

/** An event stream as listed by the service. Without types, or groups, it includes all. */
export const eventStreamSchema = z.looseObject({
	id: z.int(),
	name: z.string(),
	event_types: z.array(z.number()).nullish(),
	group_guids: z.array(z.string()).nullish()
})
export type EventStream = z.infer<typeof eventStreamSchema>

/** Returned once, when a stream is created. `port` is a string; `proto` says `https` and means TLS. */
const streamCredentialsSchema = z.looseObject({
	user_name: z.string().min(1),
	password: z.string().min(1),
	queue_name: z.string().min(1),
	host: z.string().min(1),
	port: z.union([z.string().regex(/^\d{1,5}$/), z.int()]).transform(Number)
})
export const createdStreamSchema = eventStreamSchema.extend({amqp_credentials: streamCredentialsSchema})
export type CreatedStream = z.infer<typeof createdStreamSchema>

/** State of reading a stream. Times are ISO 8601. */
const streamPhases = ['idle', 'connecting', 'live', 'waiting', 'stopped'] as const
export type StreamState = Readonly<{
	phase: (typeof streamPhases)[number]
	/** Start of that phase. */
	since: string
	/** When the last message came, and how long after its event. */
	lastMessageAt: string | null
	lagMs: number | null
	/** Since this reading began. */
	received: number
	added: number
	redelivered: number
	unreadable: number
	reconnects: number
	/** Why it is not live, with the fix. */
	problem: {message: string; fix: string} | null
	nextTryAt: string | null
}>
