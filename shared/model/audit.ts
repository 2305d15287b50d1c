/** The tenant's own audit log: changes elsewhere, in the web console or with another key. Read-only. */
import {z} from 'zod'

const attributes = z.record(z.string(), z.unknown()).nullish()

/** One entry of the service (API reference, section 12); there is no sample body, so nothing is required. */
export const auditEntrySchema = z.looseObject({
	event: z.string().nullish(),
	audit_log_type: z.string().nullish(),
	audit_log_id: z.union([z.string(), z.number(), z.bigint()]).nullish(),
	audit_log_user: z.string().nullish(),
	created_at: z.string().nullish(),
	old_attributes: attributes,
	new_attributes: attributes
})
export type AuditEntry = z.infer<typeof auditEntrySchema>

/** The change of one attribute, as texts; `null` if missing. */
export interface AuditChange {
	readonly name: string
	readonly old: string | null
	readonly new: string | null
}

/** A change made elsewhere. Unlock codes were masked before it was stored. */
export type AuditRecord = Readonly<{
	/** The service gives no id: a hash of its content. */
	key: string
	/** By this computer's clock, to order it among our own entries; ISO 8601. */
	at: string
	/** As written by the service. */
	serviceAt: string
	user: string
	event: string
	type: string
	target: {guid: string; label: string} | null
	/** In a sentence. */
	message: string
	changes: readonly AuditChange[]
	/** The own log entry that it repeats. */
	own: string | null
}>

/** Period of the first load. */
export const auditDays = 30
