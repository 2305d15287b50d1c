import {type CastMember, castPositions} from './cast.ts'
import {type EventFact, newestFirst} from './facts.ts'
import {type GroupSeed, groupSeeds, ownGroups, sitesOf} from './groups.ts'
import {tellHistory} from './history.ts'
import {heartbeatSeconds, type Host} from './host.ts'
import {accountName, type Department, departments, type Kind} from './organisation.ts'
import {
	connectorVersions,
	desktopReleases,
	type Generation,
	legacyReleases,
	linuxReleases,
	macReleases,
	phoneRelease,
	type Platform,
	serverReleases
} from './platforms.ts'
import {listSeeds, policySeeds} from './policies.ts'
import {pickAt, random, type Random, seedNumber} from './random.ts'
import {tellStory} from './story.ts'

/** The initial data of the sandbox. It has no date: times count from the start. */
export type Tenant = ReturnType<typeof generateTenant>

export interface TenantSize {
	/** Default and minimum: 44. */
	groups?: number | undefined
	/** Default and maximum: 14. */
	fileLists?: number | undefined
}

/** The same seed and size give the same tenant. */
export function generateTenant(seed: string, computers: number, size: TenantSize = {}) {
	const groups = groupSeeds(seed, size.groups)
	const hosts = spread(generateHosts(seed, computers, groups), groups)
	const story = tellStory(seed, hosts)
	const attacked = new Set(story.activities.map(({host}) => host))
	let events: readonly EventFact[] | undefined
	return {
		seed,
		seedNumber: seedNumber(seed),
		hosts,
		groups,
		policies: policySeeds(seed),
		lists: listSeeds(seed).slice(0, size.fileLists),
		story,
		/** Newest first; generated at first use. */
		events: () => (events ??= newestFirst([...story.events, ...tellHistory(seed, hosts, attacked)]))
	}
}

function spread(hosts: readonly Host[], groups: readonly GroupSeed[]) {
	if (groups.length === ownGroups) return hosts
	const siteOf = sitesOf(groups)
	return hosts.map(host => ({...host, group: siteOf(host.group, host.index)}))
}

const day = 86_400

/** All computers of a tenant, in the service's order. */
function generateHosts(seed: string, computers: number, groups: readonly GroupSeed[]) {
	const positions = castPositions(computers)
	const workshop = createWorkshop(groups, new Set([...positions.values()].flatMap(member => member.change.hostname ?? [])))
	const hosts: Host[] = []
	for (let index = 0; index < computers; index += 1) {
		const die = random(seed, 'host', index)
		const member = positions.get(index)
		hosts.push(member === undefined ? ordinary(workshop, die, index, hosts.at(-1)) : special(workshop, die, index, member, hosts.at(-1)))
	}
	return hosts
}

/** State between hosts, so that names and addresses do not repeat. */
type Workshop = ReturnType<typeof createWorkshop>

function createWorkshop(groups: readonly GroupSeed[], reserved: ReadonlySet<string>) {
	return {groups: new Map(groups.map(({name}, index) => [name, index])), reserved, numbers: new Map(), addresses: new Map()}
}

/** Reinstalled computers: one in seventy repeats the host before it under another GUID. */
const twinChance = 0.014

function ordinary(workshop: Workshop, die: Random, index: number, previous: Host | undefined) {
	if (previous !== undefined && previous.isolation === undefined && !previous.demo && die.chance(twinChance)) return twinOf(previous, die, index)
	const department = weighted(departments, die)
	return build(workshop, die, index, department, weighted(department.kinds, die))
}

function special(workshop: Workshop, die: Random, index: number, member: CastMember, previous: Host | undefined): Host {
	if (member.twin === true && previous !== undefined) return {...twinOf(previous, die, index), ...member.change}
	const department = departments.find(({code}) => code === member.department) ?? pickAt(departments, 0)
	const kind = department.kinds.find(({tag}) => tag === member.tag) ?? pickAt(department.kinds, 0)
	const host = {...build(workshop, die, index, department, kind), compromised: false, risk: 0, ...member.change}
	const group = member.groupName === undefined ? host.group : (workshop.groups.get(member.groupName) ?? host.group)
	return {...host, group, lowerName: host.hostname.toLowerCase()}
}

/** The older record of a reinstalled computer. */
function twinOf(host: Host, die: Random, index: number): Host {
	const silentFor = (20 + die.int(65)) * day + die.int(day)
	return {
		...host,
		index,
		guid: die.guid(),
		connectorVersion: pickAt(connectorVersions[host.platform], connectorVersions[host.platform].length - 1),
		online: false,
		active: die.chance(0.4),
		silentFor,
		installedFor: silentFor + (100 + die.int(500)) * day,
		isolation: undefined,
		compromised: false,
		risk: 0
	}
}

