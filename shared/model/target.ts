/** Targets: destinations of events and incident log entries. */
import {z} from 'zod'

import {parseEventFilter} from './event-filter.ts'

const seconds = 1000
/** Maximum of the growing wait after failures. */
export const longestWaitMs = 300 * seconds

const trust = {
	/** PEM of additional trusted authorities. */
	ca: z.string().max(200_000).nullable().default(null),
	/** Whether its address may be private, of this computer, or link-local. Checked on connection. */
	private: z.boolean().default(false)
}

const fileSchema = z.strictObject({
	kind: z.literal('file'),
	/** Absolute. */
	path: z.string().min(1).max(4000),
	/** At this size a file is renamed to `PATH.1`, and a new one begun. */
	rotateBytes: z.int().min(65_536).max(10_737_418_240).default(67_108_864),
	/** Number of renamed files. */
	keep: z.int().min(1).max(1000).default(10)
})

const syslogSchema = z.strictObject({
	kind: z.literal('syslog'),
	host: z.string().regex(/^[A-Za-z0-9.:_-]{1,253}$/, 'is not a host name or address'),
	port: z.int().min(1).max(65_535).default(6514),
	/** Longer messages are set aside: many receivers truncate them. */
	mostBytes: z.int().min(480).max(1_048_576).default(8192),
	...trust
})

const webhookUrl = /^(?:https:\/\/[\w.-]+|https:\/\/\[[\da-f:.]+\]|http:\/\/(?:localhost|127\.0\.0\.1|\[::1\]))(?::\d{1,5})?(?:[/?][^\s#]*)?$/i

const webhookSchema = z.strictObject({
	kind: z.literal('webhook'),
	/** Plain HTTP only to this computer. */
	url: z.string().max(2000).regex(webhookUrl, 'must look like https://siem.example.com/path'),
	...trust
})

const targetFormats = ['ocsf', 'as_is'] as const

export const targetSchema = z
	.strictObject({
		name: z.string().trim().min(1).max(100),
		to: z.discriminatedUnion('kind', [fileSchema, syslogSchema, webhookSchema]),
		/** Stored events of a connection; the filter is that of *Events*, empty for all. */
		events: z
			.strictObject({
				connection: z.string().min(1),
				filter: z
					.string()
					.max(2000)
					.default('')
					.refine(text => parseEventFilter(text).problems.length === 0, 'is not a filter of Events')
			})
			.nullable()
			.default(null),
		/** Incident log entries with these words, empty for all. */
		log: z
			.strictObject({text: z.string().max(500).default(''), changesOnly: z.boolean().default(false)})
			.nullable()
			.default(null),
		/** OCSF 1.8, or the unchanged service record and entry. */
		format: z.enum(targetFormats).default('ocsf'),
		enabled: z.boolean().default(true)
	})
	.refine(({events, log}) => events !== null || log !== null, 'sends nothing: choose events, the log or both')
export type TargetDefinition = z.infer<typeof targetSchema>
export type TargetInput = z.input<typeof targetSchema>

const targetPhases = ['off', 'connecting', 'live', 'waiting'] as const

/** State of sending, as last reported by the sending process. Times are ISO 8601. */
export type TargetState = Readonly<{
	phase: (typeof targetPhases)[number]
	since: string
	problem: string | null
	nextTryAt: string | null
	/** Total since the target was created. */
	sent: number
	refused: number
	lastSentAt: string | null
}>

export type TargetRow = Readonly<{
	id: string
	definition: TargetDefinition
	createdAt: string
	state: TargetState
	/** Stored items not yet confirmed or skipped; before any filter. */
	backlog: number
}>

/** An item refused permanently by a target. */
export type RefusedEntry = Readonly<{
	at: string
	source: 'events' | 'log'
	/** ID of the event or of the entry. */
	id: string
	reason: string
	body: string
}>
