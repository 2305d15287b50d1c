/** Commands beyond the catalogue: parsing, help and completion are derived from these declarations. */
import {choice, flag, subcommand, text, texts, type SubcommandSpec} from './subcommand-spec.ts'
import {approvalSubcommands} from './subcommands-approvals.ts'
import {connectionSubcommands} from './subcommands-connections.ts'
import {forwardingSubcommands} from './subcommands-forwarding.ts'
import {jobSubcommands} from './subcommands-jobs.ts'
import {logSubcommands} from './subcommands-log.ts'
import {playbookSubcommands} from './subcommands-playbook.ts'

/** Of a target. */
const options = {
	file: text('PATH', 'Send to this file, as JSON Lines; it is rotated.'),
	syslog: text('HOST[:PORT]', 'Send to this syslog receiver over TLS (default port: 6514).'),
	webhook: text('URL', 'Send to this HTTPS address, as signed CloudEvents.'),
	events: flag('Send stored events of the connection.'),
	filter: text('FILTER', 'Only events that match, as on the screen Events.'),
	log: flag('Send entries of the incident log; without --changes-only, of every kind.'),
	text: text('WORDS', 'Only entries with these words.'),
	'changes-only': flag('Only entries of changes.'),
	format: choice('FORMAT', ['ocsf', 'as_is'], 'OCSF 1.8, or records as they are (default: as before, at first ocsf).'),
	private: flag('Allow a private address, or one of this computer.'),
	'ca-file': text('FILE', 'Trust the certificate authorities in this PEM file too.'),
	'secret-file': text('FILE', "A file with the webhook's signing secret (default: as before, at first a new one, shown once).")
}

const targetSubcommands: readonly SubcommandSpec[] = [
	subcommand('targets list', 'List where events and log entries go onwards to, with backlogs.'),
	subcommand('targets add NAME', 'Add a target: a file, a syslog receiver or a webhook.', {
		...options,
		'from-beginning': flag('Begin with what is stored, not with what comes.')
	}),
	subcommand('targets set NAME', 'Change a target; options not given stay as they are.', options),
	subcommand('targets enable NAME', 'Send to a target again.'),
	subcommand('targets disable NAME', 'Stop sending to a target; its backlog waits.'),
	subcommand('targets remove NAME', 'Remove a target.'),
	subcommand('targets test NAME', 'Send one message that says that it is a test.'),
	subcommand('targets refused NAME', 'Show what a target refused for good.', {limit: text('N', 'How many at most, newest first.')}),
	subcommand('targets run', 'Send to all targets until stopped, where no console runs.')
]

const file = text('FILE', 'A file with hashes: text, CSV or a STIX 2.1 bundle. - reads standard input.')

/** Of whole file lists. */
const listSubcommands: readonly SubcommandSpec[] = [
	subcommand('list import LIST', 'Put the hashes of a file on a list, or take them off it, as one job.', {
		file,
		remove: flag('Take them off the list instead.'),
		reason: text('TEXT', 'Why; it goes into the log.'),
		ticket: text('TEXT', 'The number of a ticket; it goes with the reason.'),
		'dry-run': flag('Show the plan, and send nothing.'),
		plan: text('FILE', 'Write the plan to a file, and send nothing.'),
		apply: text('FILE', 'Apply a plan from a file: it brings its hashes and its reason.'),
		confirm: text('TEXT', 'The number of hashes, or the beginning of the only one, where a confirmation is asked for.')
	}),
	subcommand('list export LIST', 'Write the hashes of a list to standard output, as the service has them now.', {
		format: choice('FORMAT', ['csv', 'json'], 'How to write them (csv without it).')
	}),
	subcommand('list diff LIST', 'Tell which hashes are only on a list, and which only in a file or on another list.', {
		file,
		with: text('LIST', 'Another list, in place of a file.')
	})
]

const streamSubcommands: readonly SubcommandSpec[] = [
	subcommand('stream list', 'List the event streams of the organisation; it may have five.'),
	subcommand('stream create', 'Create an event stream for this profile; its password goes into the secret store.', {
		name: text('NAME', 'Its name at the service (your user name without it).'),
		'event-type': texts('ID', 'Only events of this type (all without it).'),
		group: texts('GUID', 'Only events of this group (all without it).')
	}),
	subcommand('stream delete [ID]', 'Delete the event stream of this profile, or the one with that ID.'),
	subcommand('stream follow', 'Store events as they happen, until stopped.'),
	subcommand('stream status', 'Show whether the event stream is live, its last message and its lag.'),
	subcommand('stream unreadable', 'Show messages of the event stream that are not events.', {limit: text('N', 'How many at most, newest first.')})
]

