/** Commands beyond the catalogue: parsing, help and completion are derived from these declarations. */
import {flag, type OptionSpec, type SubcommandSpec, text} from './subcommand-spec.ts'
import {approvalSubcommands} from './subcommands-approvals.ts'
import {connectionSubcommands} from './subcommands-connections.ts'
import {forwardingSubcommands} from './subcommands-forwarding.ts'
import {jobSubcommands} from './subcommands-jobs.ts'
import {logSubcommands} from './subcommands-log.ts'
import {playbookSubcommands} from './subcommands-playbook.ts'

/** The subcommands of targets. */
const name = [{name: 'NAME', required: true}] as const

const options: Readonly<Record<string, OptionSpec>> = {
	file: text('PATH', 'Send to this file, as JSON Lines; it is rotated.'),
	syslog: text('HOST[:PORT]', 'Send to this syslog receiver over TLS (default port: 6514).'),
	webhook: text('URL', 'Send to this HTTPS address, as signed CloudEvents.'),
	events: flag('Send stored events of the connection.'),
	filter: text('FILTER', 'Only events that match, as on the screen Events.'),
	log: flag('Send entries of the incident log; without --changes-only, of every kind.'),
	text: text('WORDS', 'Only entries with these words.'),
	'changes-only': flag('Only entries of changes.'),
	format: {takes: 'text', value: 'FORMAT', choices: ['ocsf', 'as_is'], summary: 'OCSF 1.8, or records as they are (default: ocsf).'},
	private: flag('Allow a private address, or one of this computer.'),
	'ca-file': text('FILE', 'Trust the certificate authorities in this PEM file too.'),
	'secret-file': text('FILE', "A file with the webhook's signing secret (default: a new one, shown once)."),
}

const targetSubcommands: readonly SubcommandSpec[] = [
	{name: 'targets list', summary: 'List where events and log entries go onwards to, with backlogs.', words: [], options: {}},
	{
		name: 'targets add',
		summary: 'Add a target: a file, a syslog receiver or a webhook.',
		words: name,
		options: {...options, 'from-beginning': flag('Begin with what is stored, not with what comes.')},
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
		options: {limit: text('N', 'How many at most, newest first.')},
	},
	{name: 'targets run', summary: 'Send to all targets until stopped, where no console runs.', words: [], options: {}},
]

/** The subcommands of whole file lists. */
const list = {name: 'LIST', required: true} as const

const file: OptionSpec = text('FILE', 'A file with hashes: text, CSV or a STIX 2.1 bundle. - reads standard input.')

const listSubcommands: readonly SubcommandSpec[] = [
	{
		name: 'list import',
		summary: 'Put the hashes of a file on a list, or take them off it, as one job.',
		words: [list],
		options: {
			file,
			remove: flag('Take them off the list instead.'),
			reason: text('TEXT', 'Why; it goes into the log.'),
			'dry-run': flag('Show the plan, and send nothing.'),
			plan: text('FILE', 'Write the plan to a file, and send nothing.'),
			apply: text('FILE', 'Apply a plan from a file: it brings its hashes and its reason.'),
			confirm: text('TEXT', 'The number of hashes, or the beginning of the only one, where a confirmation is asked for.'),
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
		options: {file, with: text('LIST', 'Another list, in place of a file.')},
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
			name: text('NAME', 'Its name at the service (your user name without it).'),
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
	{name: 'stream status', summary: 'Show whether the event stream is live, its last message and its lag.', words: [], options: {}},
	{
		name: 'stream unreadable',
		summary: 'Show messages of the event stream that are no event.',
		words: [],
		options: {limit: text('N', 'How many at most, newest first.')},
	},
]

/** Options of a token for a program or an assistant. */
const tokenOptions = {
	for: {takes: 'text', value: 'NAME', summary: 'A connection that it may use (default: the only one, or --connection).', many: true},
	days: text('N', 'Days until it expires (default: 90).'),
	'per-minute': text('N', 'Requests a minute (default: 600).'),
} as const satisfies SubcommandSpec['options']

/** The subcommands of the local API, of assistants, and their tokens. */
const doorSubcommands: readonly SubcommandSpec[] = [
	{
		name: 'api on',
		summary: 'Switch the local API on. The console of this profile answers while it runs.',
		words: [],
		options: {
			port: text('PORT', 'Port of 127.0.0.1 (default: the one before, at first 4810).'),
			socket: flag('Answer at a UNIX socket in the profile instead of a port.'),
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
		options: {propose: flag('It may also propose changes; people approve them in Cordon.'), ...tokenOptions},
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
		options: {confirm: text('TEXT', 'The name or number, where a confirmation is asked for.')},
	},
]

export const globalOptions = {
	profile: text('DIR', 'Folder for connections, log and local data.'),
	connection: text('NAME', 'Use this connection of the profile.'),
	server: text('URL', 'Use this service once, without storing it: needs --client-id and --api-key-file.'),
	'client-id': text('ID', 'The client ID for --server.'),
	'api-key-file': text('FILE', 'A file with the API key, readable by its owner alone; - reads standard input.'),
	'passphrase-file': text('FILE', 'A file whose first line opens the stored keys.'),
	insecure: flag('Trust any certificate (not secure).'),
	json: flag('Print one JSON object.'),
	jsonl: flag('Print one JSON record a line, as they arrive.'),
	incident: text('ID', 'The incident that the log entries join.'),
	'max-wait': text('SECONDS', 'Maximum wait for the API limit, in seconds (default: 3600).'),
	help: flag('Show help.'),
	version: flag('Show the version of this program.'),
} as const satisfies Readonly<Record<string, OptionSpec>>

export const subcommands: readonly SubcommandSpec[] = [
	...connectionSubcommands,
	...logSubcommands,
	{name: 'incidents list', summary: 'List incidents.', words: [], options: {}},
	{
		name: 'incidents open',
		summary: 'Open an incident; its ID is what --incident takes.',
		words: [{name: 'TITLE', required: true}],
		options: {reference: text('TEXT', 'The number of a ticket, or where more is to be found.')},
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
			port: text('PORT', 'Port to listen on; 0, and without it, any free one.'),
			computers: text('N', 'How many computers the tenant has (2000 without it).'),
			groups: text('N', 'How many groups it has (44 without it, and at least).'),
			'file-lists': text('N', 'How many file lists it has (14 without it, and at most).'),
			seed: text('TEXT', 'Same seed, same tenant.'),
			quota: text('N', 'Requests per window (3000 without it).'),
			window: text('SECONDS', 'Length of the window (3600 without it).'),
			'agent-delay': text('MS', 'How long an agent takes to answer (4000 without it).'),
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
