import type {Clock} from '#base/ports.ts'
import type {Database} from '#core/store/database.ts'
import type {EventRow, EventStoreState} from '#contract/events.ts'
import type {ServiceEvent} from '#model/event.ts'
import {csvHead, csvRow, type CsvColumns} from '#text/csv.ts'
import {isoOf} from '../computers/columns.ts'
import {makeShared} from '../kit/shared-work.ts'
import {makeChanges} from '../kit/changes.ts'
import {makeExports} from '../kit/exports.ts'
import {arrivalsOf, arrivedIn} from './arrivals.ts'
import {facetsOf} from './facets.ts'
import type {Scope} from './filter-match.ts'
import {edgesOf, histogramOf} from './histogram.ts'
import {makeNewest, type NewestQuery} from './newest.ts'
import {type Asked, type EventQueries, makeEventQueries} from './queries.ts'
import {unpackRecord} from './raw.ts'
import {type ReadingState, readReading, readSpans, readWanted, type Span, toldGaps} from './reading-state.ts'
import {dayMs, keptDays, openSpans, readEvents, usualPages, wantedSince} from './reading.ts'
import {besideOf, rowsOf} from './rows.ts'
import {countUpTo, idsSql} from './scan.ts'
import {openEventFile} from './schema.ts'
import {eventPageSize, type EventSource} from './source.ts'
import {makeTimeline, type Timeline} from './timeline.ts'
import type {ExportFormat, SeenFile} from './types.ts'
import {wordsFrom} from './vocabulary.ts'
import {distinct} from './words.ts'
import {makeEventThread} from './write-thread.ts'

export interface EventStoreOptions {
	/** The SQLite file, such as `<profile>/events/<connection>.db`; its folder is made when missing. */
	path: string
	clock: Clock
	source: EventSource
	/** Known names of groups by their GUIDs. */
	groupNames: () => ReadonlyMap<string, string>
	/** The oldest are removed beyond this number. Asked before each reading. Default: 2,000,000. */
	keptEvents?: (() => number) | undefined
	/** Maximum rows of one export. Default: 50,000. */
	exportRows?: number | undefined
	/** How long `stop` waits for pending writes, in milliseconds of real time. Default: 1000. */
	patienceMs?: number | undefined
	/** Awaited by a reading that nobody requested, after its first page: something else comes first. */
	mayGoOn?: ((signal: AbortSignal) => Promise<void>) | undefined
	/** Limit of pages of such a reading. Default: 40. */
	unaskedPages?: number | undefined
}

/** The stored events of one connection. Reads are synchronous and quick; a faulty filter throws. */
export type EventStore = ReturnType<typeof openEventStore>

/** Opens one connection's store of events, recreated when it is damaged or of another schema. Close it with `stop()`. */
export function openEventStore(options: EventStoreOptions) {
	const {path, clock, source, groupNames, mayGoOn = () => Promise.resolve(), unaskedPages = usualPages} = options
	const keptEvents = options.keptEvents ?? (() => 2_000_000)
	const now = () => clock.now() - source.skewMs()
	const database = openEventFile(path)
	database.exec('CREATE VIRTUAL TABLE temp.term USING fts5vocab(main, words, row)')
	const timeline = makeTimeline(database)
	const queriesOf = (file: Database) =>
		makeEventQueries(file, makeTimeline(file), () => ({now: now(), groupNames, wordsFrom: beginning => wordsFrom(file, beginning)}))
	const queries = queriesOf(database)
	const always = (filter: string) => queries.scope({filter, from: null, to: null})
	const newest = makeNewest(database, queries.revision)
	const thread = makeEventThread(path, options.patienceMs ?? 1000)
	const changes = makeChanges(clock, null, () => gapMs)
	const exporter = makeEventExporter(database, queriesOf, options.exportRows)
	const work = makeShared<void>()
	let progress: ReadingState | undefined
	let unsaved: ReadingState | null = null

	const onProgress = (state: ReadingState) => {
		progress = state
		changes.touch(null)
	}
	const state = () =>
		storeState({
			database,
			timeline,
			revision: queries.revision(),
			now: now(),
			skewMs: source.skewMs(),
			keptEvents: keptEvents(),
			reading: progress ?? unsaved ?? readReading(database)
		})
	const read = async (days: number | undefined, signal: AbortSignal) => {
		try {
			const limits = {keptEvents: keptEvents(), mayGoOn, unaskedPages}
			unsaved = await readEvents({database, clock, now, source, thread, timeline, onProgress, ...limits}, days, signal)
		} finally {
			progress = undefined
			changes.touch(null)
			changes.flush()
		}
	}
	return {
		state,
		query: queries.window,
		/** Number of matches, counted to a limit: beyond it, `exact` is false. */
		count: (filter: string, most: number) => newest.count(always(filter), most),
		/** The newest matches of a filter: some as rows, more as values, and their number up to a limit. */
		newest: (query: NewestQuery) => newest.newest(always(query.filter), query),
		position: queries.position,
		histogram: ({steps, ...query}: Asked & {steps: number}) => histogramOf(database, queries.scope(query), steps, now()),
		facets: (query: Asked) => facetsOf(database, queries.scope(query), timeline.all(), groupNames()),
		detail: queries.detail,
		/** Of the newest detections; read piece by piece, so that others have the thread in between. */
		groups: queries.groups,
		groupWith: queries.groupWith,
		types: queries.types,
		/** Number of computers, names and dispositions of a file, from its newest events. */
		seen: (hashes: readonly string[]) => seenFiles(database, hashes),
		/** Which of these computers have a stored event that matches; GUIDs in lower case. */
		tellers: (filter: string, guids: readonly string[]) => tellersOf(database, always, filter, guids),
		/** Resolves when it ended, with any result; rejects as `cancelled` when the signal or `stop` ends the wait, as `rate_limited` after the caller's patience. */
		refresh: async ({days, signal}: {days?: number | undefined; signal?: AbortSignal | undefined} = {}) => {
			const isJoined = work.running()
			await work.join(stop => read(days, stop), signal)
			// What ran already was asked for less.
			if (isJoined && days !== undefined) await work.join(stop => read(days, stop), signal)
			return state()
		},
		/** Commits pushed events; resolves with the number of new ones. */
		receive: async (records: readonly ServiceEvent[]) => {
			const batch = {records, readAt: now(), span: null, reading: null}
			const {added} = await thread.write({kind: 'events', batch})
			if (added > 0) changes.touch(null)
			return added
		},
		/** Matches among the next `most` arrivals after that number, in order of arrival. */
		arrivals: (after: number, most: number, filter: string) => arrivalsOf(database, filter === '' ? null : always(filter), after, most),
		/** The number of the last arrival, and the file's generation: a recreated file begins again. */
		arrived: () => arrivedIn(database),
		export: exporter.export,
		onChange: changes.listen,
		/** Ends a reading, finishes pending writes, and closes the file. */
		stop: async () => {
			changes.stop()
			exporter.stop()
			await Promise.all([work.stop(), thread.stop()])
			database.close()
		}
	}
}

