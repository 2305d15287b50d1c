/** Names of things: one word for a concept, in every place that a person reads. */
import type {Forms} from './numbers.ts'

/** Numbers of the overview. */
export const tileTitles = {
	computers: 'Computers',
	seen_24h: 'Seen in 24 h',
	stale_30d: 'Not seen for 30 d',
	compromised: 'Compromised',
	isolated: 'Isolated',
	pending: 'Pending changes',
	behind: 'Old connector'
} as const

export type TileKind = keyof typeof tileTitles

export const nouns = {
	action: ['action', 'actions'],
	call: ['call', 'calls'],
	change: ['change', 'changes'],
	computer: ['computer', 'computers'],
	connection: ['connection', 'connections'],
	day: ['day', 'days'],
	detection: ['detection', 'detections'],
	entry: ['entry', 'entries'],
	line: ['line', 'lines'],
	error: ['error', 'errors'],
	event: ['event', 'events'],
	file: ['file', 'files'],
	fileList: ['file list', 'file lists'],
	group: ['group', 'groups'],
	hash: ['hash', 'hashes'],
	hour: ['hour', 'hours'],
	instance: ['instance', 'instances'],
	job: ['job', 'jobs'],
	policy: ['policy', 'policies'],
	reading: ['reading', 'readings'],
	request: ['request', 'requests'],
	row: ['row', 'rows'],
	target: ['target', 'targets'],
	value: ['value', 'values']
} as const satisfies Readonly<Record<string, Forms>>
