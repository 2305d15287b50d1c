import {Refusal, single, type Answer, type JsonObject} from './answer.ts'
import {values, type Call} from './call.ts'
import {pagedList} from './paging.ts'
import type {Route} from './router.ts'
import type {PolicySeed} from './tenant/policies.ts'
import {random} from './tenant/random.ts'
import type {World} from './world.ts'

export function policyRoutes(world: World): readonly Route[] {
	return [
		['GET /v1/policies', call => list(world, call), ['product', 'name', 'limit', 'offset']],
		[
			'GET /v1/policies/:guid',
			(call, name = '') => {
				const xml = /^(.*)\.xml$/i.exec(name)?.[1]
				if (xml !== undefined) return policyXml(world, policyOf(world, xml))
				return single(call.self, policyDetail(world, call, policyOf(world, name)))
			}
		]
	]
}

function policyOf(world: World, guid: string) {
	const policy = world.directory.findPolicy(guid)
	if (policy === undefined) throw new Refusal(404, `Policy not found for given guid: ${guid}`)
	return policy
}

function list(world: World, call: Call) {
	const wantedProducts = new Set(values(call, 'product'))
	const names = values(call, 'name').map(name => name.toLowerCase())
	const found = world.tenant.policies.filter(
		({product, name}) =>
			(wantedProducts.size === 0 || wantedProducts.has(product)) && (names.length === 0 || names.some(part => name.toLowerCase().includes(part)))
	)
	return pagedList(call, found, policy => policyBrief(world, call, policy))
}

/** A record of GET /v1/policies; within a group it has `inherited` (API reference, sections 9 and 10). */
export function policyBrief(world: World, call: Call, policy: PolicySeed): JsonObject {
	const {name, description, guid, product} = policy
	const links = {policy: `${call.origin}/v1/policies/${guid}`}
	return {name, description, guid, product, default: policy.default, serial_number: world.directory.serialNumber(policy), links}
}

function policyDetail(world: World, call: Call, policy: PolicySeed): JsonObject {
	const lists = world.tenant.lists.filter(({name}) => policy.lists.includes(name))
	const link = `${call.origin}/v1/policies/${policy.guid}`
	const phone = policy.product === 'ios' || policy.product === 'android'
	return {
		...policyBrief(world, call, policy),
		links: {policy_xml: `${link}.xml`, policy: link},
		file_lists: lists.map(({name, guid, type}) => ({name, guid, type})),
		ip_lists: phone ? [] : [named(world, 'Command servers', {type: 'block'}), named(world, 'Hospital networks', {type: 'allow'})],
		isolation_ip_lists: phone ? [] : [named(world, 'Reachable while isolated', {type: 'isolation'})],
		// Phones have none (API reference, section 13).
		...(phone ? {} : {exclusion_sets: exclusions(policy).map(name => named(world, name, {}))}),
		used_in_groups: usedIn(world, policy)
	}
}

function exclusions(policy: PolicySeed) {
	const own: Readonly<Record<string, string>> = {
		'Clinical Workstations': 'Clinical applications',
		Server: 'Databases and backups',
		'Domain Controller': 'Directory services'
	}
	return [`Maintained exclusions: ${policy.product}`, ...(own[policy.name] === undefined ? [] : [own[policy.name] ?? ''])]
}

function named(world: World, name: string, more: JsonObject): JsonObject {
	return {name, guid: random(world.tenant.seed, 'set', name).guid(), ...more}
}

function usedIn(world: World, policy: PolicySeed) {
	const used = world.tenant.groups.filter((_, index) => world.directory.policy(index, policy.product).policy === policy)
	return used.map(({name, description, guid}) => ({name, description, guid}))
}

/** The policy as XML; the format is this sandbox's own, because no sample is published (API reference, "Policies"). */
function policyXml(world: World, policy: PolicySeed): Answer {
	const lists = world.tenant.lists.filter(({name}) => policy.lists.includes(name))
	const lines = [
		'<?xml version="1.0" encoding="UTF-8"?>',
		`<policy guid="${policy.guid}" product="${policy.product}" serial="${world.directory.serialNumber(policy)}">`,
		`  <name>${escaped(policy.name)}</name>`,
		`  <description>${escaped(policy.description)}</description>`,
		...lists.map(({guid, name, type}) => `  <file_list guid="${guid}" type="${type}">${escaped(name)}</file_list>`),
		...exclusions(policy).map(name => `  <exclusion_set>${escaped(name)}</exclusion_set>`),
		'</policy>'
	]
	return {status: 200, text: {type: 'application/xml; charset=utf-8', content: `${lines.join('\n')}\n`}}
}

function escaped(text: string) {
	return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
