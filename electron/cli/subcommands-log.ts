/** The subcommands of the incident log. */
import type {OptionSpec, SubcommandSpec} from './subcommand-spec.ts'

const logFilter = {
	text: {takes: 'text', value: 'TEXT', summary: 'Only entries that hold this text.'},
	writes: {takes: 'nothing', summary: 'Only changes.'},
	pinned: {takes: 'nothing', summary: 'Only what is pinned as evidence.'},
	since: {takes: 'text', value: 'TIME', summary: 'Only entries from this time on: ISO 8601, or an age such as 30m, 12h, 7d.'},
	until: {takes: 'text', value: 'TIME', summary: 'Only entries before this time, given in the same way.'},
	command: {takes: 'text', value: 'NAME', summary: 'Only entries of this command.'},
	target: {takes: 'text', value: 'GUID', summary: 'Only entries about this object.'},
	hash: {takes: 'text', value: 'HASH', summary: 'Only entries that name this hash.'},
	by: {takes: 'text', value: 'PERSON', summary: 'Only entries of this person.'},
} as const satisfies Readonly<Record<string, OptionSpec>>

const entry = {name: 'ENTRY', required: true} as const
const reason = {takes: 'text', value: 'TEXT', summary: 'Why.'} as const

export const logSubcommands: readonly SubcommandSpec[] = [
	{
		name: 'log',
		summary: 'Show the incident log, newest last.',
		words: [],
		options: {
			follow: {takes: 'nothing', summary: 'Go on with new entries as they come.'},
			limit: {takes: 'text', value: 'N', summary: 'How many entries (200 without it).'},
			...logFilter,
		},
	},
	{
		name: 'log export',
		summary: 'Write all matching entries to standard output, oldest first.',
		words: [],
		options: {
			format: {
				takes: 'text',
				value: 'FORMAT',
				summary: 'How to write them (jsonl without it); md and html are reports for people.',
				choices: ['jsonl', 'csv', 'md', 'html'],
			},
			...logFilter,
		},
	},
	{
		name: 'log note',
		summary: 'Add a note to the incident log.',
		words: [{name: 'TEXT', required: true}],
		options: {about: {takes: 'text', value: 'ENTRY', summary: 'The entry that it is about.'}},
	},
	{
		name: 'log pin',
		summary: 'Keep an entry, by its number or id, as evidence. A further entry says so; nothing is rewritten.',
		words: [entry],
		options: {reason},
	},
	{name: 'log unpin', summary: 'Unpin an evidence entry.', words: [entry], options: {reason}},
	{
		name: 'log verify',
		summary: 'Go over the chain of hashes: whether anything was changed or removed, or the log became shorter.',
		words: [],
		options: {
			'begin-anew': {
				takes: 'text',
				value: 'REASON',
				summary: 'Forget how long the log was, for one that was moved away on purpose; the log says so.',
			},
		},
	},
	{
		name: 'log audit',
		summary: 'Show changes outside Cordon from the last loaded service audit log, newest last.',
		words: [],
		options: {
			read: {takes: 'nothing', summary: 'Ask the service for what is new first: one call, and one for each 500 entries.'},
			all: {takes: 'nothing', summary: 'With --read: all of the last 30 days, whatever it costs.'},
			limit: {takes: 'text', value: 'N', summary: 'How many (200 without it).'},
			text: logFilter.text,
			since: logFilter.since,
			until: logFilter.until,
			target: logFilter.target,
			by: logFilter.by,
		},
	},
	{
		name: 'log handover',
		summary: 'Print the shift handover: open changes, active isolations, evidence and notes.',
		words: [],
		options: {
			hours: {takes: 'text', value: 'N', summary: 'How long the shift was (12 without it, 168 at most).'},
			next: {takes: 'text', value: 'TEXT', summary: 'The next steps; they go into the log as a note.'},
			format: {takes: 'text', value: 'FORMAT', summary: 'How to print it (md without it).', choices: ['md', 'html']},
		},
	},
]
