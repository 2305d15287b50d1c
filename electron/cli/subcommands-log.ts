/** The subcommands of the incident log. */
import {flag, type OptionSpec, type SubcommandSpec, text} from './subcommand-spec.ts'

const logFilter = {
	text: text('TEXT', 'Only entries that hold this text.'),
	writes: flag('Only changes.'),
	pinned: flag('Only what is pinned as evidence.'),
	since: text('TIME', 'Only entries from this time on: ISO 8601, or an age such as 30m, 12h, 7d.'),
	until: text('TIME', 'Only entries before this time, given in the same way.'),
	command: text('NAME', 'Only entries of this command.'),
	target: text('GUID', 'Only entries about this object.'),
	hash: text('HASH', 'Only entries that name this hash.'),
	by: text('PERSON', 'Only entries of this person.'),
} as const satisfies Readonly<Record<string, OptionSpec>>

const entry = {name: 'ENTRY', required: true} as const
const reason = text('TEXT', 'Why.')

export const logSubcommands: readonly SubcommandSpec[] = [
	{
		name: 'log',
		summary: 'Show the incident log, newest last.',
		words: [],
		options: {
			follow: flag('Go on with new entries as they come.'),
			limit: text('N', 'How many entries (200 without it).'),
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
		options: {about: text('ENTRY', 'The entry that it is about.')},
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
		options: {'begin-anew': text('REASON', 'Forget how long the log was, for one that was moved away on purpose; the log says so.')},
	},
	{
		name: 'log audit',
		summary: 'Show changes outside Cordon from the last loaded service audit log, newest last.',
		words: [],
		options: {
			read: flag('Ask the service for what is new first: one call, and one for each 500 entries.'),
			all: flag('With --read: all of the last 30 days, whatever it costs.'),
			limit: text('N', 'How many (200 without it).'),
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
			hours: text('N', 'How long the shift was (12 without it, 168 at most).'),
			next: text('TEXT', 'The next steps; they go into the log as a note.'),
			format: {takes: 'text', value: 'FORMAT', summary: 'How to print it (md without it).', choices: ['md', 'html']},
		},
	},
]
