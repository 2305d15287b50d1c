import {z} from 'zod'

export {glanceOf, isHeld, isolationStatuses, type IsolationGlance, type IsolationStatus} from './glance.ts'

export const isolateCommand = 'svc_put_computers_isolation'
export const releaseCommand = 'svc_delete_computers_isolation'

/** GET, PUT and DELETE `/computers/{guid}/isolation` return this object. */
export const isolationSchema = z.looseObject({
	available: z.boolean(),
	status: z.string(),
	unlock_code: z.string().nullish(),
	comment: z.string().nullish(),
	isolated_by: z.string().nullish()
})
export type Isolation = z.infer<typeof isolationSchema>

/** Three facts with three times: requested, accepted, confirmed. */
export type IsolationReceipt = Readonly<{
	action: 'isolate' | 'release'
	requested: {at: string; by: string; reason: string; entry: string}
	accepted?: {at: string; status?: number; requestId?: string; state?: string}
	/** Why it was not accepted: refused with a sentence, or outcome unknown. */
	refused?: {at: string; message: string; unknown: boolean}
	/** The observed end: the wanted state, or the earlier one when the agent failed. */
	observed?: {state: string; at: string}
	/** The last reading of the state, with any result. */
	checked?: {state: string; at: string}
}>

/** A request unanswered by the agent for this long is shown as overdue (10 minutes). */
export const pendingTooLongMs = 600_000

/** Unlock codes: at most 24 characters, no spaces (API reference, "Endpoint isolation"). */
export const unlockCodeSchema = z.string().min(1).max(24, 'has more than 24 characters').regex(/^\S+$/, 'must not contain spaces')
