/** Changes by users in the web console before the sandbox started: logins, moves, isolations, policies, lists. */
import type {Host} from './host.ts'
import type {ListSeed, PolicySeed} from './policies.ts'
import {random, type Random} from './random.ts'
import type {Tenant} from './tenant.ts'

export interface AuditLog {
	/** Records a change at a time in Unix milliseconds. */
	add(at: number, user: string, change: Omit<AuditFact, 'at' | 'user'>): void
	/** Newest first. */
	all(): readonly AuditFact[]
}

/** An entry of the tenant's audit log. Times are milliseconds after the start, negative before it. */
export interface AuditFact {
	at: number
	event: 'create' | 'update' | 'delete' | 'login'
	type: string
	id: string
	user: string
	old: Readonly<Record<string, unknown>>
	new: Readonly<Record<string, unknown>>
}

type Change = Omit<AuditFact, 'at' | 'user'>

type AuditedTenant = Pick<Tenant, 'hosts' | 'groups' | 'policies' | 'lists'>

export const consoleUsers = [
	'mara.lindqvist@stbarnaby.example',
	'tom.okafor@stbarnaby.example',
	'night.shift@stbarnaby.example',
	'j.ferreira@stbarnaby.example'
] as const

const entries = 420
const days = 30

/** Newest first. */
export function tellAudit(seed: string, tenant: AuditedTenant): readonly AuditFact[] {
	const die = random(seed, 'audit')
	const facts = Array.from({length: entries}, (): AuditFact => {
		const user = die.pick(consoleUsers)
		const at = -Math.floor(die.next() * days * 86_400_000) - 60_000
		return {at, user, ...changeBy(die, user, tenant)}
	})
	return facts.toSorted((one, other) => other.at - one.at)
}

function changeBy(die: Random, user: string, tenant: AuditedTenant) {
	const kind = die.next()
	if (kind < 0.45) return login(die, user)
	if (kind < 0.65) return movedChange(die.pick(tenant.hosts), die.int(tenant.groups.length), die.int(tenant.groups.length))
	if (kind < 0.78) return isolatedChange(die.pick(tenant.hosts), die.chance(0.5), die.pick(comments), die.hex(6))
	if (kind < 0.9) return policyChange(die, die.pick(tenant.policies))
	return itemChange(die.pick(tenant.lists), die.hex(64), die.chance(0.8))
}

const comments = ['Beaconing out', 'INC-2214', 'Cleaned and checked', 'False alarm, asked by the ward'] as const

function login(die: Random, user: string): Change {
	return {event: 'login', type: 'User', id: die.guid(), old: {}, new: {name: user}}
}

/** Groups have a number here, as the columns of a log collector suggest (README). */
export function movedChange({guid, hostname}: Host, from: number, to: number): Change {
	const about = {hostname, connector_guid: guid}
	return {event: 'update', type: 'Computer', id: guid, old: {...about, group_id: 1000 + from}, new: {...about, group_id: 1000 + to}}
}

/** The audit log contains the unlock code: readers must mask it. */
export function isolatedChange({guid, hostname}: Host, isolated: boolean, comment: string | null, code: string): Change {
	const about = {hostname, connector_guid: guid}
	return {
		event: 'update',
		type: 'Computer',
		id: guid,
		old: {...about, isolated: !isolated},
		new: {...about, isolated, comment, ...(isolated ? {unlock_code: code} : {})}
	}
}

function policyChange(die: Random, {guid, name, serialNumber}: PolicySeed): Change {
	const mode = die.chance(0.5)
	return {
		event: 'update',
		type: 'Policy',
		id: guid,
		old: {name, revision: serialNumber - 1, file_conviction_mode: mode ? 'audit' : 'quarantine'},
		new: {name, revision: serialNumber, file_conviction_mode: mode ? 'quarantine' : 'audit'}
	}
}

export function itemChange({guid, name}: Pick<ListSeed, 'guid' | 'name'>, sha: string, isAdded: boolean): Change {
	const item = {name, sha}
	return {event: isAdded ? 'create' : 'delete', type: 'FileListItem', id: guid, old: isAdded ? {} : item, new: isAdded ? item : {}}
}
