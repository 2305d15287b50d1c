import {nouns} from '../text/terms.ts'
import {completed, connectorGuid, guid, integer, ipv4, limit, many, offset, required, text} from './arg.ts'
import {defineCommand} from './define.ts'

const computerColumns = [
	['Name', 'hostname'],
	['GUID', 'connector_guid'],
	['Group', 'groups.0.name', 'group_guid'],
	['Operating system', 'operating_system'],
	['Address', 'internal_ips.0'],
	['Last seen', 'last_seen'],
	['Isolation', 'isolation.status']
] as const

const getComputers = defineCommand({
	name: 'svc_get_computers',
	aliases: ['computers'],
	title: 'List computers',
	summary: 'Lists computers, filtered by host name, address or group.',
	risk: 'read',
	request: 'GET /v1/computers',
	args: {
		limit: limit(),
		offset: offset(),
		hostname: completed(many(text('Host name or a part of it; several are OR-ed.')), 'hostname'),
		internal_ip: ipv4('Internal IPv4 address.'),
		external_ip: ipv4('External IPv4 address, as the service saw it.'),
		group_guid: many(guid('Group; several are OR-ed.', 'group'))
	},
	paged: true,
	result: {kind: 'list', noun: nouns.computer, columns: computerColumns},
	examples: ['svc_get_computers limit=10 hostname=FIN-', 'svc_get_computers internal_ip=10.20.4.14']
})

const getComputerByConnector = defineCommand({
	name: 'svc_get_computer_by_connector',
	aliases: ['computer'],
	title: 'Show one computer',
	summary: 'Shows one computer by its connector GUID.',
	risk: 'read',
	request: 'GET /v1/computers/{connector_guid}',
	args: {connector_guid: connectorGuid()},
	positional: 'connector_guid',
	result: {kind: 'record', noun: nouns.computer, columns: computerColumns},
	examples: ['svc_get_computer_by_connector connector_guid=d7fbcdb6-0a14-4e39-867e-02f5e1649497']
})

const getComputerTrajectory = defineCommand({
	name: 'svc_get_computer_trajctory',
	aliases: ['trajectory', 'svc_get_computer_trajectory'],
	title: "Show a computer's trajectory",
	summary: "Lists the newest file, network and cloud events of one computer's trajectory.",
	notes: [
		'A trajectory cannot be paged: limit goes out as it is, and the answer says when the service gave fewer.',
		'q narrows it to an IPv4 address, a SHA-256 or a URL and reaches further back than the newest events.'
	],
	risk: 'read',
	request: 'GET /v1/computers/{connector_guid}/trajectory',
	args: {
		connector_guid: connectorGuid(),
		q: text('IPv4 address, SHA-256 or URL to look for.'),
		limit: integer('Number of newest events (default: set by the service).', 1, 5000)
	},
	positional: 'connector_guid',
	result: {
		kind: 'list',
		noun: nouns.event,
		columns: [
			['Date', 'date'],
			['Event', 'event_type'],
			['File', 'file.file_name'],
			['Disposition', 'file.disposition'],
			['Remote address', 'network_info.remote_ip']
		]
	},
	examples: ['svc_get_computer_trajctory connector_guid=d7fbcdb6-0a14-4e39-867e-02f5e1649497 q=203.0.113.7']
})

const moveComputer = defineCommand({
	name: 'svc_move_computer',
	aliases: ['move'],
	title: 'Move a computer to a group',
	summary: 'Moves one computer to another group.',
	notes: [
		'The answer still names the old policy; the new one shows after the next policy sync of the computer.',
		'It can be undone for 24 hours. If local data is older than 5 minutes, its group is loaded first: one call.'
	],
	risk: 'change',
	guard: {action: 'move', of: 'connector_guid'},
	request: 'PATCH /v1/computers/{connector_guid}',
	args: {connector_guid: connectorGuid(), group_guid: required(guid('The group to move it to.', 'group'))},
	positional: 'connector_guid',
	result: {kind: 'record', noun: nouns.computer, columns: computerColumns},
	examples: ['svc_move_computer connector_guid=d7fbcdb6-0a14-4e39-867e-02f5e1649497 group_guid=0fd176db-c9f8-4741-8909-d48d38c383d6']
})

const getComputerActivity = defineCommand({
	name: 'svc_get_computer_activity',
	title: 'Find computers that saw something',
	summary: 'Lists computers that have seen an IPv4 address, a SHA-256, a file name or a URL.',
	notes: ['The service searches at most its newest 5,000 records; no CIDR ranges.'],
	risk: 'read',
	request: 'GET /v1/computers/activity',
	args: {q: required(text('IPv4 address, SHA-256, file name, or URL or a part of one.')), limit: limit(), offset: offset()},
	positional: 'q',
	paged: true,
	result: {
		kind: 'list',
		noun: nouns.computer,
		columns: [
			['Name', 'hostname'],
			['GUID', 'connector_guid'],
			['Active', 'active']
		]
	},
	examples: ['svc_get_computer_activity q=SearchProtocolHost.exe limit=5']
})

export const computerCommands = [getComputers, getComputerByConnector, getComputerTrajectory, moveComputer, getComputerActivity] as const
