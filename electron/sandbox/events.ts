import {apiVersion, Refusal, type Answer, type JsonObject} from './answer.ts'
import {value, values, type Call} from './call.ts'
import {computerLinks, dateOffset, networkAddresses} from './computer-record.ts'
import type {LoggedEvent} from './event-log.ts'
import {pagedList} from './paging.ts'
import type {Route} from './router.ts'
import {eventTypeName, eventTypes} from './tenant/event-types.ts'
import type {Host} from './tenant/host.ts'
import {pickAt} from './tenant/random.ts'
import type {World} from './world.ts'

const filters = ['event_type', 'connector_guid', 'group_guid', 'detection_sha256', 'application_sha256', 'start_date']

export function eventRoutes(world: World): readonly Route[] {
	return [
		['GET /v1/events', call => list(world, call), ['limit', 'offset', ...filters]],
		['GET /v1/event_types', typesAnswer]
	]
}

/** `metadata.results` has only `total` here (API reference, section 7). */
function typesAnswer(call: Call): Answer {
	const metadata = {links: {self: call.self}, results: {total: eventTypes.length}}
	return {status: 200, body: {version: apiVersion, metadata, data: eventTypes}}
}

function list(world: World, call: Call) {
	const tests = testsOf(world, call)
	const all = world.events.all()
	const found = tests.length === 0 ? all : all.filter(event => tests.every(test => test(event)))
	return pagedList(call, found, event => eventRecord(world, call, event), true)
}

type Test = (event: LoggedEvent) => boolean

function testsOf(world: World, call: Call) {
	const typeIds = new Set(values(call, 'event_type').map(typeId))
	const guids = values(call, 'connector_guid').map(guid => guid.toLowerCase())
	const hosts = new Set(guids.map(guid => world.fleet.find(guid)?.index ?? -1))
	const groups = new Set(values(call, 'group_guid').map(guid => world.directory.findGroup(guid)))
	const [detection, application] = [value(call, 'detection_sha256'), value(call, 'application_sha256')]
	const from = startOf(call, world.start)
	const tests: readonly (readonly [boolean, Test])[] = [
		[typeIds.size > 0, event => typeIds.has(event.type)],
		[guids.length > 0, event => hosts.has(event.host) && event.frame !== 'hostname'],
		[groups.size > 0, event => event.frame !== 'hostname' && groups.has(groupAt(world, event))],
		[detection !== undefined, event => event.detectionSha256 === detection?.toLowerCase()],
		[application !== undefined, event => event.applicationSha256 === application?.toLowerCase()],
		[from !== undefined, event => event.at >= (from ?? 0)]
	]
	return tests.filter(([asked]) => asked).map(([, test]) => test)
}

function typeId(text: string) {
	if (!/^\d{1,10}$/.test(text)) throw new Refusal(400, `event_type must be a number: ${text}`)
	return Number(text)
}

const iso = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$/

function startOf(call: Call, start: number) {
	const text = value(call, 'start_date')
	if (text === undefined) return undefined
	const time = iso.test(text) ? Date.parse(text) : Number.NaN
	// A blank before the offset is a plus sign that was not encoded.
	if (Number.isNaN(time)) throw new Refusal(400, `start_date is not a valid ISO 8601 date: ${text}`)
	return Math.floor(time / 1000) * 1000 - start
}

function groupAt(world: World, event: LoggedEvent) {
	return event.group ?? world.fleet.at(event.host)?.group ?? 0
}

/** A record of GET /v1/events; its computer fields depend on its kind (API reference, 6.1). */
export function eventRecord(world: World, call: Call, event: LoggedEvent): JsonObject {
	const host = pickAt(world.tenant.hosts, event.host)
	return {
		...(event.id === undefined ? {} : {id: event.id}),
		...eventHead(world, event),
		...(event.frame === 'hostname' ? {} : {connector_guid: host.guid}),
		...(event.frame === 'hostname' || event.id === undefined ? {} : {group_guids: groupGuids(world, event)}),
		...(event.frame === 'computer' ? {computer: computerBlock(world, call, host)} : {}),
		...event.block
	}
}

export function eventHead(world: World, event: LoggedEvent): JsonObject {
	const ms = Math.round(world.start + event.at)
	return {
		timestamp: Math.floor(ms / 1000),
		timestamp_nanoseconds: (ms % 1000) * 1_000_000,
		date: dateOffset(ms),
		event_type: eventTypeName(event.type),
		event_type_id: event.type
	}
}

/** Some kinds include the ancestors. */
function groupGuids(world: World, event: LoggedEvent) {
	const group = groupAt(world, event)
	const groups = event.frame === 'guid' ? [group, ...world.directory.ancestry(group)] : [group]
	return groups.map(index => pickAt(world.tenant.groups, index).guid)
}

function computerBlock(world: World, call: Call, host: Host): JsonObject {
	return {
		connector_guid: host.guid,
		hostname: host.hostname,
		external_ip: host.externalIp,
		...(host.user === '' ? {} : {user: `${host.user}@${host.hostname}`}),
		active: host.active,
		network_addresses: networkAddresses(host).map(({mac, ip}) => ({ip, mac})),
		links: computerLinks(world, call, host)
	}
}
