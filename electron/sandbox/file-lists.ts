import {problem, Refusal, single, type JsonObject} from './answer.ts'
import {type Call, values} from './call.ts'
import {listAnswer, pagedList, pageOf} from './paging.ts'
import type {Route} from './router.ts'
import {computersWith} from './search.ts'
import {itemChange} from './tenant/audit.ts'
import {types} from './tenant/event-types.ts'
import {connectorEventId, type EventBlock, factDie} from './tenant/facts.ts'
import type {Host} from './tenant/host.ts'
import type {ListItem, ListSeed, ListType} from './tenant/policies.ts'
import {programs} from './tenant/programs.ts'
import {policyInForce, type World} from './world.ts'

export function fileListRoutes(world: World): readonly Route[] {
	const file = '/v1/file_lists/:guid/files/:sha256'
	const collection = (type: ListType): Route => [`GET /v1/file_lists/${type}`, call => lists(world, call, type), ['name', 'limit', 'offset']]
	return [
		collection('application_blocking'),
		collection('simple_custom_detections'),
		['GET /v1/file_lists/:guid', (call, guid = '') => single(call.self, listDetail(call, listOf(world, guid)))],
		['GET /v1/file_lists/:guid/files', (call, guid = '') => files(world, call, listOf(world, guid)), ['limit', 'offset']],
		[`GET ${file}`, (call, guid = '', sha256 = '') => item(world, call, listOf(world, guid), sha256)],
		[`POST ${file}`, (call, guid = '', sha256 = '') => add(world, call, listOf(world, guid), sha256)],
		[`DELETE ${file}`, (call, guid = '', sha256 = '') => remove(world, call, listOf(world, guid), sha256)]
	]
}

function listOf(world: World, guid: string) {
	const list = world.lists.find(guid)
	if (list === undefined) throw new Refusal(404, `File List not found for given guid: ${guid}`)
	return list
}

function lists(world: World, call: Call, type: ListType) {
	const names = values(call, 'name').map(name => name.toLowerCase())
	const found = world.tenant.lists.filter(
		list => list.type === type && (names.length === 0 || names.some(part => list.name.toLowerCase().includes(part)))
	)
	return pagedList(call, found, ({name, guid}) => ({name, guid, type, links: {file_list: listLink(call, guid)}}))
}

/** `links.details` here, `links.file_list` in the collection (API reference, 8.2). */
function listDetail(call: Call, {name, guid, type}: ListSeed): JsonObject {
	return {name, guid, type, links: {details: listLink(call, guid)}}
}

/** `data` is an object; `results` counts its items (API reference, 8.3). */
function files(world: World, call: Call, list: ListSeed) {
	const page = pageOf(call)
	const all = [...world.lists.items(list).values()]
	const items = all.slice(page.offset, page.offset + page.limit).map(entry => itemRecord(call, list, entry))
	const policies = world.tenant.policies.filter(policy => policy.lists.includes(list.name))
	const data = {
		name: list.name,
		guid: list.guid,
		policies: policies.map(({name, guid}) => ({name, guid, links: {policy: `${call.origin}/v1/policies/${guid}`}})),
		items
	}
	return listAnswer(call, page, all.length, data, items.length)
}

function item(world: World, call: Call, list: ListSeed, sha256: string) {
	const entry = world.lists.items(list).get(sha256.toLowerCase())
	return entry === undefined ? missing(call, sha256) : single(call.self, itemRecord(call, list, entry))
}

/** The text repeats the hash as sent (API reference, 1.7). */
function missing(call: Call, sha256: string) {
	return problem(404, call.self, `Imn File List Item not found for given sha256: ${sha256}`)
}

function add(world: World, call: Call, list: ListSeed, given: string) {
	const sha256 = given.toLowerCase()
	if (!/^[0-9a-f]{64}$/.test(sha256)) return problem(400, call.self, 'Validation failed: SHA-256 is invalid')
	if (world.lists.items(list).has(sha256)) return problem(409, call.self, 'Validation failed: SHA-256 has already been taken')
	const description = call.body['description']
	const source = 'Created by entering SHA-256 via Public api.'
	const entry: ListItem = description === undefined || description === '' ? {sha256, source} : {sha256, description, source}
	world.lists.put(list, entry)
	world.directory.listChanged(list.name)
	world.audit.add(call.now, call.caller, itemChange(list, sha256, true))
	listEffects(world, list, sha256, call.now)
	return single(call.self, itemRecord(call, list, entry), 201)
}

function remove(world: World, call: Call, list: ListSeed, sha256: string) {
	if (!world.lists.items(list).has(sha256.toLowerCase())) return missing(call, sha256)
	world.lists.remove(list, sha256.toLowerCase())
	world.directory.listChanged(list.name)
	world.audit.add(call.now, call.caller, itemChange(list, sha256.toLowerCase(), false))
	return single(call.self, {})
}

function itemRecord(call: Call, list: ListSeed, entry: ListItem): JsonObject {
	return {...entry, links: {file_list: listLink(call, list.guid)}}
}

function listLink(call: Call, guid: string) {
	return `${call.origin}/v1/file_lists/${guid}`
}

/** Maximum computers that report after one change. */
const reporters = 12

/** A listed hash takes effect at the next contact of the computers that have the file and whose policy uses the list. */
function listEffects(world: World, list: ListSeed, sha256: string, now: number) {
	const present = () => world.lists.items(list).has(sha256)
	const affected = computersWith(world, sha256).filter(host => world.fleet.online(host) && policyInForce(world, host).lists.includes(list.name))
	for (const host of affected.slice(0, reporters)) {
		world.agents.ask(host, now, at => {
			if (present()) meet(world, host, list, sha256, at)
		})
	}
}

function meet(world: World, host: Host, list: ListSeed, sha256: string, at: number) {
	const report = (type: number, block: EventBlock) => world.events.add(host, world.fleet.group(host), at, type, block, {detectionSha256: sha256})
	const name = programs.find(program => program.sha256 === sha256)?.name
	const file = {disposition: 'Blocklisted', ...(name === undefined ? {} : {file_name: name}), identity: {sha256}}
	if (list.type === 'application_blocking') return report(types.executionBlocked, {file})
	if (list.type !== 'simple_custom_detections') return
	const detection_id = String(connectorEventId(factDie(world.tenant.seed, 'custom detection', host.index, at)))
	const detection = `Simple_Custom_Detection.${sha256.slice(0, 10).toUpperCase()}`
	report(types.threatDetected, {detection, detection_id, severity: 'Medium', file: {...file, disposition: 'Malicious'}})
	report(types.quarantined, {detection_id, severity: 'Medium', file: {disposition: 'Malicious', identity: {sha256}}})
}
