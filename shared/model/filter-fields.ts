import {fieldNames, type FieldSpec} from './field-names.ts'
import {filterFields, type FilterField} from './filter-term.ts'

export type FilterKind = 'text' | 'role' | 'version' | 'address' | 'mac' | 'state' | 'flag' | 'time'

export const filterFieldSpecs: Readonly<Record<FilterField, FieldSpec<FilterKind>>> = {
	any: {title: 'Any', kind: 'text', aliases: [], summary: 'name, address, MAC, GUID or group contains', ask: null},
	name: {
		title: 'Name',
		kind: 'text',
		aliases: ['hostname', 'host', 'computer'],
		summary: 'host name',
		ask: {source: 'hostname', take: 'value'},
	},
	group: {
		title: 'Group',
		kind: 'text',
		aliases: ['groups', 'group_name'],
		summary: 'name or GUID of the group',
		ask: {source: 'group', take: 'label'},
	},
	policy: {
		title: 'Policy',
		kind: 'text',
		aliases: ['policies', 'policy_name'],
		summary: 'name or GUID of the policy',
		ask: {source: 'policy', take: 'label'},
	},
	os: {
		title: 'Operating system',
		kind: 'text',
		aliases: ['operating_system', 'os_version', 'system'],
		summary: 'operating system or its version',
		ask: null,
	},
	connector: {
		title: 'Connector',
		kind: 'version',
		aliases: ['connector_version', 'version', 'agent'],
		summary: 'connector version, also < and >',
		ask: null,
	},
	ip: {
		title: 'Address',
		kind: 'address',
		aliases: ['internal_ip', 'address', 'internal'],
		summary: '10.3.0.7, 10.3., 10.3.0.0/16 or 10.3.*',
		ask: null,
	},
	external_ip: {title: 'External address', kind: 'address', aliases: ['external', 'public_ip'], summary: 'as for ip', ask: null},
	mac: {title: 'MAC', kind: 'mac', aliases: ['mac_address'], summary: 'whole or part, with any separators', ask: null},
	guid: {title: 'GUID', kind: 'text', aliases: ['connector_guid', 'id'], summary: 'connector GUID', ask: null},
	isolation: {
		title: 'Isolation',
		kind: 'state',
		aliases: ['state', 'isolated'],
		summary: 'isolated, pending*, not_isolated …',
		ask: null,
	},
	compromised: {title: 'Compromised', kind: 'flag', aliases: ['is_compromised'], summary: 'yes or no', ask: null},
	last_seen: {
		title: 'Last seen',
		kind: 'time',
		aliases: ['seen', 'lastseen'],
		summary: '>7d longer ago, <1h within, or a date',
		ask: null,
	},
	installed: {title: 'Installed', kind: 'time', aliases: ['install_date', 'install'], summary: 'as for last_seen', ask: null},
	duplicate: {title: 'Duplicate name', kind: 'flag', aliases: ['duplicates', 'dup'], summary: 'yes or no', ask: null},
	duplicate_mac: {
		title: 'Duplicate MAC',
		kind: 'flag',
		aliases: ['mac_duplicate', 'dup_mac'],
		summary: 'shares a MAC with another computer: yes or no',
		ask: null,
	},
	active: {title: 'Active', kind: 'flag', aliases: ['is_active'], summary: 'connector installed: yes or no', ask: null},
	vanished: {
		title: 'Vanished',
		kind: 'flag',
		aliases: ['gone', 'deleted'],
		summary: 'no longer listed by the service: yes or no; hidden unless asked for',
		ask: null,
	},
	tag: {
		title: 'Tag',
		kind: 'text',
		aliases: ['tags', 'label', 'labels'],
		summary: 'a tag of yours, or part of it',
		ask: {source: 'tag', take: 'value'},
	},
	role: {
		title: 'Role',
		kind: 'role',
		aliases: ['roles'],
		summary: 'given by a person: dc, hypervisor, server, infra, jump, vip',
		ask: null,
	},
	guess: {
		title: 'Probable role',
		kind: 'role',
		aliases: ['guessed', 'guessed_role'],
		summary: 'as name and operating system suggest',
		ask: null,
	},
}

/** The fields of the computers list by name. */
export const computerFields = fieldNames(filterFields, filterFieldSpecs)
