/** Playbooks included in Cordon. `docs/reference/playbooks.md` is made from them. */
import {compose, type Line, type Outline} from './compose.ts'
import type {PlaybookDocument} from './document.ts'

let made: readonly PlaybookDocument[] | undefined

/** In the order of the documentation. */
export function library(): readonly PlaybookDocument[] {
	return (made ??= outlines.map(compose))
}

const computer = ['string', 'Computer: host name or GUID'] as const
const reason = ['string', 'Reason for the incident log'] as const
const sha256 = ['sha256-hash', 'SHA-256 of the file'] as const
const text = ['string', ''] as const

const guid: Line = ['do', 'Find computer', 'GET /computers/__computer__:value/guid', {}, 'guid']
const ask = (question: string): Line => ['ask', 'Ask for approval', question]
const isolate: Line = [
	'do',
	'Isolate',
	'PUT /computers/__guid__:value/isolation',
	{comment: '__reason__:value', confirm: '__computer__:value'},
	'status'
]
const until = (state: string): Line => [
	'do',
	`Wait until ${state.replace('_', ' ')}`,
	`GET /computers/__guid__:value/isolation/wait?until=${state}&timeout=3600`,
	{},
	'status'
]
const note = (words: string): Line => ['do', 'Write note', 'POST /incidents/-/entries', {text: words}]
/** A hunt names every computer. The files of one computer are mostly those of all others too, which fit into no variable. */
const seen = (of: string, all = ''): Line => [
	'do',
	'Find affected computers',
	`POST /commands/svc_get_computer_activity?each=q${all}&select=hostname`,
	{q: of},
	'computers'
]
const lists = (kind: string): Line => ['do', 'List file lists', `GET /file-lists/${kind}?all=true&select=guid`, {}, 'lists']

const addHash = (name: string): Line => [
	...(['do', name, 'POST /commands/svc_set_file_list_files_by_sha?each=file_list_guid'] as const),
	{file_list_guid: '__lists__:value', sha256: '__sha256__:value', description: '__reason__:value', reason: '__reason__:value'}
]

/** Asks a person, then isolates. */
export const containEndpoint = 'Contain an endpoint'

