import {choice, flag, subcommand, text, type SubcommandSpec} from './subcommand-spec.ts'

const logFilter = {
	text: text('TEXT', 'Only entries that hold this text.'),
	writes: flag('Only changes.'),
	pinned: flag('Only what is pinned as evidence.'),
	since: text('TIME', 'Only entries from this time on: ISO 8601, or an age such as 30m, 12h, 7d.'),
	until: text('TIME', 'Only entries before this time, given in the same way.'),
	command: text('NAME', 'Only entries of this command.'),
	target: text('GUID', 'Only entries about this object.'),
	hash: text('HASH', 'Only entries that name this hash.'),
	by: text('PERSON', 'Only entries of this person.')
}

const reason = text('TEXT', 'Why.')

export const logSubcommands: readonly SubcommandSpec[] = [
	subcommand('log', 'Show the incident log, newest last.', {
		follow: flag('Go on with new entries as they come.'),
		limit: text('N', 'How many entries (200 without it).'),
		...logFilter
	}),
	subcommand('log export', 'Write all matching entries to standard output, oldest first.', {
		format: choice('FORMAT', ['jsonl', 'csv', 'md', 'html'], 'How to write them (jsonl without it); md and html are reports for people.'),
		...logFilter
	}),
	subcommand('log note TEXT', 'Add a note to the incident log.', {about: text('ENTRY', 'The entry that it is about.')}),
	subcommand('log pin ENTRY', 'Keep an entry, by its number or id, as evidence. A further entry says so; nothing is rewritten.', {reason}),
	subcommand('log unpin ENTRY', 'Unpin an evidence entry.', {reason}),
	subcommand('log verify', 'Go over the chain of hashes: whether anything was changed or removed, or the log became shorter.', {
		'begin-anew': text('REASON', 'Forget how long the log was, for one that was moved away on purpose; the log says so.')
	}),
	subcommand('log audit', 'Show changes outside Cordon from the last loaded service audit log, newest last.', {
		read: flag('Ask the service for what is new first: one call, and one for each 500 entries.'),
		all: flag('With --read: all of the last 30 days, whatever it costs.'),
		limit: text('N', 'How many (200 without it).'),
		text: logFilter.text,
		since: logFilter.since,
		until: logFilter.until,
		target: logFilter.target,
		by: logFilter.by
	}),
	subcommand('log handover', 'Print the shift handover: open changes, active isolations, evidence and notes.', {
		hours: text('N', 'How long the shift was (12 without it, 168 at most).'),
		next: text('TEXT', 'The next steps; they go into the log as a note.'),
		format: choice('FORMAT', ['md', 'html'], 'How to print it (md without it).')
	})
]
