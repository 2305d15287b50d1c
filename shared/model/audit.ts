/** The tenant's own audit log: what was done elsewhere, in the web console or with another key. Read only. */
import {z} from 'zod'

const attributes = z.record(z.string(), z.unknown()).nullish()

/** One entry as the service gives it (API reference, section 12); there is no sample body, so nothing is required. */
export const auditEntrySchema = z.looseObject({
	event: z.string().nullish(),
	audit_log_type: z.string().nullish(),
	audit_log_id: z.union([z.string(), z.number(), z.bigint()]).nullish(),
	audit_log_user: z.string().nullish(),
	created_at: z.string().nullish(),
	old_attributes: attributes,
	new_attributes: attributes,
})
export type AuditEntry = z.infer<typeof auditEntrySchema>

/** What happened to one attribute, as texts; `null` where it was not named. */
export interface AuditChange {
	readonly name: string
	readonly old: string | null
	readonly new: string | null
}

/** An action that was made elsewhere. Unlock codes were masked before it was kept. */
export interface AuditRecord {
	/** The service has no id for it: the hash of what it says. */
	readonly key: string
	/** By this computer's clock, so that it stands between our own entries; ISO 8601. */
	readonly at: string
	/** As the service wrote it. */
	readonly serviceAt: string
	readonly user: string
	readonly event: string
	readonly type: string
	readonly target: {readonly guid: string; readonly label: string} | null
	/** In a sentence. */
	readonly message: string
	readonly changes: readonly AuditChange[]
	/** The entry of our own log that it repeats. */
	readonly own: string | null
}

/** How far back the first reading goes. */
export const auditDays = 30
