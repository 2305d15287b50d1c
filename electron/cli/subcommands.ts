/** Commands beyond the catalogue: parsing, help and completion are derived from these declarations. */
import type {OptionSpec, SubcommandSpec} from './subcommand-spec.ts'
import {approvalSubcommands} from './subcommands-approvals.ts'
import {connectionSubcommands} from './subcommands-connections.ts'
import {forwardingSubcommands} from './subcommands-forwarding.ts'
import {jobSubcommands} from './subcommands-jobs.ts'
import {logSubcommands} from './subcommands-log.ts'
import {playbookSubcommands} from './subcommands-playbook.ts'

/** The subcommands of targets. */
const name = [{name: 'NAME', required: true}] as const

const options: Readonly<Record<string, OptionSpec>> = {
	file: {takes: 'text', value: 'PATH', summary: 'Send to this file, as JSON Lines; it is rotated.'},
	syslog: {takes: 'text', value: 'HOST[:PORT]', summary: 'Send to this syslog receiver over TLS (default port: 6514).'},
	webhook: {takes: 'text', value: 'URL', summary: 'Send to this HTTPS address, as signed CloudEvents.'},
	events: {takes: 'nothing', summary: 'Send stored events of the connection.'},
	filter: {takes: 'text', value: 'FILTER', summary: 'Only events that match, as on the screen Events.'},
	log: {takes: 'nothing', summary: 'Send entries of the incident log.'},
	text: {takes: 'text', value: 'WORDS', summary: 'Only entries with these words.'},
	'changes-only': {takes: 'nothing', summary: 'Only entries of changes.'},
	format: {
		takes: 'text',
		value: 'FORMAT',
		choices: ['ocsf', 'as_is'],
		summary: 'OCSF 1.8, or records as they are (default: ocsf).',
	},
	private: {takes: 'nothing', summary: 'Allow a private address, or one of this computer.'},
	'ca-file': {takes: 'text', value: 'FILE', summary: 'Trust the certificate authorities in this PEM file too.'},
	'secret-file': {
		takes: 'text',
		value: 'FILE',
		summary: "A file with the webhook's signing secret (default: a new one, shown once).",
	},
}

const targetSubcommands: readonly SubcommandSpec[] = [
	{name: 'targets list', summary: 'List where events and log entries go onwards to, with backlogs.', words: [], options: {}},
	{
		name: 'targets add',
		summary: 'Add a target: a file, a syslog receiver or a webhook.',
		words: name,
		options: {...options, 'from-beginning': {takes: 'nothing', summary: 'Begin with what is stored, not with what comes.'}},
	},
	{name: 'targets set', summary: 'Change a target; options not given stay as they are.', words: name, options},
	{name: 'targets enable', summary: 'Send to a target again.', words: name, options: {}},
	{name: 'targets disable', summary: 'Stop sending to a target; its backlog waits.', words: name, options: {}},
	{name: 'targets remove', summary: 'Remove a target.', words: name, options: {}},
	{name: 'targets test', summary: 'Send one message that says that it is a test.', words: name, options: {}},
	{
		name: 'targets refused',
		summary: 'Show what a target refused for good.',
		words: name,
		options: {limit: {takes: 'text', value: 'N', summary: 'How many at most, newest first.'}},
	},
	{name: 'targets run', summary: 'Send to all targets until stopped, where no console runs.', words: [], options: {}},
]

/** The subcommands of whole file lists. */
const list = {name: 'LIST', required: true} as const

const file: OptionSpec = {
	takes: 'text',
	value: 'FILE',
	summary: 'A file with hashes: text, CSV or a STIX 2.1 bundle. - reads standard input.',
}

const listSubcommands: readonly SubcommandSpec[] = [
	{
		name: 'list import',
		summary: 'Put the hashes of a file on a list, or take them off it, as one job.',
		words: [list],
		options: {
			file,
			remove: {takes: 'nothing', summary: 'Take them off the list instead.'},
			reason: {takes: 'text', value: 'TEXT', summary: 'Why; it goes into the log.'},
			'dry-run': {takes: 'nothing', summary: 'Show the plan, and send nothing.'},
			plan: {takes: 'text', value: 'FILE', summary: 'Write the plan to a file, and send nothing.'},
			apply: {takes: 'text', value: 'FILE', summary: 'Apply a plan from a file: it brings its hashes and its reason.'},
			confirm: {
				takes: 'text',
				value: 'TEXT',
				summary: 'The number of hashes, or the beginning of the only one, where a confirmation is asked for.',
			},
		},
	},
	{
		name: 'list export',
		summary: 'Write the hashes of a list to standard output, as the service has them now.',
		words: [list],
		options: {format: {takes: 'text', value: 'FORMAT', summary: 'How to write them (csv without it).', choices: ['csv', 'json']}},
	},
	{
		name: 'list diff',
		summary: 'Tell which hashes are only on a list, and which only in a file or on another list.',
		words: [list],
		options: {file, with: {takes: 'text', value: 'LIST', summary: 'Another list, in place of a file.'}},
	},
]

