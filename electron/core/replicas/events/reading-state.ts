import type {ErrorReport} from '#shared/contract/errors.ts'

import type {Database} from '#core/store/database.ts'

/** From `since` (included) to `until` (excluded), Unix milliseconds. */
export interface Span {
	readonly since: number
	readonly until: number
}

/** How the last reading stands; it is kept with what it brought. */
export interface ReadingState {
	readonly phase: 'loading' | 'complete' | 'partial' | 'failed'
	readonly read: number
	readonly total: number | null
	/** Unix milliseconds. */
	readonly readAt: number | null
	readonly error: ErrorReport | null
	/** How far back events were asked for (Unix ms), if given. */
	readonly wanted?: number | undefined
}

export function writeReading(database: Database, state: ReadingState): void {
	database.run("INSERT OR REPLACE INTO meta VALUES ('reading', ?)", JSON.stringify(state))
	if (state.wanted !== undefined) writeWanted(database, state.wanted)
}

export function writeWanted(database: Database, since: number): void {
	database.run("INSERT OR REPLACE INTO meta VALUES ('wanted', ?)", String(since))
}

/** A reading that is not under way in this process and did not end was cut off. */
export function readReading(database: Database): ReadingState | null {
	const found = database.get<{readonly value: string}>("SELECT value FROM meta WHERE key = 'reading'")
	if (found === undefined) return null
	// Written by `writeReading`.
	const state = JSON.parse(found.value) as ReadingState
	return state.phase === 'loading' ? {...state, phase: 'partial'} : state
}

/** What was read, oldest first; spans that touch are one. */
export function readSpans(database: Database): readonly Span[] {
	return database.all<Span>('SELECT since, until FROM span ORDER BY since')
}

export function addSpan(database: Database, span: Span): void {
	if (span.until <= span.since) return
	const touching = database.all<Span>('SELECT * FROM span WHERE since <= ? AND until >= ?', span.until, span.since)
	const since = Math.min(span.since, ...touching.map(other => other.since))
	const until = Math.max(span.until, ...touching.map(other => other.until))
	for (const other of touching) database.run('DELETE FROM span WHERE since = ?', other.since)
	database.run('INSERT INTO span VALUES (?, ?)', since, until)
}

/** Shorter than this, what happened since the last reading is no gap (ms). */
const freshMs = 900_000

/** What to tell of a span that was not read, oldest first; the newest minutes apart. */
export function toldGaps(database: Database, span: Span): readonly {readonly from: string; readonly to: string}[] {
	return gapsIn(span, readSpans(database))
		.filter(({since, until}) => until < span.until || until - since > freshMs)
		.map(({since, until}) => ({from: new Date(since).toISOString(), to: new Date(until).toISOString()}))
}

/** What of a span is not in the others, oldest first. */
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

/** Before that moment nothing counts as read. */
export function forgetSpansBefore(database: Database, moment: number): void {
	const cut = database.get<Span>('SELECT * FROM span WHERE since < ? AND until > ?', moment, moment)
	database.run('DELETE FROM span WHERE since < ?', moment)
	if (cut !== undefined) addSpan(database, {since: moment, until: cut.until})
}
