import {auditEntrySchema, type AuditEntry} from '#model/audit.ts'
import {stringifyExact} from '#model/exact-json.ts'

import {checkIso8601} from '../checks.ts'
import type {Listing, WalkOptions} from '../pages.ts'
import type {ApiClient} from '../types.ts'
import {list, one} from './endpoint.ts'

interface AuditLogsArgs {
	readonly audit_log_type?: string | undefined
	readonly audit_log_id?: string | undefined
	readonly audit_log_user?: string | undefined
	readonly event?: string | undefined
	readonly start_time?: string | undefined
	readonly end_time?: string | undefined
	readonly limit?: number | undefined
}

/** GET `/v1/audit_logs`. Entries have no id: those that say the same are the same. */
export async function getAuditLogs(
	client: ApiClient,
	args: AuditLogsArgs,
	walk?: WalkOptions<AuditEntry>,
): Promise<Listing<AuditEntry>> {
	const asIs = (value: string) => value
	const query = [
		...one('audit_log_type', args.audit_log_type, asIs),
		...one('audit_log_id', args.audit_log_id, asIs),
		...one('audit_log_user', args.audit_log_user, asIs),
		...one('event', args.event, asIs),
		...one('start_time', args.start_time, value => checkIso8601('start_time', value)),
		...one('end_time', args.end_time, value => checkIso8601('end_time', value)),
	]
	return list<AuditEntry>(client, {path: ['audit_logs'], query, shape: auditEntrySchema, key: stringifyExact}, args, walk)
}
