/** The subcommands of playbooks. */
import {flag, type OptionSpec, type SubcommandSpec, text} from './subcommand-spec.ts'

const playbook = {name: 'PLAYBOOK', required: true} as const
const run = {name: 'RUN', required: true} as const

const digest = text('DIGEST', 'Digest of the version (default: the newest).')

const variables = {
	var: {takes: 'text', value: 'NAME=VALUE', summary: 'Value of an external variable.', many: true},
} as const satisfies Readonly<Record<string, OptionSpec>>
const automation = (...more: readonly string[]) =>
	[
		{name: 'ACTION', required: true, choices: ['list', 'add', 'pause', 'resume', 'remove', 'history', ...more]},
		{name: 'NAME', required: false},
	] as const

const wait = {
	wait: {takes: 'number_or_nothing', summary: 'Wait until the run has ended, through questions too.'},
} as const satisfies Readonly<Record<string, OptionSpec>>
const step = {step: text('STEP', 'ID of the step (default: the only one that waits).')} as const satisfies Readonly<
	Record<string, OptionSpec>
>

export const playbookSubcommands: readonly SubcommandSpec[] = [
	{name: 'playbook list', summary: 'List the playbooks of the library and of this profile.', words: [], options: {}},
	{
		name: 'playbook check',
		summary: 'Check a CACAO 2.0 document. Nothing is stored or sent.',
		words: [{name: 'FILE', required: true}],
		options: {},
	},
	{
		name: 'playbook import',
		summary: 'Add a playbook, or a new version of one.',
		words: [{name: 'FILE', required: true}],
		options: {},
	},
	{name: 'playbook export', summary: 'Print the document of a playbook.', words: [playbook], options: {digest}},
	{
		name: 'playbook copy',
		summary: 'Copy a playbook under another name, to change the copy.',
		words: [playbook, {name: 'NEW_NAME', required: true}],
		options: {digest},
	},
	{
		name: 'playbook tag',
		summary: 'Give a playbook these tags, separated by commas; none without.',
		words: [playbook, {name: 'TAGS', required: false}],
		options: {},
	},
	{name: 'playbook versions', summary: 'List the versions of a playbook.', words: [playbook], options: {}},
	{
		name: 'playbook diff',
		summary: 'Show what differs between two versions, by their digests.',
		words: [playbook, {name: 'OLDER', required: false}, {name: 'NEWER', required: false}],
		options: {},
	},
	{
		name: 'playbook sign',
		summary: 'Sign a playbook with a key of this profile. The signed document is its newest version.',
		words: [playbook],
		options: {as: text('NAME', 'Name of the key. Its passphrase is asked for.')},
	},
	{
		name: 'playbook run',
		summary: 'Start a playbook. It goes on in the console that runs; without one, here.',
		words: [playbook],
		options: {...variables, ...wait, 'dry-run': flag('Read for real and list every change. Sends none.')},
	},
	{
		name: 'playbook runs',
		summary: 'List runs, newest first.',
		words: [],
		options: {
			search: text('TEXT', 'Part of the title, the ID or the name of who started it.'),
			limit: text('N', 'Number of runs (default: 50).'),
		},
	},
	{
		name: 'playbook show',
		summary: 'Show a run with its steps and questions.',
		words: [run],
		options: {export: flag('Print it with its document and log entries, as the console exports it.')},
	},
	{
		name: 'playbook answer',
		summary: 'Answer the question of a manual step: yes, no or text.',
		words: [run, {name: 'ANSWER', required: true}],
		options: {...step, ...wait, reason: text('TEXT', 'Reason for the answer.')},
	},
	{name: 'playbook pause', summary: 'Begin no further step for now.', words: [run], options: {}},
	{name: 'playbook resume', summary: 'Resume a paused or interrupted run.', words: [run], options: {...wait}},
	{name: 'playbook cancel', summary: 'Cancel a run. What was sent keeps its own state.', words: [run], options: {}},
	{name: 'playbook retry', summary: 'Retry a failed step.', words: [run], options: {...step, ...wait}},
	{
		name: 'playbook skip',
		summary: 'Continue without a failed step.',
		words: [run, {name: 'STEP', required: true}],
		options: {...wait, reason: text('TEXT', 'Reason for skipping the step.')},
	},
	{
		name: 'playbook again',
		summary: 'Run again with the same variables.',
		words: [run],
		options: {newest: flag('Use the newest version (default: the same).'), ...wait},
	},
	{
		name: 'playbook secret',
		summary: 'Secrets that headers name as $secret:NAME. The value is asked for, and given for this origin only.',
		words: [
			{name: 'ACTION', required: true, choices: ['list', 'set', 'remove']},
			{name: 'NAME', required: false},
		],
		options: {
			origin: text('ORIGIN', 'Such as https://tickets.example.org.'),
			value: text('FILE', 'Read it from a file, or - for standard input, instead of asking.'),
		},
	},
	{
		name: 'playbook schedule',
		summary: 'Start a playbook at certain times. A console has to run then.',
		words: automation(),
		options: {
			playbook: text('PLAYBOOK', 'ID or name of the playbook.'),
			at: text('TIMES', 'Minute, hour, day, month, weekday: "0 6 * * MON-FRI".'),
			zone: text('ZONE', 'Time zone, such as Europe/Berlin (default: of this computer).'),
			missed: text('POLICY', 'Missed times: skip (default), or once to make up for them.'),
			...variables,
		},
	},
	{
		name: 'playbook rule',
		summary: 'Start a playbook, or raise a notification, when an event matches.',
		words: automation('test'),
		options: {
			filter: text('FILTER', 'Filter of the events, such as severity=critical.'),
			role: {takes: 'text', value: 'ROLE', summary: 'Only on computers of this role, such as server.', many: true},
			playbook: text('PLAYBOOK', 'ID or name (default: a notification only).'),
			most: text('N', 'So often at most (default: 5).'),
			minutes: text('N', 'In so many minutes (default: 60).'),
			days: text('N', 'Test: so many days of stored events (default: 7).'),
			var: {takes: 'text', value: 'NAME=VALUE', summary: 'Variable; {hostname} stands for that of the event.', many: true},
		},
	},
]
