import type {Product} from './policies.ts'
import {random} from './random.ts'

/** A group at the start. `policies` are those set on the group itself; the others are inherited. */
export interface GroupSeed {
	guid: string
	name: string
	description: string
	source: string | null
	/** Index of the direct parent. */
	parent: number | undefined
	policies: Readonly<Partial<Record<Product, string>>>
	/** Seconds between its creation and the start. */
	age: number
}

type Assigned = Readonly<Partial<Record<Product, string>>>
type Row = readonly [name: string, parent: string | null, policies?: Assigned]

const protect: Assigned = {windows: 'Protect', mac: 'Protect', linux: 'Protect', android: 'Protect', ios: 'Protect'}
const audit: Assigned = {windows: 'Audit', mac: 'Audit', linux: 'Audit', android: 'Audit', ios: 'Audit'}
const triage: Assigned = {...protect, windows: 'Triage', mac: 'Triage'}
const servers: Assigned = {windows: 'Server', linux: 'Server'}
const clinical: Assigned = {windows: 'Clinical Workstations'}

const rows: readonly Row[] = [
	['Audit', null, audit],
	['Domain Controller', null, {...protect, windows: 'Domain Controller', linux: 'Server'}],
	['Protect', null, protect],
	['Server', null, {...protect, ...servers}],
	['Triage', null, triage],
	['Corporate', null, protect],
	['Finance', 'Corporate'],
	['Finance Laptops', 'Finance'],
	['Finance Workstations', 'Finance'],
	['Finance Servers', 'Finance', servers],
	['Human Resources', 'Corporate'],
	['Legal', 'Corporate'],
	['Marketing', 'Corporate'],
	['Corporate Servers', 'Corporate', servers],
	['Hospital', null, {...protect, ...clinical}],
	['Wards', 'Hospital'],
	['Ward Workstations', 'Wards'],
	['Medication Carts', 'Wards'],
	['Check-in Kiosks', 'Wards'],
	['Doctors', 'Hospital', {windows: 'Protect'}],
	['Radiology', 'Hospital'],
	['Reading Rooms', 'Radiology'],
	['Imaging Devices', 'Radiology', {windows: 'Legacy Windows'}],
	['Radiology Servers', 'Radiology', servers],
	['PACS', 'Radiology', {windows: 'Server'}],
	['Laboratory', 'Hospital'],
	['Laboratory Instruments', 'Laboratory', {windows: 'Legacy Windows'}],
	['Laboratory Servers', 'Laboratory', servers],
	['Pharmacy', 'Hospital'],
	['Technology', null, protect],
	['Engineering', 'Technology'],
	['Developers', 'Engineering'],
	['Mac Developers', 'Engineering'],
	['Linux Workstations', 'Engineering'],
	['Build Servers', 'Engineering', servers],
	['Operations', 'Technology'],
	['Operations Servers', 'Operations', servers],
	['Linux Servers', 'Operations', servers],
	['IT Services', 'Technology'],
	['Research', 'Technology'],
	['Research Cluster', 'Research', servers],
	['Mobile Devices', null, protect],
	['Incident Response', null, triage],
	['Quarantine', 'Incident Response']
]

const day = 86_400

/** Groups of the hospital; further ones are generated. */
export const ownGroups = rows.length

/** A tree of `count` groups, at least the 44 of the hospital; parents precede children. */
export function groupSeeds(seed: string, count: number = ownGroups): readonly GroupSeed[] {
	return [...hospitalGroups(seed), ...siteGroups(seed, count - ownGroups)]
}

const groupsOfSite = 10

/** Sites of a large tenant: each is below a hospital group and has nine rooms. */
function siteGroups(seed: string, count: number) {
	return Array.from({length: Math.max(0, count)}, (_, index) => {
		const die = random(seed, 'site', index)
		const room = index % groupsOfSite
		const number = Math.floor(index / groupsOfSite)
		const site = `Site ${String(number + 1).padStart(3, '0')}`
		return {
			guid: die.guid(),
			name: room === 0 ? site : `${site}, room ${room}`,
			description: 'St Barnaby: a site that was taken over',
			source: null,
			parent: room === 0 ? number % ownGroups : ownGroups + number * groupsOfSite,
			policies: room === 1 ? audit : {},
			age: 100 * day + die.int(300 * day)
		}
	})
}

/** In a large tenant every other computer is in a site below its own group, chosen by group and computer number. */
export function sitesOf(groups: readonly GroupSeed[]): (group: number, host: number) => number {
	const sites = new Map<number, number[]>()
	for (const [index, {parent}] of groups.entries())
		if (index >= ownGroups && parent !== undefined) sites.set(parent, [...(sites.get(parent) ?? []), index])
	return (group, host) => {
		const below = sites.get(group) ?? []
		const site = below[host % Math.max(1, below.length)]
		if (host % 2 === 0 || site === undefined) return group
		return Math.min(site + (host % groupsOfSite), groups.length - 1)
	}
}

function hospitalGroups(seed: string) {
	const indexes = new Map(rows.map(([name], index) => [name, index]))
	return rows.map(([name, parent, policies], index) => {
		const die = random(seed, 'group', name)
		const synced = parent === 'Corporate'
		return {
			guid: die.guid(),
			name,
			description: index < 5 ? `${name} Group for St Barnaby` : `${parent === null ? 'St Barnaby' : parent}: ${name}`,
			source: synced ? 'Created by directory synchronisation' : null,
			parent: parent === null ? undefined : indexes.get(parent),
			policies: policies ?? {},
			age: 400 * day + die.int(900 * day)
		}
	})
}
