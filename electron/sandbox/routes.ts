import {type Answer, problem, Refusal, single} from './answer.ts'
import {auditRoutes} from './audit-log.ts'
import {type Call, value, values} from './call.ts'
import {computerRecord, dateOffset} from './computer-record.ts'
import {eventStreamRoutes, type StreamBroker} from './event-streams.ts'
import {eventRoutes} from './events.ts'
import {fileListRoutes} from './file-lists.ts'
import type {IsolationState} from './fleet.ts'
import {groupRoutes} from './groups.ts'
import {askConnector, changeIsolation, madeCode, statusShown} from './isolation-machine.ts'
import {listAnswer, pagedList, pageOf} from './paging.ts'
import {policyRoutes} from './policies.ts'
import {holdPolicy} from './policy-hold.ts'
import {aboutHost, type Route} from './router.ts'
import {isolatedChange, movedChange} from './tenant/audit.ts'
import type {Host} from './tenant/host.ts'
import {programs, runs} from './tenant/programs.ts'
import {dice} from './tenant/random.ts'
import {trajectoryRoutes} from './trajectory.ts'
import type {World} from './world.ts'

/** Every endpoint of API v1 on this server. Fixed paths precede those with a GUID in the same place. */
export function routesOf(world: World, broker?: StreamBroker): readonly Route[] {
	return [
		['GET /v1/version', call => single(call.self, {})],
		...trajectoryRoutes(world),
		...vulnerabilityRoutes(world),
		...computerRoutes(world),
		...isolationRoutes(world),
		...eventRoutes(world),
		...eventStreamRoutes(world, broker),
		...fileListRoutes(world),
		...groupRoutes(world),
		...policyRoutes(world),
		...auditRoutes(world)
	]
}

/** Outdated versions in use, with numbers from the public record. */
const known: readonly {program: string; application: string; version: string; cves: readonly (readonly [id: string, cvss: number])[]}[] = [
	{
		program: 'firefox.exe',
		application: 'Mozilla Firefox',
		version: '41.0',
		cves: [
			['CVE-2015-7204', 6.8],
			['CVE-2015-7201', 10],
			['CVE-2015-7205', 10]
		]
	},
	{
		program: 'AcroRd32.exe',
		application: 'Adobe Acrobat Reader',
		version: '15.006.30096',
		cves: [
			['CVE-2016-0931', 10],
			['CVE-2016-0940', 6.8]
		]
	},
	{program: '7zFM.exe', application: '7-Zip', version: '15.05', cves: [['CVE-2016-2334', 6.8]]},
	{program: 'putty.exe', application: 'PuTTY', version: '0.66', cves: [['CVE-2016-2563', 7.5]]},
	{program: 'python.exe', application: 'Python', version: '2.7.10', cves: [['CVE-2016-5636', 10]]}
]

/** The deprecated call of one computer (API reference, 4.9); few results are usual. */
function vulnerabilityRoutes(world: World): readonly Route[] {
	return [['GET /v1/computers/:guid/vulnerabilities', aboutHost(world, vulnerabilities), ['limit', 'offset', 'start_time', 'end_time']]]
}

function vulnerabilities(world: World, call: Call, host: Host) {
	const page = pageOf(call)
	const all = known.filter(({program}) => isOld(world, host, program))
	const shown = all.slice(page.offset, page.offset + page.limit).map(found => recordOf(world, call, host, found))
	return listAnswer(call, page, all.length, {connector_guid: host.guid, vulnerabilities: shown}, shown.length)
}

function isOld(world: World, host: Host, name: string) {
	const index = programs.findIndex(program => program.name === name)
	const {seedNumber} = world.tenant
	return host.platform === 'windows' && runs(seedNumber, host, index) && dice(seedNumber, host.index, index + 77) < 0.4
}

function recordOf(world: World, call: Call, host: Host, found: (typeof known)[number]) {
	const sha256 = programs.find(({name}) => name === found.program)?.sha256 ?? ''
	const seen = world.fleet.lastSeen(host, call.now)
	return {
		application: found.application,
		version: found.version,
		// The service writes these in upper case (API reference, 1.8).
		file: {filename: found.program, identity: {sha256: sha256.toUpperCase()}},
		cves: found.cves.map(([id, cvss]) => ({id, link: `https://nvd.nist.gov/vuln/detail/${id}`, cvss})),
		latest_timestamp: Math.floor(seen / 1000),
		latest_date: dateOffset(seen)
	}
}

const filters = ['hostname', 'internal_ip', 'external_ip', 'group_guid', 'last_seen_within', 'last_seen_over']

function computerRoutes(world: World): readonly Route[] {
	return [
		['GET /v1/computers', call => list(world, call), ['limit', 'offset', ...filters]],
		['GET /v1/computers/:guid', aboutHost(world, (_world, call, host) => single(call.self, computerRecord(world, call, host)))],
		['PATCH /v1/computers/:guid', aboutHost(world, move)]
	]
}

function list(world: World, call: Call) {
	return pagedList(call, matching(world, call), host => computerRecord(world, call, host))
}

type Test = (host: Host) => boolean

/** Values of one filter are alternatives, different filters must all hold (API reference, 1.3). */
function matching(world: World, call: Call) {
	const [names, ip] = [values(call, 'hostname'), value(call, 'internal_ip')]
	const found = [
		...(names.length === 0 ? [] : [world.fleet.named(names)]),
		...(ip === undefined ? [] : [world.fleet.addressed(ip)]),
		...aged(world, call)
	]
	const [first = world.fleet.hosts(), ...rest] = found
	const others = rest.map(hosts => new Set(hosts))
	const tests = [externalTest(call), groupTest(world, call), ...others.map(set => (host: Host) => set.has(host))]
	return tests.filter(test => test !== undefined).reduce((hosts, test) => hosts.filter(test), first)
}

