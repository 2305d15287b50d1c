/** Targets: where events and entries of the incident log go onwards to. */
import {z} from 'zod'

import {parseEventFilter} from './event-filter.ts'

const seconds = 1000
/** After a failure the next attempt waits, ever longer, up to this. */
export const longestWaitMs = 300 * seconds

const trust = {
	/** PEM of authorities that are trusted beside the known ones. */
	ca: z.string().max(200_000).nullable().default(null),
	/** Whether its address may be private, of this computer, or link-local. Looked at when it is connected. */
	private: z.boolean().default(false),
}

const fileSchema = z.strictObject({
	kind: z.literal('file'),
	/** Absolute. */
	path: z.string().min(1).max(4000),
	/** A file of this size is put aside as `PATH.1`, and a new one begun. */
	rotateBytes: z.int().min(65_536).max(10_737_418_240).default(67_108_864),
	/** So many are kept aside. */
	keep: z.int().min(1).max(1000).default(10),
})

const syslogSchema = z.strictObject({
	kind: z.literal('syslog'),
	host: z.string().regex(/^[A-Za-z0-9.:_-]{1,253}$/, 'is no host name or address'),
	port: z.int().min(1).max(65_535).default(6514),
	/** Longer messages are set aside: many receivers cut them. */
	mostBytes: z.int().min(480).max(1_048_576).default(8192),
	...trust,
})

const webhookUrl =
	/^(?:https:\/\/[\w.-]+|https:\/\/\[[\da-f:.]+\]|http:\/\/(?:localhost|127\.0\.0\.1|\[::1\]))(?::\d{1,5})?(?:[/?][^\s#]*)?$/i

const webhookSchema = z.strictObject({
	kind: z.literal('webhook'),
	/** Plain HTTP only to this computer. */
	url: z.string().max(2000).regex(webhookUrl, 'must look like https://siem.example.com/path'),
	...trust,
})

export const targetFormats = ['ocsf', 'as_is'] as const

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
					.refine(text => parseEventFilter(text).problems.length === 0, 'is no filter of Events'),
			})
			.nullable()
			.default(null),
		/** Entries of the incident log with these words, empty for all. */
		log: z
			.strictObject({text: z.string().max(500).default(''), changesOnly: z.boolean().default(false)})
			.nullable()
			.default(null),
		/** OCSF 1.8, or the record of the service and the entry as they are. */
		format: z.enum(targetFormats).default('ocsf'),
		enabled: z.boolean().default(true),
	})
	.refine(({events, log}) => events !== null || log !== null, 'sends nothing: choose events, the log or both')
export type TargetDefinition = z.infer<typeof targetSchema>
export type TargetInput = z.input<typeof targetSchema>

export const targetPhases = ['off', 'connecting', 'live', 'waiting'] as const

/** How sending stands, as the process that sends reported last. Times are ISO 8601. */
export interface TargetState {
	readonly phase: (typeof targetPhases)[number]
	readonly since: string
	readonly problem: string | null
	readonly nextTryAt: string | null
	/** Since the target exists. */
	readonly sent: number
	readonly refused: number
	readonly lastSentAt: string | null
}

export interface TargetRow {
	readonly id: string
	readonly definition: TargetDefinition
	readonly createdAt: string
	readonly state: TargetState
	/** What is stored and not yet confirmed or passed over; before any filter. */
	readonly backlog: number
}

/** What a target refused for good. */
export interface RefusedEntry {
	readonly at: string
	readonly source: 'events' | 'log'
	/** ID of the event or of the entry. */
	readonly id: string
	readonly reason: string
	readonly body: string
}