function build(workshop: Workshop, die: Random, index: number, department: Department, kind: Kind): Host {
	const hostname = nextName(workshop, die, department, kind)
	const generation = generationOf(die, kind)
	const contact = contactOf(die, kind)
	const remote = kind.role === 'laptop' && die.chance(0.28)
	return {
		index,
		guid: die.guid(),
		hostname,
		lowerName: hostname.toLowerCase(),
		platform: kind.platform,
		role: kind.role,
		generation,
		os: releaseOf(die, kind, generation),
		connectorVersion: versionOf(die, kind.platform, generation),
		hardwareId: hardwareOf(die, kind.platform, generation),
		mac: macOf(die),
		ips: addressesOf(workshop, die, department, kind, remote),
		externalIp: remote ? `192.0.2.${1 + die.int(254)}` : department.nat,
		group: workshop.groups.get(kind.group) ?? 0,
		...contact,
		installedFor: contact.silentFor + (12 + die.int(900)) * day + die.int(day),
		isolationAvailable: kind.noIsolation !== true && generation >= 2020 && die.chance(0.97),
		isolation: undefined,
		compromised: die.chance(0.004),
		demo: false,
		risk: die.chance(0.05) ? 10 * (1 + die.int(7)) : 0,
		user: kind.role === 'server' || kind.role === 'instrument' ? '' : accountName(die.next(), die.next())
	}
}

function weighted<T extends {share: number}>(items: readonly T[], die: Random) {
	let left = die.int(items.reduce((sum, item) => sum + item.share, 0))
	for (const item of items) {
		left -= item.share
		if (left < 0) return item
	}
	return pickAt(items, 0)
}

/** `FIN-LT-0231`: numbers increase with small gaps for retired computers. */
function nextName(workshop: Workshop, die: Random, department: Pick<Department, 'code'>, kind: Pick<Kind, 'tag' | 'digits'>): string {
	const {tag, digits} = kind
	const stem = `${department.code}-${tag}`
	const number = (workshop.numbers.get(stem) ?? 0) + 1 + (die.chance(0.12) ? die.int(4) : 0)
	workshop.numbers.set(stem, number)
	const name = `${stem}-${String(number).padStart(digits, '0')}`
	return workshop.reserved.has(name) ? nextName(workshop, die, department, kind) : name
}

function generationOf(die: Random, {role, platform}: Kind) {
	const roll = die.next()
	if (role === 'instrument') return roll < 0.3 ? 2018 : roll < 0.6 ? 2020 : 2022
	if (platform === 'linux') return roll < 0.2 ? 2022 : 2024
	return roll < 0.01 ? 2018 : roll < 0.04 ? 2020 : roll < 0.12 ? 2022 : 2024
}

function releaseOf(die: Random, {platform, role}: Kind, generation: Generation) {
	if (platform === 'mac') return die.pick(macReleases)
	if (platform === 'linux') return die.pick(linuxReleases)
	if (platform === 'ios') return phoneRelease
	if (generation === 2018) return pickAt(legacyReleases, 0)
	if (role === 'instrument') return die.pick(legacyReleases)
	return die.pick(role === 'server' ? serverReleases : desktopReleases)
}

function versionOf(die: Random, platform: Platform, generation: Generation) {
	const versions = connectorVersions[platform]
	if (generation === 2018 && platform === 'windows') return '6.0.9.10685'
	if (generation <= 2020) return pickAt(versions, versions.length - 1)
	return pickAt(versions, Math.floor(die.next() ** 2 * (versions.length - 1)))
}

function hardwareOf(die: Random, platform: Platform, generation: Generation) {
	if (generation === 2018) return ''
	if (platform === 'mac') return die.guid().toUpperCase()
	if (platform !== 'windows') return ''
	return die.chance(0.03) ? '0000000000000000' : die.hex(die.chance(0.3) ? 16 : 15)
}

/** Locally administered addresses, so that none belongs to a real maker. */
function macOf(die: Random) {
	return `02:${(die.hex(10).match(/../g) ?? []).join(':')}`
}

function addressesOf(workshop: Workshop, die: Random, {net}: Department, {role}: Kind, remote: boolean) {
	const first = role === 'server' ? 0 : 16
	const key = `${net}.${first}`
	const serial = (workshop.addresses.get(key) ?? 0) + 1
	workshop.addresses.set(key, serial)
	const address = `10.${net}.${first + Math.floor(serial / 240)}.${10 + (serial % 240)}`
	if (remote) return [`192.168.${die.int(3)}.${20 + die.int(200)}`, ` ${address}`]
	return die.chance(0.06) ? [address, ` 172.16.${net}.${1 + die.int(250)}`] : [address]
}

/** Two of three are online; the rest were last seen between minutes and ninety days ago. */
function contactOf(die: Random, {role}: Kind): Pick<Host, 'online' | 'silentFor' | 'active'> {
	const roll = die.next()
	const onlineShare = role === 'server' ? 0.95 : role === 'laptop' ? 0.55 : 0.7
	if (roll < onlineShare) return {online: true, silentFor: 1 + die.int(heartbeatSeconds - 1), active: true}
	const span = die.pick([day, day, day, day, 7 * day, 7 * day, 30 * day, 90 * day])
	const silentFor = 1200 + Math.floor(die.next() * (span - 1200))
	return {online: false, silentFor, active: !(silentFor > 14 * day && die.chance(0.3))}
}
