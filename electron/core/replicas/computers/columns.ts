import type {Computer, ComputerRow} from '#model/computer.ts'
import {guessRoles} from '#model/computer-role.ts'
import {stringifyExact} from '#model/exact-json.ts'
import {ipv4Number} from '#model/filter-values.ts'
import {fold} from '#model/fold.ts'
import {glanceOf, type IsolationGlance} from '#model/glance.ts'
import {computerRoles} from '#model/guard.ts'
import {oddOf} from '#model/odd.ts'
import {noLabels, type ComputerLabels} from '#model/label.ts'

import {redact} from '#base/redact.ts'

/** What a record says, as columns. Isolation is apart because it has readings of its own. */
export type RecordColumns = ReturnType<typeof columnsOf>

export type IsolationColumns = ReturnType<typeof isolationColumns>

/** A stored computer with all its columns. */
export interface StoredComputer extends RecordColumns, IsolationColumns {
	readonly id: number
	readonly guid: string
	readonly isolation_at: number
	readonly state_since: number
	readonly read_at: number
	readonly vanished_at: number | null
	readonly duplicate: number
}

/** The order of the isolation column: what needs eyes comes first. Ranks 1 and 2 are the pending states. */
export const glanceRanks: Readonly<Record<IsolationGlance, number>> = {
	pending_start: 1,
	pending_stop: 2,
	isolated: 3,
	not_isolated: 4,
	unavailable: 5,
	unknown: 6
}

/** Lists within one column; no address and no MAC holds this. */
const separator = '\n'

/** `groupName` is what the groups listing says; it comes first, so that all members of a group show one name. */
export function columnsOf(record: Computer, groupName: (guid: string) => string | undefined) {
	const hostname = record.hostname?.trim() ?? ''
	const group = groupOf(record, groupName)
	const policy = {guid: record.policy?.guid ?? '', name: record.policy?.name ?? ''}
	const os = record.operating_system ?? ''
	const ips = clean(record.internal_ips ?? [])
	const external = record.external_ip?.trim() ?? ''
	const connector = record.connector_version ?? ''
	return {
		hostname,
		host_fold: fold(hostname),
		name_key: naturalKey(hostname),
		group_guid: group.guid,
		group_name: group.name,
		group_fold: fold(group.name),
		policy_guid: policy.guid,
		policy_name: policy.name,
		policy_fold: fold(policy.name),
		os,
		os_fold: fold(os),
		os_version: fold(record.os_version ?? ''),
		os_key: naturalKey(os),
		connector,
		connector_key: naturalKey(connector),
		ips: ips.join(separator),
		ip_num: ipv4Number(ips[0] ?? '') ?? null,
		ip_key: addressKey(ips[0] ?? ''),
		external_ip: external,
		external_num: ipv4Number(external) ?? null,
		external_key: addressKey(external),
		macs: clean((record.network_addresses ?? []).map(address => address.mac ?? '')).join(separator),
		last_seen: timeOf(record.last_seen),
		installed: timeOf(record.install_date),
		compromised: record.is_compromised === true ? 1 : 0,
		active: record.active === false ? 0 : 1,
		/** Roles that name and system suggest, each between commas. */
		guess: guessRoles({hostname, os}).reduce((text, role) => `${text}${role},`, ','),
		odd: oddOf(record) === undefined ? 0 : 1
	}
}

function groupOf(record: Computer, groupName: (guid: string) => string | undefined) {
	const guid = record.group_guid ?? record.groups?.[0]?.guid ?? ''
	const own = record.groups?.find(group => group.guid === guid)?.name
	return {guid, name: groupName(guid) ?? own ?? ''}
}

export function isolationColumns(isolation: {available: boolean; status: string}) {
	const glance = glanceOf(isolation)
	return {glance, rank: glanceRanks[glance], available: isolation.available ? 1 : 0, status: isolation.status}
}

/** Of a computer whose isolation has not been read yet. */
export const unknownIsolation: IsolationColumns = {glance: 'unknown', rank: glanceRanks.unknown, available: 0, status: ''}

