import {auditEntrySchema, type AuditEntry} from '#model/audit.ts'
import {stringifyExact} from '#model/exact-json.ts'

import {checkIso8601} from '../checks.ts'
import type {Listing, WalkOptions} from '../pages.ts'
import type {ApiClient} from '../types.ts'
import {list, one} from './endpoint.ts'

interface AuditLogsArgs {
	audit_log_type?: string | undefined
	audit_log_id?: string | undefined
	audit_log_user?: string | undefined
	event?: string | undefined
	start_time?: string | undefined
	end_time?: string | undefined
	limit?: number | undefined
}

/** GET `/v1/audit_logs`. Entries have no id: those that say the same are the same. */
export async function getAuditLogs(client: ApiClient, args: AuditLogsArgs, walk?: WalkOptions<AuditEntry>): Promise<Listing<AuditEntry>> {
	const asIs = (_name: string, value: string) => value
	const query = [
		...one(args, 'audit_log_type', asIs),
		...one(args, 'audit_log_id', asIs),
		...one(args, 'audit_log_user', asIs),
		...one(args, 'event', asIs),
		...one(args, 'start_time', checkIso8601),
		...one(args, 'end_time', checkIso8601)
	]
	return list<AuditEntry>(client, {path: ['audit_logs'], query, shape: auditEntrySchema, key: stringifyExact}, args, walk)
}
