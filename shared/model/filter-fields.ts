import {fieldNames, type FieldSpec, spec} from './field-names.ts'
import {filterFields, type FilterField} from './filter-term.ts'

export type FilterKind = 'text' | 'role' | 'version' | 'address' | 'mac' | 'state' | 'flag' | 'time'

export const filterFieldSpecs: Readonly<Record<FilterField, FieldSpec<FilterKind>>> = {
	any: spec('Any', 'text', [], 'name, address, MAC, GUID or group contains'),
	name: spec('Name', 'text', ['hostname', 'host', 'computer'], 'host name', {source: 'hostname', take: 'value'}),
	group: spec('Group', 'text', ['groups', 'group_name'], 'name or GUID of the group', {source: 'group', take: 'label'}),
	policy: spec('Policy', 'text', ['policies', 'policy_name'], 'name or GUID of the policy', {source: 'policy', take: 'label'}),
	os: spec('Operating system', 'text', ['operating_system', 'os_version', 'system'], 'operating system or its version'),
	connector: spec('Connector', 'version', ['connector_version', 'version', 'agent'], 'connector version, also < and >'),
	ip: spec('Address', 'address', ['internal_ip', 'address', 'internal'], '10.3.0.7, 10.3., 10.3.0.0/16 or 10.3.*'),
	external_ip: spec('External address', 'address', ['external', 'public_ip'], 'as for ip'),
	mac: spec('MAC', 'mac', ['mac_address'], 'whole or part, with any separators'),
	guid: spec('GUID', 'text', ['connector_guid', 'id'], 'connector GUID'),
	isolation: spec('Isolation', 'state', ['state', 'isolated'], 'isolated, pending*, not_isolated …'),
	state_since: spec('Isolation state since', 'time', ['since'], 'as for last_seen'),
	compromised: spec('Compromised', 'flag', ['is_compromised'], 'yes or no'),
	last_seen: spec('Last seen', 'time', ['seen', 'lastseen'], '>7d longer ago, <1h within, or a date'),
	installed: spec('Installed', 'time', ['install_date', 'install'], 'as for last_seen'),
	duplicate: spec('Duplicate name', 'flag', ['duplicates', 'dup'], 'yes or no'),
	duplicate_mac: spec('Duplicate MAC', 'flag', ['mac_duplicate', 'dup_mac'], 'shares a MAC with another computer: yes or no'),
	active: spec('Active', 'flag', ['is_active'], 'connector installed: yes or no'),
	vanished: spec('Vanished', 'flag', ['gone', 'deleted'], 'no longer listed by the service: yes or no; hidden unless asked for'),
	tag: spec('Tag', 'text', ['tags', 'label', 'labels'], 'a tag of yours, or part of it', {source: 'tag', take: 'value'}),
	role: spec('Role', 'role', ['roles'], 'given by a person: dc, hypervisor, server, infra, jump, vip'),
	guess: spec('Probable role', 'role', ['guessed', 'guessed_role'], 'as name and operating system suggest'),
	odd: spec('Odd record', 'flag', ['oddity'], 'the service gave a field in an undocumented way: yes or no')
}

export const computerFields = fieldNames(filterFields, filterFieldSpecs)
