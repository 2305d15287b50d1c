import {flag, subcommand, text, texts, type OptionSpec, type SubcommandSpec} from './subcommand-spec.ts'

const digest = text('DIGEST', 'Digest of the version (default: the newest).')
const variables = {var: texts('NAME=VALUE', 'Value of an external variable.')}
const wait: OptionSpec = {takes: 'number_or_nothing', summary: 'Wait until the run has ended, through questions too; Ctrl-C cancels it.'}
const step = text('STEP', 'ID of the step (default: the only one that waits).')

export const playbookSubcommands: readonly SubcommandSpec[] = [
	subcommand('playbook list', 'List the playbooks of the library and of this profile.'),
	subcommand('playbook check FILE', 'Check a CACAO 2.0 document. Nothing is stored or sent.'),
	subcommand('playbook import FILE', 'Add a playbook, or a new version of one.'),
	subcommand('playbook export PLAYBOOK', 'Print the document of a playbook.', {digest}),
	subcommand('playbook copy PLAYBOOK NEW_NAME', 'Copy a playbook under another name, to change the copy.', {digest}),
	subcommand('playbook tag PLAYBOOK [TAGS]', 'Give a playbook these tags, separated by commas; none without.'),
	subcommand('playbook versions PLAYBOOK', 'List the versions of a playbook.'),
	subcommand('playbook diff PLAYBOOK [OLDER] [NEWER]', 'Show what differs between two versions, by their digests.'),
	subcommand('playbook sign PLAYBOOK', 'Sign a playbook with a key of this profile. The signed document is its newest version.', {
		as: text('NAME', 'Name of the key. Its passphrase is asked for.')
	}),
	subcommand('playbook run PLAYBOOK', 'Start a playbook. It goes on in the console that runs; without one, here.', {
		...variables,
		wait,
		'dry-run': flag('Read for real and list every change. Sends none.')
	}),
	subcommand('playbook runs', 'List runs, newest first.', {
		search: text('TEXT', 'Part of the title, the ID or the name of who started it.'),
		limit: text('N', 'Number of runs (default: 50).')
	}),
	subcommand('playbook show RUN', 'Show a run with its steps and questions.', {
		export: flag('Print it with its document and log entries, as the console exports it.')
	}),
	subcommand('playbook answer RUN ANSWER', 'Answer the question of a manual step: yes, no or text.', {
		step,
		wait,
		reason: text('TEXT', 'Reason for the answer.')
	}),
	subcommand('playbook pause RUN', 'Begin no further step for now.'),
	subcommand('playbook resume RUN', 'Resume a paused or interrupted run.', {wait}),
	subcommand('playbook cancel RUN', 'Cancel a run. What was sent keeps its own state.'),
	subcommand('playbook retry RUN', 'Retry a failed step.', {step, wait}),
	subcommand('playbook skip RUN STEP', 'Continue without a failed step.', {wait, reason: text('TEXT', 'Reason for skipping the step.')}),
	subcommand('playbook again RUN', 'Run again with the same variables.', {newest: flag('Use the newest version (default: the same).'), wait}),
	subcommand(
		'playbook secret ACTION=list|set|remove [NAME]',
		'Secrets that headers name as $secret:NAME. The value is asked for, and given for this origin only.',
		{
			origin: text('ORIGIN', 'Such as https://tickets.example.org.'),
			value: text('FILE', 'Read it from a file, or - for standard input, instead of asking.')
		}
	),
	subcommand(
		'playbook schedule ACTION=list|add|pause|resume|remove|history [NAME]',
		'Start a playbook at certain times. A console has to run then.',
		{
			playbook: text('PLAYBOOK', 'ID or name of the playbook.'),
			at: text('TIMES', 'Minute, hour, day, month, weekday: "0 6 * * MON-FRI".'),
			zone: text('ZONE', 'Time zone, such as Europe/Berlin (default: of this computer).'),
			missed: text('POLICY', 'Missed times: skip (default), or once to make up for them.'),
			...variables
		}
	),
	subcommand(
		'playbook rule ACTION=list|add|pause|resume|remove|history|test [NAME]',
		'Start a playbook, or raise a notification, when an event matches.',
		{
			filter: text('FILTER', 'Filter of the events, such as severity=critical.'),
			role: texts('ROLE', 'Only on computers of this role, such as server.'),
			playbook: text('PLAYBOOK', 'ID or name (default: a notification only).'),
			most: text('N', 'So often at most (default: 5).'),
			minutes: text('N', 'In so many minutes (default: 60).'),
			days: text('N', 'Test: so many days of stored events (default: 7).'),
			var: texts('NAME=VALUE', 'Variable; {hostname} stands for that of the event.')
		}
	)
]
