import {CordonError, reportError, type ErrorReport} from '#contract/errors.ts'

import {eventKey} from '#core/service/api/endpoints/events.ts'
import type {Clock} from '#base/ports.ts'
import type {Database} from '#core/store/database.ts'
import {idAt} from './record.ts'
import {gapsIn, readReading, readSpans, readWanted, type ReadingState, type Span} from './reading-state.ts'
import type {EventPage, EventSource} from './source.ts'
import type {Timeline} from './timeline.ts'
import type {EventThread} from './write-thread.ts'

export const dayMs = 86_400_000
/** Retention of events at the service (API reference, 6.1). */
export const keptDays = 30
/** Span of the first reading. */
const firstDays = 7
/** Limit of pages of an automatic reading: 20,000 events. */
export const usualPages = 40
/** Limit of pages of a requested reading: as many as events may be stored. */
const mostPages = 4000
/** This much is read again: agents report some events late. */
const overlapMs = 600_000
/** The newest page may start this much earlier where it has room, for late events. */
const roomMs = dayMs
/** Records that consecutive pages must share, so that moving offsets lose nothing. */
const overlapRecords = 10
/** How often to step back for a page that does not meet the one before. */
const mostStepsBack = 4

interface ReadingDependencies {
	database: Database
	clock: Pick<Clock, 'now'>
	/** By the service's clock, as the times of events are. */
	now: () => number
	source: EventSource
	thread: EventThread
	timeline: Timeline
	onProgress: (state: ReadingState) => void
	keptEvents: number
	/** Awaited by a reading that nobody requested, after its first page. */
	mayGoOn: (signal: AbortSignal) => Promise<void>
	/** Limit of pages of such a reading. */
	unaskedPages: number
}

interface Run extends ReadingDependencies {
	signal: AbortSignal
	pages: number
	mostPages: number
	isRequested: boolean
	/** By the service's clock as far as it is known. */
	wanted: () => number
	since: number
	read: number
	total: number | null
	at: number | null
}

/** Oldest wanted time (Unix ms), from the stored wish and the service's retention. */
export function wantedSince(stored: string | undefined, now: number, days?: number) {
	// A time ahead of now was written while the clock was wrong.
	const before = stored === undefined || Number(stored) > now ? now - firstDays * dayMs : Number(stored)
	const wanted = days === undefined ? before : Math.min(before, now - days * dayMs)
	return Math.max(wanted, now - keptDays * dayMs)
}

/** Spans still to be read, newest first; the end of the newest known one is read again. */
export function openSpans(database: Database, since: number, now: number): readonly Span[] {
	const spans = readSpans(database)
	const newest = spans.at(-1)
	const cut = newest === undefined ? spans : [...spans.slice(0, -1), {...newest, until: newest.until - overlapMs}]
	// While the clock is behind, new events come after the newest known ones.
	return gapsIn({since, until: Math.max(now, since + 1, newest?.until ?? 0)}, cut).toReversed()
}

/** Loads what is missing, newest first. Always resolves, with the state to show where the file does not hold it. */
export async function readEvents(deps: ReadingDependencies, days: number | undefined, signal: AbortSignal): Promise<ReadingState | null> {
	const stored = readWanted(deps.database)
	const run: Run = {
		...deps,
		signal,
		pages: 0,
		mostPages: days === undefined ? deps.unaskedPages : mostPages,
		isRequested: days !== undefined,
		wanted: () => wantedSince(stored, deps.now(), days),
		since: 0,
		read: 0,
		total: null,
		// Until new events arrive, the store is as of the last reading.
		at: readReading(deps.database)?.readAt ?? null
	}
	const error = await attempt(run)
	const phase = error === null ? phaseOf(run) : run.read > 0 || readSpans(run.database).length > 0 ? 'partial' : 'failed'
	// What failed may have been begun by a wrong clock.
	const state = {...stateOf(run, phase, error), ...(error !== null && {wanted: run.wanted()})}
	// This state reports a write failure; storing it may fail for the same reason.
	return deps.thread.write({kind: 'reading', state}).then(
		() => null,
		() => state
	)
}