/** The subcommands of event streams. */
const streamSubcommands: readonly SubcommandSpec[] = [
	{name: 'stream list', summary: 'List the event streams of the organisation; it may have five.', words: [], options: {}},
	{
		name: 'stream create',
		summary: 'Create an event stream for this profile; its password goes into the secret store.',
		words: [],
		options: {
			name: {takes: 'text', value: 'NAME', summary: 'Its name at the service (your user name without it).'},
			'event-type': {takes: 'text', value: 'ID', summary: 'Only events of this type (all without it).', many: true},
			group: {takes: 'text', value: 'GUID', summary: 'Only events of this group (all without it).', many: true},
		},
	},
	{
		name: 'stream delete',
		summary: 'Delete the event stream of this profile, or the one with that ID.',
		words: [{name: 'ID', required: false}],
		options: {},
	},
	{name: 'stream follow', summary: 'Store events as they happen, until stopped.', words: [], options: {}},
	{
		name: 'stream status',
		summary: 'Show whether the event stream is live, its last message and its lag.',
		words: [],
		options: {},
	},
	{
		name: 'stream unreadable',
		summary: 'Show messages of the event stream that are no event.',
		words: [],
		options: {limit: {takes: 'text', value: 'N', summary: 'How many at most, newest first.'}},
	},
]

/** Options of a token for a program or an assistant. */
const tokenOptions = {
	for: {
		takes: 'text',
		value: 'NAME',
		summary: 'A connection that it may use (default: the only one, or --connection).',
		many: true,
	},
	days: {takes: 'text', value: 'N', summary: 'Days until it expires (default: 90).'},
	'per-minute': {takes: 'text', value: 'N', summary: 'Requests a minute (default: 600).'},
} as const satisfies SubcommandSpec['options']

/** The subcommands of the local API, of assistants, and their tokens. */
const doorSubcommands: readonly SubcommandSpec[] = [
	{
		name: 'api on',
		summary: 'Switch the local API on. The console of this profile answers while it runs.',
		words: [],
		options: {
			port: {takes: 'text', value: 'PORT', summary: 'Port of 127.0.0.1 (default: the one before, at first 4810).'},
			socket: {takes: 'nothing', summary: 'Answer at a UNIX socket in the profile instead of a port.'},
		},
	},
	{name: 'api off', summary: 'Switch the local API off.', words: [], options: {}},
	{name: 'api status', summary: 'Show whether the local API is on, and where it answers.', words: [], options: {}},
	{
		name: 'api test',
		summary: 'Ask the local API once: with a token that is revoked at once, or in the place of the one named.',
		words: [{name: 'NAME', required: false}],
		options: {},
	},
	{
		name: 'api token',
		summary: 'Create, list or revoke tokens. A new token is printed once.',
		words: [
			{name: 'ACTION', required: true, choices: ['create', 'list', 'revoke']},
			{name: 'NAME', required: false},
		],
		options: {
			scope: {takes: 'text', value: 'SCOPE', summary: 'What it may do (default: read).', choices: ['read', 'change']},
			...tokenOptions,
		},
	},
	{
		name: 'mcp',
		summary: 'Serve an enabled assistant over standard input and output (MCP).',
		words: [{name: 'NAME', required: true}],
		options: {},
	},
	{
		name: 'mcp enable',
		summary: 'Let an assistant read over MCP, under a name, on the connections given. Its token is printed once.',
		words: [{name: 'NAME', required: true}],
		options: {
			propose: {takes: 'nothing', summary: 'It may also propose changes; people approve them in Cordon.'},
			...tokenOptions,
		},
	},
	{name: 'mcp list', summary: 'List assistants, what they may do, and their last use.', words: [], options: {}},
	{
		name: 'mcp test',
		summary: 'Ask in the place of an assistant what it would get.',
		words: [{name: 'NAME', required: true}],
		options: {},
	},
	{name: 'mcp disable', summary: 'Refuse an assistant from now on.', words: [{name: 'NAME', required: true}], options: {}},
]

/** The subcommands of the undo history. */
const change = {name: 'ID', required: true} as const

const undoSubcommands: readonly SubcommandSpec[] = [
	{
		name: 'undo list',
		summary: 'List moves, policies and hashes of the last 24 hours, and whether they can be undone.',
		words: [],
		options: {},
	},
	{
		name: 'undo show',
		summary: 'Check the current state and show the calls that would undo a change. Nothing is sent.',
		words: [change],
		options: {},
	},
	{
		name: 'undo apply',
		summary: 'Undo a change. Targets changed since are skipped.',
		words: [change],
		options: {confirm: {takes: 'text', value: 'TEXT', summary: 'The name or number, where a confirmation is asked for.'}},
	},
]

