/** How long an isolation is meant to last (UX research, SR12). The service knows no end: this is kept here. */
import {z} from 'zod'

/** 30 days. */
export const longestLeaseHours = 720

/** What a person chooses; `null` hours: until released. `auto`: Cordon releases it at the end, while it runs. */
export const leaseTermSchema = z.object({
	hours: z.int().min(1).max(longestLeaseHours).nullable(),
	auto: z.boolean().default(false),
})

/** The lengths that are offered, in hours. */
export const leaseChoices = [4, 24, 168, null] as const

/**
 * `asked`: the isolation was not accepted yet; `held`: it lasts; `releasing`: its end has come and Cordon releases it.
 * What ended has no lease any more.
 */
export type LeaseState = 'asked' | 'held' | 'releasing'

export interface Lease {
	readonly connection: string
	readonly guid: string
	/** The host name as it was then. */
	readonly label: string
	/** Intent of the isolation in the incident log. */
	readonly intent: string
	/** ISO 8601. */
	readonly startedAt: string
	/** ISO 8601; `null`: until somebody releases it. */
	readonly endsAt: string | null
	readonly auto: boolean
	/** Who answers for it now. */
	readonly holder: string
	/** What whoever took it over was told. */
	readonly note: string
	readonly state: LeaseState
	/** Why the automatic release did not succeed yet, in a sentence. */
	readonly trouble: string | null
}

/** A lease is about to end for this long (1 hour). */
export const leaseEndingMs = 3_600_000

/** Hours of `4`, `4h` or `7d`, `null` for `none`; `undefined` for what is no lease. */
export function leaseHoursOf(text: string): number | null | undefined {
	const said = text.trim().toLowerCase()
	if (said === 'none') return null
	const [, number, unit] = /^(\d{1,3})([hd]?)$/.exec(said) ?? []
	const hours = Number(number) * (unit === 'd' ? 24 : 1)
	return hours >= 1 && hours <= longestLeaseHours ? hours : undefined
}

/** An unlock code that lies sealed on this computer. The code itself is not in it. */
export interface SealedCode {
	readonly id: string
	readonly connection: string
	readonly connectionName: string
	readonly guid: string
	readonly label: string
	/** When it was sealed; ISO 8601. */
	readonly at: string
	readonly made: 'generated' | 'own'
	/** `in_use`: the service took it; `unknown`: nobody knows whether it did. */
	readonly state: 'sealed' | 'in_use' | 'unknown'
}
