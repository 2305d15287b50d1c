/** The planned length of an isolation (UX research, SR12). The service has no expiry: this is stored here. */
import {z} from 'zod'

/** 30 days. */
export const longestLeaseHours = 720

/** The chosen term; `null` hours: until released. `auto`: Cordon releases it at expiry, while running. */
export const leaseTermSchema = z.object({hours: z.int().min(1).max(longestLeaseHours).nullable(), auto: z.boolean().default(false)})

/** Offered lengths, in hours. */
export const leaseChoices = [4, 24, 168, null] as const

/**
 * `asked`: the isolation is not accepted yet; `held`: in force; `releasing`: expired, and Cordon is releasing it. An ended
 * isolation has no lease.
 */
export type LeaseState = 'asked' | 'held' | 'releasing'

export type Lease = Readonly<{
	connection: string
	guid: string
	/** The host name at that time. */
	label: string
	/** Intent of the isolation in the incident log; of a lease that was set later, an id of its own. */
	intent: string
	/** ISO 8601. */
	startedAt: string
	/** ISO 8601; `null`: until somebody releases it. */
	endsAt: string | null
	auto: boolean
	/** The present owner. */
	holder: string
	/** The note for the present owner. */
	note: string
	state: LeaseState
	/** Why the automatic release has not succeeded yet, in a sentence. */
	trouble: string | null
}>

/** How long before its expiry a lease is about to end (1 hour). */
export const leaseEndingMs = 3_600_000

/** Hours of `4`, `4h` or `7d`, `null` for `none`; `undefined` if invalid. */
export function leaseHoursOf(text: string): number | null | undefined {
	const said = text.trim().toLowerCase()
	if (said === 'none') return null
	const [, number, unit] = /^(\d{1,3})([hd]?)$/.exec(said) ?? []
	const hours = Number(number) * (unit === 'd' ? 24 : 1)
	return hours >= 1 && hours <= longestLeaseHours ? hours : undefined
}

/** An encrypted unlock code on this computer, without the code itself. */
export type SealedCode = Readonly<{
	id: string
	connection: string
	connectionName: string
	guid: string
	label: string
	/** When it was encrypted; ISO 8601. */
	at: string
	made: 'generated' | 'own'
	/** `in_use`: accepted by the service; `unknown`: outcome unknown. */
	state: 'sealed' | 'in_use' | 'unknown'
}>
