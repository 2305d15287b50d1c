import {z} from 'zod'

export {glanceOf, isolationStatuses, type IsolationGlance, type IsolationStatus} from './glance.ts'

/** GET, PUT and DELETE `/computers/{guid}/isolation` answer with this object. */
export const isolationSchema = z.looseObject({
	available: z.boolean(),
	status: z.string(),
	unlock_code: z.string().nullish(),
	comment: z.string().nullish(),
	isolated_by: z.string().nullish(),
})
export type Isolation = z.infer<typeof isolationSchema>

/** Three facts with three times: what was asked, what the service took on, what was seen to be so. */
export interface IsolationReceipt {
	readonly action: 'isolate' | 'release'
	readonly requested: {readonly at: string; readonly by: string; readonly reason: string; readonly entry: string}
	readonly accepted?: {readonly at: string; readonly status?: number; readonly requestId?: string; readonly state?: string}
	/** Why there is no acceptance: refused with a sentence, or nobody knows. */
	readonly refused?: {readonly at: string; readonly message: string; readonly unknown: boolean}
	/** The end as it was seen: the wanted state, or the one before when the agent did not do it. */
	readonly observed?: {readonly state: string; readonly at: string}
	/** The last reading of the state, whatever it was. */
	readonly checked?: {readonly state: string; readonly at: string}
}

/** A request that the agent has not answered after this long is shown as waiting too long (10 minutes). */
export const pendingTooLongMs = 600_000

/** Unlock codes: at most 24 characters, no spaces (API reference, "Endpoint isolation"). */
export const unlockCodeSchema = z.string().min(1).max(24, 'has more than 24 characters').regex(/^\S+$/, 'must not contain spaces')