/** Most hashes of a feed are in no event: one question to the index's words tells which are worth another. */
function seenFiles(database: Database, hashes: readonly string[]) {
	const sql = 'SELECT value FROM json_each(?) WHERE EXISTS (SELECT 1 FROM temp.term WHERE term = lower(value))'
	const known = new Set(database.all<{value: string}>(sql, JSON.stringify(hashes)).map(({value}) => value))
	return new Map(hashes.map(hash => [hash, known.has(hash) ? seenFile(database, hash) : unseen]))
}

const unseen: SeenFile = {computers: 0, names: [], dispositions: []}

/** Newest events of a file examined. */
const mostEvents = 2000

/** `sha256`: of the file, its parent or archive member; names and dispositions are those of events of the file itself. */
function seenFile(database: Database, sha256: string): SeenFile {
	const hash = sha256.toLowerCase()
	const rows = database.all<{guid: string | null; name: string | null; disposition: string | null; sha256: string | null}>(
		`SELECT e.guid, e.file_name AS name, e.disposition, e.sha256 FROM
      (SELECT rowid AS id FROM words WHERE words MATCH ? ORDER BY rowid DESC LIMIT ?) m JOIN event e ON e.id = m.id`,
		`hash : "${hash.replaceAll(/[^0-9a-f]/g, '')}"`,
		mostEvents
	)
	const own = rows.filter(row => row.sha256 === hash)
	return {
		computers: distinct(rows.map(({guid}) => guid)).length,
		names: distinct(own.map(({name}) => name)),
		dispositions: distinct(own.map(({disposition}) => disposition))
	}
}

/** Matching events examined together. */
const usual = 10_000

/**
 * Which of these computers have a stored event that matches; GUIDs in lower case. The newest `looked` matching events are
 * examined together; each computer missing there is queried separately.
 */
export function tellersOf(
	database: Database,
	scopeOf: (filter: string) => Scope,
	filter: string,
	guids: readonly string[],
	looked = usual
): ReadonlySet<string> {
	const {named, whole} = namedIn(database, scopeOf(filter), looked)
	const wanted = guids.map(guid => guid.toLowerCase())
	const told = (guid: string) => named.has(guid) || (!whole && countUpTo(database, scopeOf(`${filter} guid=${guid}`), 1) > 0)
	return new Set(wanted.filter(told))
}

function namedIn(database: Database, scope: Scope, looked: number) {
	const named = new Set<string>()
	let left = looked
	for (const range of scope.ranges) {
		const {text, params} = idsSql(scope, range)
		const sql = `SELECT e.guid AS guid, count(*) AS n FROM (${text} ORDER BY 1 DESC LIMIT ?) m JOIN event e ON e.id = m.id GROUP BY e.guid`
		const rows = database.all<{guid: string | null; n: number}>(sql, ...params, BigInt(left))
		for (const {guid, n} of rows) {
			left -= n
			if (guid !== null) named.add(guid.toLowerCase())
		}
		if (left <= 0) return {named, whole: false}
	}
	return {named, whole: true}
}

