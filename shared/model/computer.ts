import {z} from 'zod'

import {isolationStates} from '../text/states.ts'

import {computerRoleTitles, type ComputerRole} from './guard.ts'
import type {IsolationGlance} from './isolation.ts'

const named = z.looseObject({guid: z.string(), name: z.string()})

/**
 * A computer as listed by the service. Everything except `connector_guid` is optional: records of older generations lack most
 * fields, and unknown fields are kept (API reference, "Computers").
 */
export const computerSchema = z.looseObject({
	connector_guid: z.string(),
	hostname: z.string().optional(),
	active: z.boolean().optional(),
	operating_system: z.string().optional(),
	os_version: z.string().optional(),
	connector_version: z.string().optional(),
	internal_ips: z.array(z.string()).optional(),
	external_ip: z.string().nullish(),
	network_addresses: z.array(z.looseObject({mac: z.string().nullish(), ip: z.string().nullish()})).optional(),
	group_guid: z.string().optional(),
	groups: z.array(named).optional(),
	policy: named.partial().nullish(),
	install_date: z.string().optional(),
	last_seen: z.string().optional(),
	is_compromised: z.boolean().optional(),
	demo: z.boolean().optional(),
	faults: z.array(z.unknown()).optional(),
	isolation: z.looseObject({available: z.boolean(), status: z.string()}).optional(),
	risk_score: z.number().optional()
})
export type Computer = z.infer<typeof computerSchema>

/** One row of the local copy, for screens and completion. Times are ISO 8601 UTC. */
export type ComputerRow = Readonly<{
	guid: string
	hostname: string
	groupGuid: string
	groupName: string
	policyGuid: string
	policyName: string
	os: string
	connectorVersion: string
	internalIps: readonly string[]
	externalIp: string
	macs: readonly string[]
	lastSeen: string | null
	installDate: string | null
	compromised: boolean
	active: boolean
	isolation: IsolationGlance
	/** When this row was last read from the service. */
	readAt: string
	/** When its isolation state was last read; a poll reads only that. */
	isolationReadAt: string
	/** When a complete listing first lacked it; it may have been deleted elsewhere. */
	vanishedAt: string | null
	/** Whether several local computers have this host name. */
	duplicate: boolean
	/** Whether its record has undocumented parts (`odd.ts`). */
	odd: boolean
	/** Tags and roles assigned here; unknown to the service. */
	tags: readonly string[]
	roles: readonly ComputerRole[]
	/** Roles suggested by its name and system, besides assigned ones. */
	guessedRoles: readonly ComputerRole[]
}>

export const computerColumns = [
	'hostname',
	'group',
	'policy',
	'os',
	'connector',
	'last_seen',
	'internal_ip',
	'external_ip',
	'mac',
	'isolation',
	'compromised',
	'installed',
	'tags',
	'role',
	'guid'
] as const
export type ComputerColumn = (typeof computerColumns)[number]

export const computerColumnTitles: Readonly<Record<ComputerColumn, string>> = {
	hostname: 'Name',
	group: 'Group',
	policy: 'Policy',
	os: 'Operating system',
	connector: 'Connector',
	last_seen: 'Last seen',
	internal_ip: 'Address',
	external_ip: 'External address',
	mac: 'MAC',
	isolation: 'Isolation',
	compromised: 'Compromised',
	installed: 'Installed',
	tags: 'Tags',
	role: 'Role',
	guid: 'GUID'
}

/** A table column as set by the operator: a width in pixels, or automatic. */
export interface ChosenColumn {
	readonly column: ComputerColumn
	readonly width: number | null
}

/** Columns from their stored form, such as `hostname` or `os=220`; drops unknown and repeated ones. */
export function readColumns(stored: readonly string[]): readonly ChosenColumn[] {
	const read = stored.flatMap(text => {
		const [id = '', width = ''] = text.split('=')
		const column = computerColumns.find(each => each === id)
		return column === undefined ? [] : [{column, width: /^\d{2,4}$/.test(width) ? Number(width) : null}]
	})
	return read.filter(({column}, at) => read.findIndex(each => each.column === column) === at)
}

export function writeColumns(columns: readonly ChosenColumn[]): readonly string[] {
	return columns.map(({column, width}) => (width === null ? column : `${column}=${width}`))
}

/** Assigned, or guessed from name and system and marked so; `null` for neither. */
export function roleTold(row: Pick<ComputerRow, 'roles' | 'guessedRoles'>): string | null {
	if (row.roles.length > 0) return rolesInWords(row)
	return row.guessedRoles.length === 0 ? null : `probably ${rolesInWords(row).replaceAll('?', '')} (a guess)`
}

/** The roles of a computer in words; guesses are marked. */
export function rolesInWords({roles, guessedRoles}: Pick<ComputerRow, 'roles' | 'guessedRoles'>) {
	const given = roles.map(role => computerRoleTitles[role])
	return given.length > 0 ? given.join(', ') : guessedRoles.map(role => `${computerRoleTitles[role]}?`).join(', ')
}

/** The cells of a row as text, for exports and copying. */
export const computerCells: Readonly<Record<ComputerColumn, (row: ComputerRow) => string>> = {
	hostname: row => row.hostname,
	group: row => row.groupName,
	policy: row => row.policyName,
	os: row => row.os,
	connector: row => row.connectorVersion,
	last_seen: row => row.lastSeen ?? '',
	internal_ip: row => row.internalIps.join(', '),
	external_ip: row => row.externalIp,
	mac: row => row.macs.join(', '),
	isolation: row => isolationStates[row.isolation].word,
	compromised: row => (row.compromised ? 'yes' : 'no'),
	installed: row => row.installDate ?? '',
	tags: row => row.tags.join(', '),
	role: rolesInWords,
	guid: row => row.guid
}

/** A row in words, for screen readers and copying. */
export function describeComputer(row: ComputerRow) {
	const flags = row.compromised ? ', compromised' : ''
	return `${row.hostname}, isolation: ${isolationStates[row.isolation].word}${flags}`
}
