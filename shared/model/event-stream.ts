import {z} from 'zod'

/** The service gives an organisation no more (API reference, section 11). */
export const mostStreams = 5
/** Events wait so long in the queue of a stream for somebody to read them, then they are dropped. */
export const streamKeepsDays = 10

/** An event stream as the service lists it. Without types, or groups, it takes all of them. */
export const eventStreamSchema = z.looseObject({
	id: z.int(),
	name: z.string(),
	event_types: z.array(z.number()).nullish(),
	group_guids: z.array(z.string()).nullish(),
})
export type EventStream = z.infer<typeof eventStreamSchema>

/** What the service tells once, when it creates a stream. `port` is a text there; `proto` says `https` and means TLS. */
export const streamCredentialsSchema = z.looseObject({
	user_name: z.string().min(1),
	password: z.string().min(1),
	queue_name: z.string().min(1),
	host: z.string().min(1),
	port: z.union([z.string().regex(/^\d{1,5}$/), z.int()]).transform(Number),
})
export const createdStreamSchema = eventStreamSchema.extend({amqp_credentials: streamCredentialsSchema})
export type CreatedStream = z.infer<typeof createdStreamSchema>

/** How the reading of a stream stands. Times are ISO 8601. */
export const streamPhases = ['idle', 'connecting', 'live', 'waiting', 'stopped'] as const
export interface StreamState {
	readonly phase: (typeof streamPhases)[number]
	/** Since when it is in that phase. */
	readonly since: string
	/** When the last message came, and how long before that its event happened. */
	readonly lastMessageAt: string | null
	readonly lagMs: number | null
	/** Since this reading began. */
	readonly received: number
	readonly added: number
	readonly redelivered: number
	readonly unreadable: number
	readonly reconnects: number
	/** What keeps it from being live, with the way out. */
	readonly problem: {readonly message: string; readonly fix: string} | null
	readonly nextTryAt: string | null
}
