import {leaseText} from '#text/isolation.ts'

import {choice, flag, subcommand, text, type SubcommandSpec} from './subcommand-spec.ts'

const common = {
	targets: text(
		'FILE',
		'A file with one target a line: GUID or exact name; of CSV the first column, of JSON lines the GUID. - reads standard input.'
	),
	reason: text('TEXT', 'Why: needed, and logged. An isolation or release tells it to the service.'),
	ticket: text('TEXT', 'The number of a ticket; it goes with the reason.'),
	'dry-run': flag('Show the plan, and send nothing.'),
	plan: text('FILE', 'Write the plan to a file, and send nothing.'),
	apply: text('FILE', 'Apply a plan from a file: it brings its targets and its reason.'),
	confirm: text('TEXT', 'The host name, or the number of targets, where a confirmation is asked for.'),
	'stop-share': text('PERCENT', 'Stop after this share of failures (20 without it).')
}

const policy = (product: string) => text('GUID', `The policy for ${product}.`)

export const jobSubcommands: readonly SubcommandSpec[] = [
	subcommand('job isolate', 'Isolate many computers: 1, then 5, then the rest.', {
		...common,
		lease: text('TERM', 'Time until the isolations expire, such as 4h, 24h or 7d; none: no expiry (default: the lease of the guard rules).'),
		'auto-release': flag(leaseText.autoRelease),
		code: choice(
			'WHO',
			['generated', 'service'],
			'Source of the unlock codes: this program (stored encrypted) or the service (default: this program).'
		),
		reviewed: flag('The servers among the targets are meant: they are not split off.')
	}),
	subcommand('job release', 'Release many computers.', common),
	subcommand('job move', 'Move many computers to a group.', {...common, group: text('GUID', 'The group.')}),
	subcommand('job policies', 'Set the policies of many groups.', {
		...common,
		windows: policy('Windows'),
		mac: policy('macOS'),
		linux: policy('Linux'),
		android: policy('Android')
	}),
	subcommand('job list', 'List jobs, newest first.'),
	subcommand('job show JOB', 'Show a job and the result of each target.', {failed: flag('Unsuccessful targets only.')}),
	subcommand('job stop JOB', 'Stop a job. Changes already sent continue.'),
	subcommand('job resume JOB', 'Resume an interrupted job.'),
	subcommand('job retry JOB', 'Retry unsuccessful targets.', {'dry-run': common['dry-run'], plan: common.plan, confirm: common.confirm}),
	subcommand('job export JOB', 'Write the result of every target to standard output.', {
		format: choice('FORMAT', ['csv', 'json'], 'How to write them (csv without it).')
	})
]
