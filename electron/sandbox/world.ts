import type {Agents} from './agents.ts'
import {Refusal} from './answer.ts'
import {productOf, type Directory} from './directory.ts'
import type {EventLog} from './event-log.ts'
import type {FileLists} from './file-list-store.ts'
import type {Fleet} from './fleet.ts'
import type {Mentioned} from './mentioned.ts'
import type {Host} from './tenant/host.ts'
import type {Tenant} from './tenant/tenant.ts'
import type {AuditLog} from './tenant/audit.ts'

/** The tenant and its changes since the start. */
export interface World {
	tenant: Tenant
	/** Unix milliseconds. */
	start: number
	fleet: Fleet
	directory: Directory
	agents: Agents
	events: EventLog
	audit: AuditLog
	lists: FileLists
	mentioned: Mentioned
	/** Applies everything due by now. */
	settle(now: number): void
}

/** The policy in effect on a computer: its group's, unless it has not loaded that yet. */
export function policyInForce(world: World, host: Host) {
	return world.fleet.state(host).heldPolicy ?? world.directory.policy(world.fleet.group(host), productOf(host)).policy
}

/** Throws a {@link Refusal} of 404 for an unknown GUID. */
export function hostOf(world: World, guid: string) {
	const host = world.fleet.find(guid)
	if (host === undefined) throw new Refusal(404, `Computer not found for given connector guid: ${guid}`)
	return host
}
