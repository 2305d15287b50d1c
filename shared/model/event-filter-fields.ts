import {fieldNames, type FieldSpec} from './field-names.ts'

/** Fields of the event filter. `any` is a bare word, found in every text of an event. */
export const eventFilterFields = [
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
	'time',
] as const
export type EventFilterField = (typeof eventFilterFields)[number]

export type EventFilterKind = 'text' | 'type' | 'severity' | 'outcome' | 'group' | 'exact' | 'hash' | 'address' | 'time'

export const eventFilterSpecs: Readonly<Record<EventFilterField, FieldSpec<EventFilterKind>>> = {
	any: {title: 'Any', kind: 'text', aliases: [], summary: 'words of any text of the event', ask: null},
	type: {
		title: 'Type',
		kind: 'type',
		aliases: ['event_type', 'event'],
		summary: 'words of the name, or the id',
		ask: {source: 'event_type', take: 'value'},
	},
	severity: {
		title: 'Severity',
		kind: 'severity',
		aliases: ['sev', 'level'],
		summary: 'critical, high, medium, low, none; also >=medium',
		ask: null,
	},
	outcome: {
		title: 'Outcome',
		kind: 'outcome',
		aliases: ['result', 'state'],
		summary: 'open, quarantined, failed, recalled',
		ask: null,
	},
	host: {
		title: 'Computer',
		kind: 'text',
		aliases: ['hostname', 'name', 'computer'],
		summary: 'host name, or words of it',
		ask: {source: 'hostname', take: 'value'},
	},
	user: {title: 'User', kind: 'text', aliases: ['user_name', 'username'], summary: 'user, or words of it', ask: null},
	group: {
		title: 'Group',
		kind: 'group',
		aliases: ['groups', 'group_guid', 'group_name'],
		summary: 'name or GUID of the group at the time of the event',
		ask: {source: 'group', take: 'label'},
	},
	guid: {
		title: 'GUID',
		kind: 'exact',
		aliases: ['connector_guid', 'connector'],
		summary: 'whole GUID of the connector or a group',
		ask: null,
	},
	id: {title: 'Id', kind: 'exact', aliases: ['event_id'], summary: 'whole id of the event or its detection', ask: null},
	detection: {
		title: 'Detection',
		kind: 'text',
		aliases: ['threat', 'detection_name'],
		summary: 'name of the detection, or words of it',
		ask: null,
	},
	detection_id: {
		title: 'Detection id',
		kind: 'exact',
		aliases: ['detectionid'],
		summary: 'all events of one detection',
		ask: null,
	},
	hash: {
		title: 'Hash',
		kind: 'hash',
		aliases: ['sha256', 'sha1', 'md5', 'sha', 'file_hash'],
		summary: 'of the file, its parent or archive member; 4 digits or more',
		ask: null,
	},
	file: {title: 'File', kind: 'text', aliases: ['file_name', 'filename'], summary: 'name of the file or its parent', ask: null},
	path: {
		title: 'Path',
		kind: 'text',
		aliases: ['file_path', 'filepath', 'folder'],
		summary: 'words of the path, in their order',
		ask: null,
	},
	ip: {
		title: 'Address',
		kind: 'address',
		aliases: ['address', 'remote', 'remote_ip', 'external_ip'],
		summary: 'remote or own: 10.3.0.7, 10.3., 10.3.0.0/16',
		ask: null,
	},
	url: {title: 'URL', kind: 'text', aliases: ['dirty_url', 'domain'], summary: 'words of the URL', ask: null},
	details: {
		title: 'Details',
		kind: 'text',
		aliases: ['command_line', 'command', 'cmd', 'text'],
		summary: 'command line, description, tactics, CVE …',
		ask: null,
	},
	time: {
		title: 'Time',
		kind: 'time',
		aliases: ['at', 'date', 'when', 'timestamp'],
		summary: '<1d within, >7d longer ago, or a date',
		ask: null,
	},
}

/** The fields of events by name. */
export const eventFields = fieldNames(eventFilterFields, eventFilterSpecs)
