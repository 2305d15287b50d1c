import {connectionColours, ownEnvironments} from '#model/connection.ts'

import {choice, flag, subcommand, text, type SubcommandSpec} from './subcommand-spec.ts'

const looks = {
	'read-only': flag('Make the connection read-only (default).'),
	writable: flag('Allow changes on it.'),
	environment: choice('NAME', ownEnvironments, 'Environment: production, test or lab.'),
	colour: choice('NAME', connectionColours, 'The colour that frames its window.')
}

const network = {
	proxy: text('URL', 'Reach it over this proxy, http://host:port; "direct" for none, "system" for what the environment names.'),
	'proxy-login-file': text(
		'FILE',
		'A file with USER:PASSWORD for that proxy, readable by its owner alone; - reads standard input, "none" forgets them.'
	),
	'ca-file': text('FILE', 'A file (PEM) with authorities that it trusts beside the known ones; "none" for no own ones.')
}

export const connectionSubcommands: readonly SubcommandSpec[] = [
	subcommand('connections list', 'List the connections of the profile.'),
	subcommand(
		'connections add NAME',
		'Add a connection, with --server URL (or NAM, EU, APJC) and --client-id ID; the key comes from --api-key-file FILE or is asked for.',
		{...looks, ...network}
	),
	subcommand('connections edit NAME', 'Change the given fields of a connection. Fields not given stay the same.', {
		rename: text('NAME', 'Its new name.'),
		...looks,
		'read-only': flag('Refuse every change on it.'),
		confirm: text('NAME', 'Its name, to make a read-only production connection read-write.'),
		reason: text('TEXT', 'Why it becomes read-write; the incident log keeps it.'),
		verify: flag('Trust known authorities alone: the opposite of --insecure.'),
		...network
	}),
	subcommand('connections test [NAME]', 'Test a connection, stage by stage.'),
	subcommand('connections export', 'Write all connections to standard output, without keys or encrypted with a passphrase.', {
		'seal-file': text('FILE', 'Include keys, encrypted with the first line of this file; - reads standard input.'),
		reason: text('TEXT', 'Why the keys leave; the log keeps it.')
	}),
	subcommand(
		'connections import FILE',
		'Add the connections of an exported file that are missing here, read-only. Keys come from the encrypted file or a prompt.',
		{'seal-file': text('FILE', 'A file whose first line is the passphrase; - reads standard input.')}
	),
	subcommand('connections remove NAME', 'Remove a connection, its key and its local data.'),
	subcommand('connections lock NAME', 'Lock changes at once, for every process on the profile.'),
	subcommand('connections unlock NAME', 'Unlock changes.')
]