export const globalOptions = {
	profile: {takes: 'text', value: 'DIR', summary: 'Folder for connections, log and local data.'},
	connection: {takes: 'text', value: 'NAME', summary: 'Use this connection of the profile.'},
	server: {
		takes: 'text',
		value: 'URL',
		summary: 'Use this service once, without storing it: needs --client-id and --api-key-file.',
	},
	'client-id': {takes: 'text', value: 'ID', summary: 'The client ID for --server.'},
	'api-key-file': {
		takes: 'text',
		value: 'FILE',
		summary: 'A file with the API key, readable by its owner alone; - reads standard input.',
	},
	'passphrase-file': {takes: 'text', value: 'FILE', summary: 'A file whose first line opens the stored keys.'},
	insecure: {takes: 'nothing', summary: 'Trust any certificate (not secure).'},
	json: {takes: 'nothing', summary: 'Print one JSON object.'},
	jsonl: {takes: 'nothing', summary: 'Print one JSON record a line, as they arrive.'},
	incident: {takes: 'text', value: 'ID', summary: 'The incident that the log entries join.'},
	'max-wait': {takes: 'text', value: 'SECONDS', summary: 'Maximum wait for the API limit, in seconds (default: 3600).'},
	help: {takes: 'nothing', summary: 'Show help.'},
	version: {takes: 'nothing', summary: 'Show the version of this program.'},
} as const satisfies Readonly<Record<string, OptionSpec>>

export const subcommands: readonly SubcommandSpec[] = [
	...connectionSubcommands,
	...logSubcommands,
	{name: 'incidents list', summary: 'List incidents.', words: [], options: {}},
	{
		name: 'incidents open',
		summary: 'Open an incident; its ID is what --incident takes.',
		words: [{name: 'TITLE', required: true}],
		options: {reference: {takes: 'text', value: 'TEXT', summary: 'The number of a ticket, or where more is to be found.'}},
	},
	{name: 'incidents close', summary: 'Close an incident.', words: [{name: 'ID', required: true}], options: {}},
	{name: 'incidents reopen', summary: 'Open a closed incident again.', words: [{name: 'ID', required: true}], options: {}},
	...jobSubcommands,
	...undoSubcommands,
	...playbookSubcommands,
	...approvalSubcommands,
	...listSubcommands,
	...streamSubcommands,
	...targetSubcommands,
	...doorSubcommands,
	...forwardingSubcommands,
	{
		name: 'sandbox',
		summary: 'Serve a generated tenant on this computer until stopped.',
		words: [],
		options: {
			port: {takes: 'text', value: 'PORT', summary: 'Port to listen on; 0, and without it, any free one.'},
			computers: {takes: 'text', value: 'N', summary: 'How many computers the tenant has (2000 without it).'},
			groups: {takes: 'text', value: 'N', summary: 'How many groups it has (44 without it, and at least).'},
			'file-lists': {takes: 'text', value: 'N', summary: 'How many file lists it has (14 without it, and at most).'},
			seed: {takes: 'text', value: 'TEXT', summary: 'Same seed, same tenant.'},
			budget: {takes: 'text', value: 'N', summary: 'Requests per window (3000 without it).'},
			window: {takes: 'text', value: 'SECONDS', summary: 'Length of the window (3600 without it).'},
			'agent-delay': {takes: 'text', value: 'MS', summary: 'How long an agent takes to answer (4000 without it).'},
			weather: {takes: 'text', value: 'RULE', summary: 'Inject a fault into an endpoint.', many: true},
		},
	},
	{
		name: 'completion',
		summary: 'Print a completion script: eval "$(cordon completion bash)".',
		words: [{name: 'SHELL', required: true, choices: ['bash', 'zsh', 'fish']}],
		options: {},
	},
	{name: 'help', summary: 'Show help, of one command if it is named.', words: [{name: 'COMMAND', required: false}], options: {}},
	{
		name: '__complete',
		summary: 'Values of local data, for completion scripts.',
		words: [
			{name: 'SOURCE', required: true},
			{name: 'PREFIX', required: false},
		],
		options: {},
		hidden: true,
	},
]

/** The subcommand of the first words, trying two words before one; `undefined` without a match. */
export function findSubcommand(words: readonly string[]): SubcommandSpec | undefined {
	const named = (count: number): SubcommandSpec | undefined => {
		const name = words.slice(0, count).join(' ')
		return words.length < count ? undefined : subcommands.find(spec => spec.name === name)
	}
	return named(2) ?? named(1)
}