/** Minimum time between change announcements, in milliseconds. */
const gapMs = 250

interface StateDependencies {
	database: Database
	timeline: Timeline
	revision: number
	/** By the service's clock. */
	now: number
	skewMs: number
	keptEvents: number
	reading: ReadingState | null
}

function storeState({database, timeline, revision, now, skewMs, keptEvents, reading}: StateDependencies): EventStoreState {
	const stored = timeline.all()
	const [oldest, newest] = edgesOf(database)
	const readAt = reading?.readAt ?? null
	const spans = readSpans(database)
	return {
		stored,
		oldest: isoOf(oldest),
		newest: isoOf(newest),
		phase: reading?.phase ?? 'empty',
		// Pages overlap slightly, so more may have been read than exists.
		read: Math.min(reading?.read ?? 0, reading?.total ?? Number.POSITIVE_INFINITY),
		total: reading?.total ?? null,
		readAt: isoOf(readAt === null ? null : readAt + skewMs),
		error: reading?.error ?? null,
		refreshCalls: refreshCalls(database, stored, spans, now),
		revision,
		gaps: toldGaps(database, {since: now - keptDays * dayMs, until: now}),
		keptDays,
		keptEvents,
		unknownFields: database.all<{field: string; count: number}>('SELECT field, n AS count FROM unknown_field ORDER BY n DESC, field LIMIT 100')
	}
}

/** Estimated from the event rate of the read spans; before the first reading the maximum cost. */
function refreshCalls(database: Database, stored: number, spans: readonly Span[], now: number) {
	const types = database.get('SELECT 1 FROM event_type') === undefined ? 1 : 0
	const readMs = spans.reduce((sum, {since, until}) => sum + until - since, 0)
	if (readMs === 0) return usualPages + types
	const open = openSpans(database, wantedSince(readWanted(database), now), now)
	const calls = open.map(({since, until}) => Math.ceil(((until - since) * stored) / readMs / eventPageSize))
	return (
		Math.min(
			usualPages,
			Math.max(
				1,
				calls.reduce((sum, one) => sum + Math.max(1, one), 0)
			)
		) + types
	)
}

/** Maximum characters of one export. */
const mostText = 32 * 2 ** 20
const step = 500

const cells: CsvColumns<readonly [row: EventRow]> = [
	['at', row => row.at],
	['severity', row => row.severity],
	['type', row => row.type],
	['type_id', row => row.typeId],
	['outcome', row => row.outcome],
	['detection', row => row.detection],
	['about', row => row.about],
	['detection_id', row => row.detectionId],
	['hostname', row => row.hostname],
	['user', row => row.user],
	['connector_guid', row => row.guid],
	['group_guids', row => row.groupGuids.join(' ')],
	['file_name', row => row.fileName],
	['file_path', row => row.filePath],
	['sha256', row => row.sha256],
	['disposition', row => row.disposition],
	['remote', row => row.remote],
	['url', row => row.url],
	['id', row => row.id]
]

/** Leading cells for gathered rows: a row is the newest of several events. */
const gatheredCells: typeof cells = [
	['events', row => row.gathered?.events ?? 1],
	['computers', row => row.gathered?.computers ?? 0],
	['since', row => row.gathered?.since ?? row.at]
]

function makeEventExporter(live: Database, queriesOf: (file: Database) => EventQueries, mostRows = 50_000) {
	const exports = makeExports(live)
	return {
		/**
		 * The rows of a query, newest first. CSV has a header line, and an apostrophe before cells that a spreadsheet would run; JSON
		 * Lines are the service's records.
		 */
		async *export({format, ...query}: Asked & {format: ExportFormat}, signal?: AbortSignal) {
			let isPart = false
			const texts = function* (database: Database) {
				const queries = queriesOf(database)
				const gathered = queries.gathered(query)
				const columns = gathered === null ? cells : [...gatheredCells, ...cells]
				const all = queries.ids({...query, offset: 0, limit: mostRows + 1}, gathered)
				isPart = all.length > mostRows || gathered?.looked.exact === false
				const beside = besideOf(database, query.grouping, gathered?.of)
				if (format === 'csv') yield csvHead(columns)
				for (let offset = 0; offset < Math.min(all.length, mostRows); offset += step) {
					const ids = all.slice(offset, Math.min(offset + step, mostRows))
					if (format === 'csv') for (const row of rowsOf(database, ids, beside)) yield csvRow(columns, row)
					else yield* jsonlOf(database, ids)
				}
			}
			const isCut = yield* exports.read(texts, mostText, signal)
			return {cut: isCut || isPart}
		},
		stop: exports.stop
	}
}

function* jsonlOf(database: Database, ids: readonly number[]) {
	const sql = 'SELECT json FROM raw WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id DESC'
	for (const {json} of database.all<{json: Uint8Array}>(sql, JSON.stringify(ids))) yield `${unpackRecord(json)}\n`
}
