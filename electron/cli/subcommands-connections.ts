/** The subcommands of connections. */
import {connectionColours, ownEnvironments} from '#model/connection.ts'

import {flag, type OptionSpec, type SubcommandSpec, text} from './subcommand-spec.ts'

const connectionName = {name: 'NAME', required: true} as const

const looks = {
	'read-only': flag('Make the connection read-only (default).'),
	writable: flag('Allow changes on it.'),
	environment: {takes: 'text', value: 'NAME', summary: 'Environment: production, test or lab.', choices: ownEnvironments},
	colour: {takes: 'text', value: 'NAME', summary: 'The colour that frames its window.', choices: connectionColours},
} as const satisfies Readonly<Record<string, OptionSpec>>

const network = {
	proxy: text('URL', 'Reach it over this proxy, http://host:port; "direct" for none, "system" for what the environment names.'),
	'proxy-login-file': text(
		'FILE',
		'A file with USER:PASSWORD for that proxy, readable by its owner alone; - reads standard input, "none" forgets them.',
	),
	ca: text('FILE', 'A file (PEM) with authorities that it trusts beside the known ones; "none" for no own ones.'),
} as const satisfies Readonly<Record<string, OptionSpec>>

export const connectionSubcommands: readonly SubcommandSpec[] = [
	{name: 'connections list', summary: 'List the connections of the profile.', words: [], options: {}},
	{
		name: 'connections add',
		summary:
			'Add a connection, with --server URL (or NAM, EU, APJC) and --client-id ID; the key comes from --api-key-file FILE or is asked for.',
		words: [connectionName],
		options: {...looks, ...network},
	},
	{
		name: 'connections edit',
		summary: 'Change the given fields of a connection. Fields not given stay the same.',
		words: [connectionName],
		options: {
			rename: text('NAME', 'Its new name.'),
			...looks,
			'read-only': flag('Refuse every change on it.'),
			confirm: text('NAME', 'Its name, to make a read-only production connection read-write.'),
			reason: text('TEXT', 'Why it becomes read-write; the incident log keeps it.'),
			verify: flag('Trust known authorities alone: the opposite of --insecure.'),
			...network,
		},
	},
	{name: 'connections test', summary: 'Test a connection, stage by stage.', words: [{name: 'NAME', required: false}], options: {}},
	{
		name: 'connections export',
		summary: 'Write all connections to standard output, without keys or encrypted with a passphrase.',
		words: [],
		options: {
			'seal-file': text('FILE', 'Include keys, encrypted with the first line of this file; - reads standard input.'),
			reason: text('TEXT', 'Why the keys leave; the log keeps it.'),
		},
	},
	{
		name: 'connections import',
		summary:
			'Add the connections of an exported file that are missing here, read-only. Keys come from the encrypted file or a prompt.',
		words: [{name: 'FILE', required: true}],
		options: {'seal-file': text('FILE', 'A file whose first line is the passphrase; - reads standard input.')},
	},
	{name: 'connections remove', summary: 'Remove a connection, its key and its local data.', words: [connectionName], options: {}},
	{
		name: 'connections lock',
		summary: 'Lock changes at once, for every process on the profile.',
		words: [connectionName],
		options: {},
	},
	{name: 'connections unlock', summary: 'Unlock changes.', words: [connectionName], options: {}},
]
