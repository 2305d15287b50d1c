import {fieldNames, type FieldSpec, spec} from './field-names.ts'

/** Fields of the event filter. `any` is a bare word, found in every text of an event. */
const eventFilterFields = [
	'any',
	'type',
	'severity',
	'outcome',
	'host',
	'user',
	'group',
	'guid',
	'id',
	'detection',
	'detection_id',
	'hash',
	'file',
	'path',
	'ip',
	'url',
	'details',
	'time'
] as const
export type EventFilterField = (typeof eventFilterFields)[number]

export type EventFilterKind = 'text' | 'type' | 'severity' | 'outcome' | 'group' | 'exact' | 'hash' | 'address' | 'time'

export const eventFilterSpecs: Readonly<Record<EventFilterField, FieldSpec<EventFilterKind>>> = {
	any: spec('Any', 'text', [], 'words of any text of the event'),
	type: spec('Type', 'type', ['event_type', 'event'], 'words of the name, or the id', {source: 'event_type', take: 'value'}),
	severity: spec('Severity', 'severity', ['sev', 'level'], 'critical, high, medium, low, none; also >=medium'),
	outcome: spec('Outcome', 'outcome', ['result', 'state'], 'open, quarantined, failed, recalled'),
	host: spec('Computer', 'text', ['hostname', 'name', 'computer'], 'host name, or words of it', {source: 'hostname', take: 'value'}),
	user: spec('User', 'text', ['user_name', 'username'], 'user, or words of it'),
	group: spec('Group', 'group', ['groups', 'group_guid', 'group_name'], 'name or GUID of the group at the time of the event', {
		source: 'group',
		take: 'label'
	}),
	guid: spec('GUID', 'exact', ['connector_guid', 'connector'], 'whole GUID of the connector or a group'),
	id: spec('Id', 'exact', ['event_id'], 'whole id of the event or its detection'),
	detection: spec('Detection', 'text', ['threat', 'detection_name'], 'name of the detection, or words of it'),
	detection_id: spec('Detection id', 'exact', ['detectionid'], 'all events of one detection'),
	hash: spec('Hash', 'hash', ['sha256', 'sha1', 'md5', 'sha', 'file_hash'], 'of the file, its parent or archive member; 4 digits or more'),
	file: spec('File', 'text', ['file_name', 'filename'], 'name of the file or its parent'),
	path: spec('Path', 'text', ['file_path', 'filepath', 'folder'], 'words of the path, in their order'),
	ip: spec('Address', 'address', ['address', 'remote', 'remote_ip', 'external_ip'], 'remote or own: 10.3.0.7, 10.3., 10.3.0.0/16'),
	url: spec('URL', 'text', ['dirty_url', 'domain'], 'words of the URL'),
	details: spec('Details', 'text', ['command_line', 'command', 'cmd', 'text'], 'command line, description, tactics, CVE …'),
	time: spec('Time', 'time', ['at', 'date', 'when', 'timestamp'], '<1d within, >7d longer ago, or a date')
}

export const eventFields = fieldNames(eventFilterFields, eventFilterSpecs)
