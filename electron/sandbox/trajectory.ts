import {Refusal, single} from './answer.ts'
import {value, type Call} from './call.ts'
import {computerRecord, dateOffset, stub} from './computer-record.ts'
import type {LoggedEvent} from './event-log.ts'
import {eventHead} from './events.ts'
import {pagedList, pageOf} from './paging.ts'
import {aboutHost, type Route} from './router.ts'
import {mentions} from './mentioned.ts'
import {computersWith} from './search.ts'
import {everydayActivity} from './tenant/activity.ts'
import {newestFirst, type EventBlock} from './tenant/facts.ts'
import type {Host} from './tenant/host.ts'
import {dice, pickAt} from './tenant/random.ts'
import type {ActivityFact} from './tenant/stage.ts'
import type {World} from './world.ts'

/** Maximum of one call; the service's own is unknown (API reference, section 15). */
const trajectoryMaximum = 5000

export function trajectoryRoutes(world: World): readonly Route[] {
	return [
		['GET /v1/computers/activity', call => activity(world, call), ['q', 'limit', 'offset']],
		['GET /v1/computers/user_activity', call => userActivity(world, call), ['q', 'limit', 'offset']],
		['GET /v1/computers/:guid/user_trajectory', aboutHost(world, userTrajectory), ['q', 'limit']],
		['GET /v1/computers/:guid/trajectory', aboutHost(world, trajectory), ['q', 'limit']]
	]
}

function activity(world: World, call: Call) {
	const q = value(call, 'q')?.trim() ?? ''
	if (q === '') throw new Refusal(400, 'q is missing')
	return pagedList(call, computersWith(world, q), host => stub(world, call, host, q))
}

/** The computers of a user, by name alone, or with the computer as in events. */
function userActivity(world: World, call: Call) {
	const q = value(call, 'q')?.trim().toLowerCase() ?? ''
	if (q === '') throw new Refusal(400, 'q is missing')
	const hosts = world.fleet.hosts().filter(host => isUser(host, q))
	return pagedList(call, hosts, host => stub(world, call, host))
}

/** Events of the computer that contain the user; the computer's record is a stub (API reference, 4.6). */
function userTrajectory(world: World, call: Call, host: Host) {
	const {limit} = pageOf(call, trajectoryMaximum)
	const q = value(call, 'q')?.trim().toLowerCase() ?? ''
	if (q === '') throw new Refusal(400, 'q is missing')
	const all = isUser(host, q) ? newestFirst(cloudEvents(world, host)) : []
	const {connector_guid, hostname, active, links} = stub(world, call, host)
	const events = all.slice(0, limit).map(({show}) => ({...show(), user_name: `${host.user}@${host.hostname}`}))
	return single(call.self, {computer: {connector_guid, hostname, active, links}, events})
}

function isUser({user, hostname}: Host, q: string) {
	return user !== '' && (user.toLowerCase() === q || `${user}@${hostname}`.toLowerCase() === q)
}

/** `data` is an object with the computer and its events; there is no paging (API reference, 4.5). */
function trajectory(world: World, call: Call, host: Host) {
	const {limit} = pageOf(call, trajectoryMaximum)
	const q = value(call, 'q')?.trim()
	const all = newestFirst([...cloudEvents(world, host), ...activities(world, host)])
	const found = q === undefined ? all : all.filter(({block}) => mentions(block, q))
	const events = found.slice(0, limit).map(({show}) => show())
	return single(call.self, {computer: computerRecord(world, call, host), events})
}

interface Entry {
	at: number
	block: EventBlock
	show: () => EventBlock
}

function cloudEvents(world: World, host: Host): readonly Entry[] {
	const facts = world.events.ofHost(host.index).filter(({frame}) => frame !== 'hostname')
	return facts.map(fact => ({at: fact.at, block: fact.block, show: () => cloudRecord(world, fact)}))
}

function activities(world: World, host: Host): readonly Entry[] {
	const told = world.tenant.story.activities.filter(fact => fact.host === host.index)
	const facts = [...told, ...everydayActivity(world.tenant.seed, world.tenant.seedNumber, host)]
	return facts.map(fact => ({at: fact.at, block: fact.block, show: () => activityRecord(world, fact)}))
}

/** Ids are strings here, and there are no groups (API reference, 4.5). */
function cloudRecord(world: World, fact: LoggedEvent): EventBlock {
	return {...(fact.id === undefined ? {} : {id: String(fact.id)}), ...eventHead(world, fact), ...fact.block}
}

function activityRecord(world: World, fact: ActivityFact): EventBlock {
	const ms = Math.round(world.start + fact.at)
	const nanoseconds = Math.floor(dice(world.tenant.seedNumber, fact.host, fact.at) * 1_000_000_000)
	const group = pickAt(world.tenant.groups, world.fleet.at(fact.host)?.group ?? 0)
	return {
		timestamp: Math.floor(ms / 1000),
		timestamp_nanoseconds: nanoseconds,
		date: dateOffset(ms),
		event_type: fact.type,
		group_guids: [group.guid],
		...fact.block
	}
}