const outlines: readonly Outline[] = [
	{
		name: containEndpoint,
		description: 'Isolates a computer after a question and waits for the agent.',
		labels: ['containment'],
		inputs: {computer, reason},
		keeps: {guid: text, status: text},
		lines: [guid, ask('Isolate __computer__:value?'), isolate, until('isolated'), note('__computer__:value is isolated: __reason__:value')]
	},
	{
		name: 'Contain and collect',
		description: 'Isolates a computer and collects its users, hashes and other computers that saw them.',
		labels: ['containment', 'investigation'],
		inputs: {computer, reason},
		keeps: {guid: text, status: text, hashes: text, users: text, computers: text},
		lines: [
			guid,
			ask('Isolate __computer__:value and collect its trajectory?'),
			isolate,
			['do', 'Collect hashes', 'GET /computers/__guid__:value/trajectory?limit=50&select=file.identity.sha256', {}, 'hashes'],
			['do', 'Collect users', 'GET /computers/__guid__:value/trajectory?limit=50&select=user_name', {}, 'users'],
			['if', 'Any hashes?', "__hashes__:value != ''", [seen('__hashes__:value')]],
			note(
				'__computer__:value: __status__:value. Users: __users__:value. Hashes: __hashes__:value. Also seen on (first 500 records of each hash): __computers__:value'
			)
		]
	},
	{
		name: 'Block a hash everywhere',
		description: 'Adds a SHA-256 to every simple custom detection list.',
		labels: ['containment'],
		inputs: {sha256, reason},
		keeps: {lists: text},
		lines: [
			lists('simple_custom_detections'),
			ask('Add __sha256__:value to these lists: __lists__:value?'),
			addHash('Add hash'),
			note('__sha256__:value is on the lists __lists__:value: __reason__:value')
		]
	},
	{
		name: 'Release with checks',
		description: 'Shows the recent detections of an isolated computer, asks, releases it and waits.',
		labels: ['recovery'],
		inputs: {computer, reason},
		keeps: {guid: text, status: text, detections: text},
		lines: [
			guid,
			['do', 'Read state', 'GET /computers/__guid__:value/isolation/status', {}, 'status'],
			[
				'if',
				'Isolated?',
				'__status__:value = isolated',
				[
					['do', 'Count events', 'GET /events?connector_guid=__guid__:value&count=true', {}, 'detections'],
					ask('Release __computer__:value? Events on record: __detections__:value.'),
					['do', 'Release', 'DELETE /computers/__guid__:value/isolation', {comment: '__reason__:value'}, 'status'],
					until('not_isolated')
				]
			],
			note('__computer__:value: __status__:value')
		]
	},
	{
		name: 'Isolate after approval, with lease',
		description: 'Isolates a computer for 24 hours. Cordon releases it at expiry while it runs.',
		labels: ['containment'],
		inputs: {computer, reason},
		keeps: {guid: text, status: text},
		lines: [
			guid,
			ask('Isolate __computer__:value for 24 hours?'),
			[
				'do',
				'Isolate',
				'PUT /computers/__guid__:value/isolation',
				{comment: '__reason__:value', confirm: '__computer__:value', lease: 24, 'auto-release': true},
				'status'
			],
			until('isolated')
		]
	},
	{
		name: 'Hunt indicators',
		description: 'Finds computers that saw any of a list of hashes, addresses, URLs or file names.',
		labels: ['investigation'],
		inputs: {indicators: ['string', 'Indicators, separated by commas']},
		keeps: {computers: text},
		lines: [seen('__indicators__:value', '&all=true'), note('Hunt for __indicators__:value. Seen on: __computers__:value')]
	},
	{
		name: 'Move to triage and back',
		description: 'Moves a computer to a triage group, and back when someone says so.',
		labels: ['investigation'],
		inputs: {computer, reason, group: ['string', 'Triage group: name or GUID']},
		keeps: {guid: text, home: text},
		lines: [
			guid,
			['do', 'Read group', 'GET /computers/__guid__:value?select=group_guid', {}, 'home'],
			ask('Move __computer__:value to __group__:value?'),
			['do', 'Move', 'PUT /computers/__guid__:value/group/__group__:value', {reason: '__reason__:value'}],
			['ask', 'Ask for the way back', 'Move __computer__:value back to its group?'],
			['do', 'Move back', 'PUT /computers/__guid__:value/group/__home__:value', {reason: '__reason__:value'}]
		]
	},
	{
		name: 'Stale and duplicate computers',
		description: 'Lists computers that were not seen for 30 days, and host names that occur twice.',
		labels: ['report'],
		inputs: {days: ['integer', 'Days without contact', '30']},
		keeps: {stale: text, twice: text},
		lines: [
			['do', 'Find stale computers', 'GET /computers?all=true&before=last_seen:__days__:value&select=hostname', {}, 'stale'],
			['do', 'Find duplicates', 'GET /computers?all=true&twice=hostname&select=connector_guid', {}, 'twice'],
			note('Not seen for __days__:value days: __stale__:value. Duplicates: __twice__:value')
		]
	},
	{
		name: 'Failed quarantine follow-up',
		description: 'Lists computers with failed quarantines since a time, and asks which one to isolate.',
		labels: ['investigation'],
		inputs: {since: ['string', 'From this time on, such as 2026-11-23T00:00:00Z'], reason},
		keeps: {computers: text, computer: text, guid: text, status: text},
		lines: [
			[
				'do',
				'Find failed quarantines',
				'GET /events?event_type=2164260880&start_date=__since__:value&all=true&select=computer.hostname',
				{},
				'computers'
			],
			[
				'if',
				'Any?',
				"__computers__:value != ''",
				[
					['ask', 'Choose a computer', 'Failed quarantines: __computers__:value. Which computer to isolate? Answer none to stop.', 'computer'],
					['if', 'Chosen?', '__computer__:value != none', [guid, isolate]]
				]
			],
			note('Failed quarantines since __since__:value: __computers__:value. Isolated: __computer__:value')
		]
	},
	{
		name: 'Policy drift report',
		description: 'Lists computers of a group that do not have the expected policy.',
		labels: ['report'],
		inputs: {group: ['string', 'Group: name or GUID'], policy: ['string', 'Expected policy: name']},
		keeps: {drift: text},
		lines: [
			[
				'do',
				'Find other policies',
				'GET /computers?group_guid=__group__:value&all=true&other=policy.name:__policy__:value&select=hostname',
				{},
				'drift'
			],
			note('Computers of __group__:value without __policy__:value: __drift__:value')
		]
	},
	{
		name: 'End-of-shift handover',
		description: 'Writes isolated computers, pending changes and the number of new events into the incident log.',
		labels: ['report'],
		inputs: {since: ['string', 'Start of the shift, such as 2026-11-23T06:00:00Z']},
		keeps: {isolated: text, pending: text, events: text},
		lines: [
			['do', 'Find isolated computers', 'GET /computers?all=true&same=isolation.status:isolated&select=hostname', {}, 'isolated'],
			['do', 'Find pending changes', 'GET /computers?all=true&same=isolation.status:pending_start&select=hostname', {}, 'pending'],
			['do', 'Count events', 'GET /events?start_date=__since__:value&count=true', {}, 'events'],
			['ask', 'Ask for open points', 'What does the next shift need to know?', 'pending'],
			note('Handover. Isolated: __isolated__:value. Events: __events__:value. Open: __pending__:value')
		]
	},
	{
		name: 'Ransomware: first ten minutes',
		description: 'Isolates the affected computers, blocks the file, and finds out who else saw it.',
		labels: ['containment'],
		inputs: {computers: ['string', 'GUIDs of the affected computers, separated by commas'], sha256, reason},
		keeps: {lists: text, others: text},
		lines: [
			ask('Isolate __computers__:value and block __sha256__:value?'),
			[
				'do',
				'Isolate',
				'POST /commands/svc_put_computers_isolation?each=connector_guid',
				{connector_guid: '__computers__:value', comment: '__reason__:value'}
			],
			lists('simple_custom_detections'),
			addHash('Block file'),
			['do', 'Find others', 'GET /computers/activity?q=__sha256__:value&all=true&select=connector_guid', {}, 'others'],
			[
				'if',
				'Others?',
				"__others__:value != ''",
				[
					['ask', 'Ask for the others', 'Isolate these computers too: __others__:value?'],
					[
						'do',
						'Isolate others',
						'POST /commands/svc_put_computers_isolation?each=connector_guid',
						{connector_guid: '__others__:value', comment: '__reason__:value'}
					]
				]
			],
			note('Isolated: __computers__:value. Blocked: __sha256__:value. Also seen on: __others__:value')
		]
	}
]