/** Options of a token for a program or an assistant. */
const tokenOptions = {
	for: texts('NAME', 'A connection that it may use (default: the only one, or --connection).'),
	days: text('N', 'Days until it expires (default: 90).'),
	'per-minute': text('N', 'Requests a minute (default: 600).')
}

/** The subcommands of the local API, of assistants, and their tokens. */
const doorSubcommands: readonly SubcommandSpec[] = [
	subcommand('api on', 'Switch the local API on. The console of this profile answers while it runs.', {
		port: text('PORT', 'Port of 127.0.0.1 (default: the one before, at first 4810).'),
		socket: flag('Answer at a UNIX socket in the profile instead of a port.')
	}),
	subcommand('api off', 'Switch the local API off.'),
	subcommand('api status', 'Show whether the local API is on, and where it answers.'),
	subcommand('api test [NAME]', 'Ask the local API once: with a token that is revoked at once, or in the place of the one named.'),
	subcommand('api token ACTION=create|list|revoke [NAME]', 'Create, list or revoke tokens. A new token is printed once.', {
		scope: choice('SCOPE', ['read', 'change'], 'What it may do (default: read).'),
		...tokenOptions
	}),
	subcommand('mcp NAME', 'Serve an enabled assistant over standard input and output (MCP).'),
	subcommand('mcp enable NAME', 'Let an assistant read over MCP, under a name, on the connections given. Its token is printed once.', {
		propose: flag('It may also propose changes; people approve them in Cordon.'),
		...tokenOptions
	}),
	subcommand('mcp list', 'List assistants, what they may do, and their last use.'),
	subcommand('mcp test NAME', 'Ask in the place of an assistant what it would get.'),
	subcommand('mcp disable NAME', 'Refuse an assistant from now on.')
]

const undoSubcommands: readonly SubcommandSpec[] = [
	subcommand('undo list', 'List moves, policies and hashes of the last 24 hours, and whether they can be undone.'),
	subcommand('undo show ID', 'Check the current state and show the calls that would undo a change. Nothing is sent.'),
	subcommand('undo apply ID', 'Undo a change. Targets changed since are skipped.', {
		confirm: text('TEXT', 'The name or number, where a confirmation is asked for.')
	})
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
	version: flag('Show the version of this program.')
}

export const subcommands: readonly SubcommandSpec[] = [
	...connectionSubcommands,
	...logSubcommands,
	subcommand('incidents list', 'List incidents.'),
	subcommand('incidents open TITLE', 'Open an incident; its ID is what --incident takes.', {
		reference: text('TEXT', 'The number of a ticket, or where more is to be found.')
	}),
	subcommand('incidents close ID', 'Close an incident.'),
	subcommand('incidents reopen ID', 'Open a closed incident again.'),
	...jobSubcommands,
	...undoSubcommands,
	...playbookSubcommands,
	...approvalSubcommands,
	...listSubcommands,
	...streamSubcommands,
	...targetSubcommands,
	...doorSubcommands,
	...forwardingSubcommands,
	subcommand('sandbox', 'Serve a generated tenant on this computer until stopped.', {
		port: text('PORT', 'Port to listen on; 0, and without it, any free one.'),
		computers: text('N', 'How many computers the tenant has (2000 without it).'),
		groups: text('N', 'How many groups it has (44 without it, and at least).'),
		'file-lists': text('N', 'How many file lists it has (14 without it, and at most).'),
		seed: text('TEXT', 'Same seed, same tenant.'),
		quota: text('N', 'Requests per window (3000 without it).'),
		window: text('SECONDS', 'Length of the window (3600 without it).'),
		'agent-delay': text('MS', 'How long an agent takes to answer (4000 without it).'),
		weather: texts('RULE', 'Inject a fault into an endpoint.')
	}),
	subcommand('completion SHELL=bash|zsh|fish', 'Print a completion script: eval "$(cordon completion bash)".'),
	subcommand('help [COMMAND]', 'Show help, of one command if it is named.'),
	{...subcommand('__complete SOURCE [PREFIX]', 'Values of local data, for completion scripts.'), hidden: true}
]

/** The subcommand of the first words, trying two words before one; `undefined` without a match. */
export function findSubcommand(words: readonly string[]): SubcommandSpec | undefined {
	const named = (count: number) => {
		const name = words.slice(0, count).join(' ')
		return words.length < count ? undefined : subcommands.find(spec => spec.name === name)
	}
	return named(2) ?? named(1)
}