function externalTest(call: Call): Test | undefined {
	const wanted = value(call, 'external_ip')
	return wanted === undefined ? undefined : host => host.externalIp === wanted
}

function groupTest(world: World, call: Call): Test | undefined {
	const guids = values(call, 'group_guid')
	if (guids.length === 0) return undefined
	const groups = new Set(guids.map(guid => world.directory.findGroup(guid)))
	return host => groups.has(world.fleet.group(host))
}

function aged({fleet}: World, call: Call): readonly (readonly Host[])[] {
	const {now} = call
	const [within, over] = [days(call, 'last_seen_within'), days(call, 'last_seen_over')]
	return within === undefined && over === undefined ? [] : [fleet.seen(now - (within ?? Infinity), now - (over ?? -Infinity), now)]
}

/** In milliseconds. */
function days(call: Call, name: string) {
	const text = value(call, name)
	if (text !== undefined && !/^\d{1,5}$/.test(text)) throw new Refusal(400, `${name} must be a whole number of days`)
	return text === undefined ? undefined : Number(text) * 86_400_000
}

/** 202 with the new group and the old policy; the connector fetches the new one at its next contact (API reference, 4.3). */
function move(world: World, call: Call, host: Host) {
	const guid = call.body['group_guid']
	if (guid === undefined || guid === '') throw new Refusal(400, 'group_guid is missing')
	const group = world.directory.findGroup(guid)
	if (group === undefined) throw new Refusal(404, `Group not found for given guid: ${guid}`)
	world.audit.add(call.now, call.caller, movedChange(host, world.fleet.group(host), group))
	holdPolicy(world, [host], call.now, () => world.fleet.change(host, {group}))
	const {last_seen: _seen, av_update_definitions: _definitions, ...shown} = computerRecord(world, call, host)
	return single(call.self, shown, 202)
}

/** Endpoint isolation as a state machine (API reference, section 5). */
function isolationRoutes(world: World): readonly Route[] {
	const path = '/v1/computers/:guid/isolation'
	return [
		[`OPTIONS ${path}`, aboutHost(world, options)],
		[`GET ${path}`, aboutHost(world, show)],
		[`PUT ${path}`, aboutHost(world, start)],
		[`DELETE ${path}`, aboutHost(world, stop)]
	]
}

const allowed: Readonly<Record<IsolationState['status'], string>> = {
	not_isolated: 'OPTIONS, GET, PUT',
	pending_start: 'OPTIONS, GET, DELETE',
	isolated: 'OPTIONS, GET, DELETE',
	pending_stop: 'OPTIONS, GET'
}

const notAllowed = 'Endpoint isolation is not enabled in the policy of this computer'

function options(world: World, call: Call, host: Host): Answer {
	if (!world.fleet.available(host)) return {...problem(405, call.self, notAllowed), headers: {Allow: 'OPTIONS, GET'}}
	return {status: 204, headers: {Allow: allowed[statusShown(world.fleet.isolation(host), call.now)]}}
}

function show(world: World, call: Call, host: Host) {
	const state = world.fleet.isolation(host)
	const status = statusShown(state, call.now)
	const shown = {available: world.fleet.available(host), status, unlock_code: state.unlockCode, comment: state.comment}
	// A released computer keeps its code and comment, but has no isolating user (API reference, 5.1).
	return single(call.self, status === 'not_isolated' || state.by === undefined ? shown : {...shown, isolated_by: state.by})
}

function start(world: World, call: Call, host: Host) {
	const state = world.fleet.isolation(host)
	if (state.status !== 'not_isolated') return problem(409, call.self, `Computer isolation status is ${statusShown(state, call.now)}`)
	if (!world.fleet.available(host)) return {...problem(405, call.self, notAllowed), headers: {Allow: 'OPTIONS, GET'}}
	const unlockCode = checkedCode(call.body['unlock_code']) ?? madeCode(world, host, call.now)
	const comment = call.body['comment'] ?? null
	changeIsolation(world, host, {status: 'pending_start', unlockCode, comment, by: call.caller, since: call.now, lingersUntil: 0})
	world.audit.add(call.now, call.caller, isolatedChange(host, true, comment, unlockCode))
	askConnector(world, host, call.now)
	return show(world, call, host)
}

function stop(world: World, call: Call, host: Host) {
	const state = world.fleet.isolation(host)
	if (state.status === 'not_isolated' || state.status === 'pending_stop')
		return problem(409, call.self, `Computer isolation status is ${statusShown(state, call.now)}`)
	// Half of the computers still read as isolated for a moment (API reference, 5.1).
	const lingers = state.status === 'isolated' && dice(world.tenant.seedNumber, host.index, 11) < 0.5
	const lingersUntil = lingers ? call.now + world.agents.delayOf(host) / 4 : 0
	changeIsolation(world, host, {...state, status: 'pending_stop', comment: call.body['comment'] ?? state.comment, lingersUntil})
	world.audit.add(call.now, call.caller, isolatedChange(host, false, call.body['comment'] ?? null, ''))
	askConnector(world, host, call.now)
	return show(world, call, host)
}

const invalid = 'Validation failed: Unlock Code is invalid'

function checkedCode(code: string | undefined) {
	if (code === undefined || code === '') return undefined
	if (code.length > 24) throw new Refusal(400, `${invalid}, Unlock Code is too long. (Maximum 24 characters)`)
	if (/\s/.test(code)) throw new Refusal(400, `${invalid}, Unlock Code cannot contain spaces`)
	return code
}
