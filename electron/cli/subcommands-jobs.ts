/** The subcommands of bulk work. */
import {leaseText} from '#text/isolation.ts'

import {flag, type OptionSpec, type SubcommandSpec, text} from './subcommand-spec.ts'

const job = {name: 'JOB', required: true} as const

const common = {
	targets: text(
		'FILE',
		'A file with one target a line: GUID or exact name; of CSV the first column, of JSON lines the GUID. - reads standard input.',
	),
	reason: text('TEXT', 'Why; it goes into the log, and with an isolation to the service.'),
	'dry-run': flag('Show the plan, and send nothing.'),
	plan: text('FILE', 'Write the plan to a file, and send nothing.'),
	apply: text('FILE', 'Apply a plan from a file: it brings its targets and its reason.'),
	confirm: text('TEXT', 'The host name, or the number of targets, where a confirmation is asked for.'),
	'stop-share': text('PERCENT', 'Stop after this share of failures (20 without it).'),
} as const satisfies Readonly<Record<string, OptionSpec>>

const ticket = {ticket: text('TEXT', 'The number of a ticket.')} as const satisfies Readonly<Record<string, OptionSpec>>

const policy = (product: string): OptionSpec => text('GUID', `The policy for ${product}.`)

export const jobSubcommands: readonly SubcommandSpec[] = [
	{
		name: 'job isolate',
		summary: 'Isolate many computers: 1, then 5, then the rest.',
		words: [],
		options: {
			...common,
			...ticket,
			lease: text(
				'TERM',
				'Time until the isolations expire, such as 4h, 24h or 7d; none: no expiry (default: the lease of the guard rules).',
			),
			'auto-release': {takes: 'nothing', summary: leaseText.autoRelease},
			code: {
				takes: 'text',
				value: 'WHO',
				summary: 'Source of the unlock codes: this program (stored encrypted) or the service (default: this program).',
				choices: ['generated', 'service'],
			},
			reviewed: flag('The servers among the targets are meant: they are not split off.'),
		},
	},
	{name: 'job release', summary: 'Release many computers.', words: [], options: {...common, ...ticket}},
	{name: 'job move', summary: 'Move many computers to a group.', words: [], options: {...common, group: text('GUID', 'The group.')}},
	{
		name: 'job policies',
		summary: 'Set the policies of many groups.',
		words: [],
		options: {...common, windows: policy('Windows'), mac: policy('macOS'), linux: policy('Linux'), android: policy('Android')},
	},
	{name: 'job list', summary: 'List jobs, newest first.', words: [], options: {}},
	{
		name: 'job show',
		summary: 'Show a job and the result of each target.',
		words: [job],
		options: {failed: flag('Unsuccessful targets only.')},
	},
	{name: 'job stop', summary: 'Stop a job. Changes already sent continue.', words: [job], options: {}},
	{name: 'job resume', summary: 'Resume an interrupted job.', words: [job], options: {}},
	{
		name: 'job retry',
		summary: 'Retry unsuccessful targets.',
		words: [job],
		options: {'dry-run': common['dry-run'], plan: common.plan, confirm: common.confirm},
	},
	{
		name: 'job export',
		summary: 'Write the result of every target to standard output.',
		words: [job],
		options: {format: {takes: 'text', value: 'FORMAT', summary: 'How to write them (csv without it).', choices: ['csv', 'json']}},
	},
]
