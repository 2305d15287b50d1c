import type {ErrorReport} from '#contract/errors.ts'

import type {Database} from '#core/store/database.ts'

/** From `since` (inclusive) to `until` (exclusive), Unix milliseconds. */
export interface Span {
	readonly since: number
	readonly until: number
}

/** State of the last reading, stored with its events. */
export type ReadingState = Readonly<{
	phase: 'loading' | 'complete' | 'partial' | 'failed'
	read: number
	total: number | null
	/** Unix milliseconds. */
	readAt: number | null
	error: ErrorReport | null
	/** Oldest time requested (Unix ms), if given. */
	wanted?: number | undefined
}>

export function writeReading(database: Database, state: ReadingState) {
	database.run("INSERT OR REPLACE INTO meta VALUES ('reading', ?)", JSON.stringify(state))
	if (state.wanted !== undefined) writeWanted(database, state.wanted)
}

export function writeWanted(database: Database, since: number) {
	database.run("INSERT OR REPLACE INTO meta VALUES ('wanted', ?)", String(since))
}

export function readWanted(database: Database): string | undefined {
	return database.get<{value: string}>("SELECT value FROM meta WHERE key = 'wanted'")?.value
}

/** A reading that has no end and is not running in this process was interrupted. */
export function readReading(database: Database): ReadingState | null {
	const found = database.get<{value: string}>("SELECT value FROM meta WHERE key = 'reading'")
	if (found === undefined) return null
	// Written by `writeReading`.
	const state = JSON.parse(found.value) as ReadingState
	return state.phase === 'loading' ? {...state, phase: 'partial'} : state
}

/** Spans already read, oldest first; adjacent ones are merged. */
export function readSpans(database: Database): readonly Span[] {
	return database.all<Span>('SELECT since, until FROM span ORDER BY since')
}

export function addSpan(database: Database, span: Span) {
	if (span.until <= span.since) return
	const touching = database.all<Span>('SELECT * FROM span WHERE since <= ? AND until >= ?', span.until, span.since)
	const since = Math.min(span.since, ...touching.map(other => other.since))
	const until = Math.max(span.until, ...touching.map(other => other.until))
	for (const other of touching) database.run('DELETE FROM span WHERE since = ?', other.since)
	database.run('INSERT INTO span VALUES (?, ?)', since, until)
}

/** A shorter time since the last reading is no gap (ms). */
const freshMs = 900_000

/** Gaps to report, oldest first; the newest minutes separate. */
export function toldGaps(database: Database, span: Span): readonly {from: string; to: string}[] {
	return gapsIn(span, readSpans(database))
		.filter(({since, until}) => until < span.until || until - since > freshMs)
		.map(({since, until}) => ({from: new Date(since).toISOString(), to: new Date(until).toISOString()}))
}

/** The parts of a span outside the others, oldest first. */
export function gapsIn({since, until}: Span, spans: readonly Span[]): readonly Span[] {
	const gaps: Span[] = []
	let at = since
	for (const span of spans) {
		if (span.until <= at || span.since >= until) continue
		if (span.since > at) gaps.push({since: at, until: span.since})
		at = span.until
	}
	if (at < until) gaps.push({since: at, until})
	return gaps
}

/** Earlier times no longer count as read. */
export function forgetSpansBefore(database: Database, moment: number) {
	const cut = database.get<Span>('SELECT * FROM span WHERE since < ? AND until > ?', moment, moment)
	database.run('DELETE FROM span WHERE since < ?', moment)
	if (cut !== undefined) addSpan(database, {since: moment, until: cut.until})
}
