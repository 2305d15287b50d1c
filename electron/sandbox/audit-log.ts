/** GET `/v1/audit_logs`: who changed what, in the service's web console or through its API. */
import {Refusal} from './answer.ts'
import {value, type Call} from './call.ts'
import {dateZ} from './computer-record.ts'
import {pagedList} from './paging.ts'
import type {Route} from './router.ts'
import {consoleUsers, tellAudit, type AuditFact, type AuditLog} from './tenant/audit.ts'
import type {Tenant} from './tenant/tenant.ts'
import type {World} from './world.ts'

/** The user of changes made by control calls. */
export const somebodyElse = consoleUsers[0]

export function createAuditLog(tenant: Tenant, start: number): AuditLog {
	const recent: AuditFact[] = []
	let before: readonly AuditFact[] | undefined
	return {
		add: (at, user, change) => void recent.unshift({...change, at: at - start, user}),
		all: () => [...recent, ...(before ??= tellAudit(tenant.seed, tenant))]
	}
}

const filters = ['audit_log_type', 'audit_log_id', 'audit_log_user', 'event', 'start_time', 'end_time']

export function auditRoutes(world: World): readonly Route[] {
	const query = ['limit', 'offset', ...filters]
	return [['GET /v1/audit_logs', call => list(world, call), query]]
}

function list(world: World, call: Call) {
	const from = timeOf(call, 'start_time') ?? Number.NEGATIVE_INFINITY
	const to = timeOf(call, 'end_time') ?? Number.POSITIVE_INFINITY
	const same = (name: string, text: string) => {
		const wanted = value(call, name)
		return wanted === undefined || wanted.toLowerCase() === text.toLowerCase()
	}
	const found = world.audit.all().filter(fact => {
		const at = Math.floor((world.start + fact.at) / 1000) * 1000
		return (
			at >= from &&
			at < to &&
			same('audit_log_type', fact.type) &&
			same('audit_log_id', fact.id) &&
			same('audit_log_user', fact.user) &&
			same('event', fact.event)
		)
	})
	return pagedList(call, found, fact => ({
		event: fact.event,
		audit_log_type: fact.type,
		audit_log_id: fact.id,
		audit_log_user: fact.user,
		created_at: dateZ(world.start + fact.at),
		old_attributes: fact.old,
		new_attributes: fact.new
	}))
}

function timeOf(call: Call, name: string) {
	const text = value(call, name)
	if (text === undefined) return undefined
	const time = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN
	if (Number.isNaN(time)) throw new Refusal(400, `${name} is not a valid ISO 8601 date: ${text}`)
	return time
}
