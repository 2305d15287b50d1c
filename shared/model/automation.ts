/** What starts a playbook, or tells somebody, without anybody at the console: a schedule at its times, a rule on events. */
import {z} from 'zod'

import {computerRoles} from './guard.ts'

export const missedPolicies = ['skip', 'once'] as const

const values = z.record(z.string().max(210), z.string().max(4000))
const common = {
	id: z.string().max(40),
	name: z.string().trim().min(1).max(100),
	connection: z.string().min(1),
	enabled: z.boolean(),
}

export const scheduleSchema = z.object({
	...common,
	kind: z.literal('schedule'),
	playbook: z.string().min(1).max(300),
	variables: values,
	/** Minute, hour, day, month, weekday. */
	times: z.string().trim().min(1).max(100),
	/** IANA name, such as Europe/Berlin. */
	timeZone: z.string().min(1).max(60),
	/** What becomes of times at which no console ran. */
	missed: z.enum(missedPolicies),
})
export type Schedule = z.infer<typeof scheduleSchema>

export const ruleSchema = z.object({
	...common,
	kind: z.literal('rule'),
	/** Filter of the events. */
	filter: z.string().trim().min(1).max(4000),
	/** One of these; none: every computer. */
	roles: z.array(z.enum(computerRoles)),
	/** `null`: a notification only. */
	playbook: z.string().min(1).max(300).nullable(),
	/** Values may hold `{hostname}` and other fields of the event. */
	variables: values,
	/** So often at most in so many minutes. */
	most: z.int().min(1).max(100),
	minutes: z.int().min(1).max(1440),
})
export type Rule = z.infer<typeof ruleSchema>

export const automationSchema = z.discriminatedUnion('kind', [scheduleSchema, ruleSchema])
export type Automation = z.infer<typeof automationSchema>

/** Fields of an event that a value of a rule may name. */
export const eventPlaceholders = ['hostname', 'guid', 'user', 'sha256', 'fileName', 'remote', 'url', 'type'] as const

/** `limited`: the rate limit held it back. `skipped`: the run before had not ended. */
export type FiringOutcome = 'started' | 'notified' | 'missed' | 'skipped' | 'limited' | 'failed'

/** What happened to one time, or of one event. */
export interface Firing {
	readonly automation: string
	readonly key: string
	/** The time that was due, or that of the event. */
	readonly at: string
	readonly handledAt: string
	readonly outcome: FiringOutcome
	readonly run: string | null
	readonly message: string
	/** Of times that were missed together, ending with `at`. */
	readonly count: number
}

export type AutomationView = Automation & {
	/** Events before it do not count. */
	readonly since: string
	/** Of a schedule that is on. */
	readonly next: string | null
	readonly last: Firing | null
}

/** What a rule would have done. */
export interface RuleTrial {
	readonly from: string
	readonly rows: readonly (Pick<Firing, 'at' | 'outcome'> & {readonly hostname: string; readonly type: string})[]
	/** There are more events than were looked at. */
	readonly cut: boolean
}