async function attempt(run: Run) {
	try {
		run.onProgress(stateOf(run, 'loading', null))
		// Again where the first answer told that the clock was ahead: what is wanted begins earlier.
		do {
			run.since = run.wanted()
			await run.thread.write({kind: 'reading', state: {...stateOf(run, 'loading', null), wanted: run.since}})
			await readTypes(run)
			for (const span of openSpans(run.database, run.since, run.now())) await readSpan(run, span)
		} while (run.wanted() < run.since - overlapMs)
		await trim(run)
		return null
	} catch (error) {
		return reportError(run.signal.aborted ? new CordonError('cancelled') : error)
	}
}

function phaseOf(run: Run) {
	return run.pages < run.mostPages || openSpans(run.database, run.since, run.at ?? 0).length <= 1 ? 'complete' : 'partial'
}

/** Optional: events include type names too. */
async function readTypes({database, source, thread, signal}: Run) {
	if (database.get('SELECT 1 FROM event_type') !== undefined) return
	try {
		await thread.write({kind: 'types', types: await source.types(signal)})
	} catch (error) {
		const code = error instanceof CordonError ? error.code : undefined
		if (signal.aborted || code === 'unauthorized') throw error
	}
}

/**
 * From the newer end down. The service accepts only a start time, so an older span is reached by an offset, counted from the
 * stored newer events. Events that arrive meanwhile make it too small; duplicates are dropped.
 */
async function readSpan(run: Run, span: Span) {
	const isHead = run.timeline.from(idAt(span.until)) === 0
	let offset = isHead ? 0 : Math.max(0, run.timeline.from(idAt(span.until)) - overlapRecords)
	const since = isHead && span.until - span.since < roomMs ? span.since - roomMs : span.since
	let before: ReadonlySet<string> | undefined
	let until = span.until
	for (let stepsBack = 0; run.pages < run.mostPages;) {
		const page = await nextPage(run, since, offset)
		if (isHead && before === undefined) until = Math.max(span.since, page.at)
		if (offset > 0 && stepsBack < mostStepsBack && !meets(page, before, span)) {
			stepsBack += 1
			offset = Math.max(0, offset - 50 * 3 ** stepsBack)
			continue
		}
		stepsBack = 0
		const reached = page.hasMore ? reachedBy(page) : span.since
		await store(run, page, {since: Math.max(span.since, reached), until})
		if (!page.hasMore || reached <= span.since) return
		before = keysOf(page)
		offset += Math.max(1, page.count - overlapRecords)
	}
}

async function nextPage(run: Run, since: number, offset: number) {
	if (run.pages > 0 && !run.isRequested) await run.mayGoOn(run.signal)
	run.signal.throwIfAborted()
	run.pages += 1
	return run.source.page({since, offset, signal: run.signal})
}

/** Whether no record is missing between this page and the one before, or the newer span. */
function meets(page: EventPage, before: ReadonlySet<string> | undefined, span: Span) {
	if (before !== undefined) return [...keysOf(page)].some(key => before.has(key))
	return page.records.some(record => (record.timestamp ?? 0) * 1000 >= span.until)
}

function keysOf(page: EventPage) {
	return new Set(page.records.map(eventKey))
}

/** Complete after the second of the last record; that second may continue in the next page. */
function reachedBy(page: EventPage) {
	const last = page.records.at(-1)?.timestamp
	return last === undefined ? Number.POSITIVE_INFINITY : (Math.floor(last) + 1) * 1000
}

async function store(run: Run, page: EventPage, span: Span) {
	const after = {read: run.read + page.records.length, at: page.at, total: page.total}
	const reading = stateOf({...run, ...after}, 'loading', null)
	const batch = {records: page.records, readAt: page.at, span: span.since < span.until ? span : null, reading}
	await run.thread.write({kind: 'events', batch})
	// What the file does not take was not read.
	Object.assign(run, after)
	run.onProgress(reading)
}

/** Oldest first, some thousand at a time, so that other writes can run between. */
async function trim(run: Run) {
	// One wrong clock, or a proxy's date, removes nothing.
	const now = Math.min(run.now(), run.clock.now())
	const options = {before: idAt(now - keptDays * dayMs), most: run.keptEvents, atOnce: 2000}
	for (;;) {
		run.signal.throwIfAborted()
		const {removed} = await run.thread.write({kind: 'trim', options})
		if (removed === 0) return
	}
}

function stateOf(run: Run, phase: ReadingState['phase'], error: ErrorReport | null): ReadingState {
	return {phase, read: run.read, total: run.total, readAt: run.at, error}
}
