/** Automations that start a playbook or notify without an operator: a schedule at its times, a rule on events. */
import {z} from 'zod'

import {computerRoles} from './guard.ts'

const missedPolicies = ['skip', 'once'] as const

const values = z.record(z.string().max(210), z.string().max(4000))
const common = {id: z.string().max(40), name: z.string().trim().min(1).max(100), connection: z.string().min(1), enabled: z.boolean()}

export const scheduleSchema = z.object({
	...common,
	kind: z.literal('schedule'),
	playbook: z.string().min(1).max(300),
	variables: values,
	/** Minute, hour, day, month, weekday. */
	times: z.string().trim().min(1).max(100),
	/** IANA name, such as Europe/Berlin. */
	timeZone: z.string().min(1).max(60),
	/** What happens to times when no console ran. */
	missed: z.enum(missedPolicies)
})
export type Schedule = z.infer<typeof scheduleSchema>

export const ruleSchema = z.object({
	...common,
	kind: z.literal('rule'),
	filter: z.string().trim().min(1).max(4000),
	/** Any of these; empty: every computer. */
	roles: z.array(z.enum(computerRoles)),
	/** `null`: only a notification. */
	playbook: z.string().min(1).max(300).nullable(),
	/** Values may contain `{hostname}` and other fields of the event. */
	variables: values,
	/** At most this many in that many minutes. */
	most: z.int().min(1).max(100),
	minutes: z.int().min(1).max(1440)
})
export type Rule = z.infer<typeof ruleSchema>

export const automationSchema = z.discriminatedUnion('kind', [scheduleSchema, ruleSchema])
export type Automation = z.infer<typeof automationSchema>

/** Event fields allowed in a rule's values. */
export const eventPlaceholders = ['hostname', 'guid', 'user', 'sha256', 'fileName', 'remote', 'url', 'type'] as const

/** `limited`: held back by the rate limit. `skipped`: the previous run had not ended, or on hold. */
export type FiringOutcome = 'started' | 'notified' | 'missed' | 'skipped' | 'limited' | 'failed'

/** The outcome of one time or event. */
export type Firing = Readonly<{
	automation: string
	key: string
	/** The due time, or the event's. */
	at: string
	handledAt: string
	outcome: FiringOutcome
	run: string | null
	message: string
	/** Number of times missed together, ending with `at`. */
	count: number
}>

export type AutomationView = Automation & {
	/** Earlier events do not count. */
	since: string
	/** Why it waits until it is saved again. */
	onHold: string | null
	/** Of an enabled schedule that is not on hold. */
	next: string | null
	last: Firing | null
}

/** The effect a rule would have had. */
export interface RuleTrial {
	readonly from: string
	readonly rows: readonly (Pick<Firing, 'at' | 'outcome'> & {hostname: string; type: string})[]
	/** There are more events than examined. */
	readonly cut: boolean
}