/** What a bare word of the filter looks at: lines, each with a line feed before it. */
export type SearchTexts = ReturnType<typeof searchTexts>

export function searchTexts(guid: string, columns: RecordColumns) {
	const macs = listOf(columns.macs).map(macDigits)
	const lines = [fold(guid), ...listOf(fold(columns.ips)), columns.external_ip, ...macs, ...macs.map(colons)]
	return {
		host: asLines([columns.host_fold]),
		/** GUID, addresses and MACs, as far as they have no letters but those of numbers. */
		numbers: asLines(lines.filter(line => asInNumbers.test(line))),
		/** Other addresses, and the group. */
		others: asLines([...lines.filter(line => !asInNumbers.test(line)), columns.group_fold])
	}
}

function asLines(texts: readonly string[]) {
	return texts.map(text => (text === '' ? '' : `\n${text}`)).join('')
}

/** Addresses, MACs and GUIDs hold nothing else; what has another letter can only be part of a name. */
export const asInNumbers = /^[0-9a-f.:%-]*$/

export function rowOf(stored: StoredComputer, {tags, roles}: ComputerLabels = noLabels): ComputerRow {
	return {
		guid: stored.guid,
		hostname: stored.hostname,
		groupGuid: stored.group_guid,
		groupName: stored.group_name,
		policyGuid: stored.policy_guid,
		policyName: stored.policy_name,
		os: stored.os,
		connectorVersion: stored.connector,
		internalIps: listOf(stored.ips),
		externalIp: stored.external_ip,
		macs: listOf(stored.macs),
		lastSeen: isoOf(stored.last_seen),
		installDate: isoOf(stored.installed),
		compromised: stored.compromised === 1,
		active: stored.active === 1,
		isolation: stored.glance,
		readAt: new Date(stored.read_at).toISOString(),
		isolationReadAt: new Date(stored.isolation_at).toISOString(),
		vanishedAt: isoOf(stored.vanished_at),
		duplicate: stored.duplicate === 1,
		odd: stored.odd === 1,
		tags,
		roles,
		guessedRoles: computerRoles.filter(role => stored.guess.includes(`,${role},`) && !roles.includes(role))
	}
}

/** The service's record as text, every digit kept. Listings hold no unlock code; should one come, it stays out. */
export function jsonOf(record: Computer): string {
	const text = stringifyExact(record)
	return /unlock[-_]?code/i.test(text) ? stringifyExact(redact(record)) : text
}

export function listOf(joined: string): readonly string[] {
	return joined === '' ? [] : joined.split(separator)
}

export function macDigits(text: string) {
	return fold(text).replaceAll(/[^0-9a-f]/g, '')
}

function colons(digits: string) {
	return digits.match(/..?/g)?.join(':') ?? ''
}

/** Orders `ws-9` before `ws-10`: every number carries its length in front. */
export function naturalKey(text: string) {
	return fold(text).replaceAll(/\d+/g, digits => {
		const bare = digits.replace(/^0+(?=\d)/, '')
		return `${String(Math.min(bare.length, 99)).padStart(2, '0')}${bare}`
	})
}

/** IPv4 by number, then everything else by text; empty sorts first here and last in every list. */
function addressKey(text: string) {
	const number = ipv4Number(text)
	if (number !== undefined) return numberKey(number)
	return text === '' ? '' : `6${fold(text)}`
}

/** Keys are in the order of the numbers. */
export function numberKey(address: number) {
	return `4${address.toString(16).padStart(8, '0')}`
}

/** Later elements of `internal_ips` begin with a blank, and some are empty (API reference, "Computers"). */
function clean(values: readonly string[]) {
	return [...new Set(values.map(value => value.replaceAll(/\s/g, '')).filter(value => value !== ''))]
}

/** Before any agent: services write a time that was never set as the year 1, or as 1970. */
const earliest = Date.UTC(2000, 0)

function timeOf(text: string | undefined) {
	const time = Date.parse(text ?? '')
	return time >= earliest ? time : null
}

export function isoOf(time: number | null): string | null {
	return time === null ? null : new Date(time).toISOString()
}
