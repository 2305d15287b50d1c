import {Refusal, single, type JsonObject} from './answer.ts'
import {value, type Call} from './call.ts'
import {dateZ} from './computer-record.ts'
import {productOf, products} from './directory.ts'
import {pagedList} from './paging.ts'
import {policyBrief} from './policies.ts'
import {holdPolicy} from './policy-hold.ts'
import type {Route} from './router.ts'
import type {GroupSeed} from './tenant/groups.ts'
import type {PolicySeed, Product} from './tenant/policies.ts'
import {pickAt} from './tenant/random.ts'
import type {World} from './world.ts'

export function groupRoutes(world: World): readonly Route[] {
	return [
		['GET /v1/groups', call => list(world, call), ['name', 'limit', 'offset']],
		['GET /v1/groups/:guid', (call, guid = '') => single(call.self, groupDetail(world, call, indexOf(world, guid)))],
		['PATCH /v1/groups/:guid', (call, guid = '') => patch(world, call, indexOf(world, guid))]
	]
}

function indexOf(world: World, guid: string) {
	const index = world.directory.findGroup(guid)
	if (index === undefined) throw new Refusal(404, `Group not found for given guid: ${guid}`)
	return index
}

/** The collection has neither policies nor counts (API reference, 9.1). */
function list(world: World, call: Call) {
	const name = value(call, 'name')?.toLowerCase()
	const found = world.tenant.groups.filter(group => name === undefined || group.name.toLowerCase().includes(name))
	return pagedList(call, found, group => groupBrief(world, call, group))
}

function groupBrief(world: World, call: Call, group: GroupSeed): JsonObject {
	const {guid, name, description, source} = group
	const ancestors = world.directory.ancestry(world.tenant.groups.indexOf(group)).map(index => pickAt(world.tenant.groups, index))
	const brief = {name, description, guid, source, links: {group: `${call.origin}/v1/groups/${guid}`}}
	return ancestors.length === 0 ? brief : {...brief, ancestry: ancestors.map(ancestor => ({name: ancestor.name, guid: ancestor.guid}))}
}

/** With policies and counts, as on newer servers (API reference, 9.2). */
function groupDetail(world: World, call: Call, index: number): JsonObject {
	const {groups} = world.tenant
	const group = pickAt(groups, index)
	const counts = new Map<number, number>()
	for (const host of world.fleet.hosts()) counts.set(world.fleet.group(host), (counts.get(world.fleet.group(host)) ?? 0) + 1)
	const below = groups.flatMap((_, other) => (world.directory.ancestry(other).includes(index) ? [other] : []))
	const children = groups.filter(({parent}) => parent === index)
	return {
		...groupBrief(world, call, group),
		creator: null,
		created_at: dateZ(world.start - group.age * 1000),
		computers_count: counts.get(index) ?? 0,
		descendant_computers_count: below.reduce((sum, other) => sum + (counts.get(other) ?? 0), 0),
		child_groups: children.map(({name, guid}) => ({name, guid})),
		policies: products.map(product => groupPolicy(world, call, index, product))
	}
}

function groupPolicy(world: World, call: Call, group: number, product: Product): JsonObject {
	const {policy, inherited} = world.directory.policy(group, product)
	return {...policyBrief(world, call, policy), inherited}
}

const assignable: readonly Product[] = ['windows', 'mac', 'android', 'linux']

/** Sets policies of a group; its computers and those that inherit load them at their next contact. */
function patch(world: World, call: Call, group: number) {
	const wanted = assignable.flatMap(product => {
		const guid = call.body[`${product}_policy_guid`]
		return guid === undefined || guid === '' ? [] : [policyFor(world, product, guid)]
	})
	if (wanted.length === 0) throw new Refusal(400, `At least one of ${assignable.map(product => `${product}_policy_guid`).join(', ')} is required`)
	const {guid, name} = pickAt(world.tenant.groups, group)
	const policies = wanted.map(policy => policy.name).join(', ')
	const change = {event: 'update', type: 'Group', id: guid, old: {name}, new: {name, policies}} as const
	world.audit.add(call.now, call.caller, change)
	for (const policy of wanted) assign(world, group, policy, call.now)
	return single(call.self, groupDetail(world, call, group), 202)
}

function policyFor(world: World, product: Product, guid: string) {
	const policy = world.directory.findPolicy(guid)
	if (policy === undefined) throw new Refusal(404, `Policy not found for given guid: ${guid}`)
	if (policy.product !== product) throw new Refusal(400, `${product}_policy_guid is a policy for ${policy.product}`)
	return policy
}

/** Each affected computer keeps its policy until its connector has answered. */
function assign(world: World, group: number, policy: PolicySeed, now: number) {
	const reached = new Set([group, ...world.tenant.groups.flatMap((_, other) => (world.directory.ancestry(other).includes(group) ? [other] : []))])
	const hosts = world.fleet.hosts().filter(host => productOf(host) === policy.product && reached.has(world.fleet.group(host)))
	holdPolicy(world, hosts, now, () => world.directory.assign(group, policy))
}
