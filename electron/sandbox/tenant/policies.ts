import {random} from './random.ts'

export type Product = 'windows' | 'mac' | 'linux' | 'android' | 'ios'

/** A policy of the tenant; `lists` are the names of its file lists. */
export interface PolicySeed {
	guid: string
	name: string
	product: Product
	description: string
	default: boolean
	serialNumber: number
	lists: readonly string[]
}

type Row = readonly [product: Product, name: string, lists: readonly string[], isDefault?: boolean]

const descriptions: Readonly<Record<string, string>> = {
	Protect: 'This is the standard policy for the connector: malicious files are quarantined and connections are blocked.',
	Audit: 'This policy puts the connector in a mode that only detects; nothing is quarantined.',
	Triage: 'This is an aggressive policy for machines that are thought to be compromised.',
	Server: 'This is a light policy for high availability machines.',
	'Domain Controller': 'This is a light policy for domain controllers. Isolation is off.'
}

const common = ['Known bad files', 'Incident 2024-117', 'Remote administration tools']

const rows: readonly Row[] = [
	['android', 'Audit', []],
	['android', 'Protect', [], true],
	['ios', 'Audit', [], true],
	['ios', 'Protect', []],
	['linux', 'Audit', ['Known bad files'], true],
	['linux', 'Protect', ['Known bad files', 'Linux miners']],
	['linux', 'Server', ['Known bad files', 'Linux miners']],
	['mac', 'Audit', ['Known bad files']],
	['mac', 'Protect', ['Known bad files', 'Mac adware', 'Unwanted applications'], true],
	['mac', 'Triage', ['Known bad files', 'Mac adware']],
	['windows', 'Audit', ['Known bad files']],
	['windows', 'Clinical Workstations', [...common, 'Clinical exceptions', 'Browsers not approved']],
	['windows', 'Domain Controller', ['Known bad files', 'Domain controller tools']],
	['windows', 'Legacy Windows', ['Known bad files']],
	['windows', 'Protect', [...common, 'Unwanted applications'], true],
	['windows', 'Server', [...common, 'Server exceptions']],
	['windows', 'Triage', [...common, 'Unwanted applications', 'Threat feed import']]
]

/** Seventeen policies, in the service's order: by product, then name. */
export function policySeeds(seed: string): readonly PolicySeed[] {
	return rows.map(([product, name, lists, isDefault]) => {
		const die = random(seed, 'policy', product, name)
		const description = descriptions[name] ?? `Settings for ${name.toLowerCase()}.`
		return {guid: die.guid(), name, product, description, default: isDefault === true, serialNumber: 20 + die.int(180), lists}
	})
}

export type ListType = 'application_blocking' | 'simple_custom_detections' | 'allowed_applications'

export interface ListSeed {
	guid: string
	name: string
	type: ListType
	size: number
}

const lists: readonly (readonly [name: string, type: ListType, size: number])[] = [
	['Browsers not approved', 'application_blocking', 14],
	['Domain controller tools', 'application_blocking', 6],
	['Empty blocking list', 'application_blocking', 0],
	['Remote administration tools', 'application_blocking', 63],
	['Unwanted applications', 'application_blocking', 148],
	['Incident 2024-117', 'simple_custom_detections', 9],
	['Known bad files', 'simple_custom_detections', 720],
	['Linux miners', 'simple_custom_detections', 21],
	['Mac adware', 'simple_custom_detections', 37],
	['Red team, exercise 3 (do not delete)', 'simple_custom_detections', 5],
	['Ransomware indicators', 'simple_custom_detections', 512],
	['Threat feed import', 'simple_custom_detections', 4200],
	['Clinical exceptions', 'allowed_applications', 11],
	['Server exceptions', 'allowed_applications', 4]
]

/** Twelve lists of the two kinds that the service can list, and two named only by policies. */
export function listSeeds(seed: string): readonly ListSeed[] {
	return lists.map(([name, type, size]) => ({guid: random(seed, 'list', name).guid(), name, type, size}))
}

export interface ListItem {
	sha256: string
	description?: string
	source: string
}

const notes = ['Seen in mail attachment', 'From the threat feed', 'Reported by the service desk', 'Old version, vulnerable', 'Incident follow-up']

/** The initial hashes of one list, in insertion order. */
export function listItems(seed: string, list: ListSeed): readonly ListItem[] {
	const die = random(seed, 'list items', list.name)
	return Array.from({length: list.size}, () => {
		const sha256 = die.hex(64)
		const source = die.chance(0.7)
			? 'Created by entering SHA-256 via Public api.'
			: `Created by entering SHA-256 via Web from 198.51.100.${1 + die.int(250)}.`
		return die.chance(0.75) ? {sha256, description: die.pick(notes), source} : {sha256, source}
	})
}
