import {setTimeout as pause} from 'node:timers/promises'

import {breaths} from '#base/breaths.ts'
import {aborted} from '#base/due.ts'
import {perTurn} from '#base/per-turn.ts'
import type {Clock} from '#base/ports.ts'
import {createTurns} from '#base/turns.ts'
import type {LabelReader} from '#core/service/labels/labels.ts'
import type {Database} from '#core/store/database.ts'
import {foreignVersion, versionOf} from '#core/store/version.ts'
import {CordonError, hasCode} from '#contract/errors.ts'
import type {Group} from '#model/group.ts'
import type {Computer} from '#model/computer.ts'
import {parseExact} from '#model/exact-json.ts'
import {makeAggregates} from './aggregates.ts'
import {type Changes, makeChanges} from '../kit/changes.ts'
import {isoOf, jsonOf, type StoredComputer} from './columns.ts'
import {makeExporter} from './export.ts'
import {makeExports} from '../kit/exports.ts'
import {makeFacets} from './facets.ts'
import {noLabelsAtAll} from './filter-sql.ts'
import {type ListingState, readSettled, stateOf} from './listing-state.ts'
import {type ListingDependencies, readMissingPages, readWholeListing} from './listing.ts'
import {makeLookup} from './lookup.ts'
import {makeMarks} from './marked.ts'
import {type ComputerQuery, makeQueries, type Queries} from './queries.ts'
import {openInventoryFile} from './schema.ts'
import {makeShared} from '../kit/shared-work.ts'
import type {InventorySource} from './source.ts'
import {makeSummary, type Summary} from './summary.ts'
import {makeTexts, type Texts} from './texts.ts'
import {makeWriteThread, type WriteThread} from './write-thread.ts'
import {makeWriter, type Writer} from './writer.ts'

interface InventoryOptions {
	/** The SQLite file, such as `<profile>/inventory/<connection>.db`; its folder is made when missing. */
	path: string
	clock: Clock
	source: InventorySource
	/** Whether a page of records that another reading brings is written in the background, not at once. Default: false. */
	background?: boolean | undefined
	/** Tags and roles of its computers. Default: none. */
	labels?: LabelReader | undefined
	/** How long `stop` lets a listing write what arrived, in milliseconds. Default: 100. */
	patienceMs?: number | undefined
}

/** The local copy of one connection: one SQLite file, shared by all processes on the profile. */
export type Inventory = ReturnType<typeof openInventory>

/** Opens one connection's local copy, recreated when it is damaged or of another schema. Close it with `stop()`. */
export function openInventory(options: InventoryOptions) {
	const {path, clock, source, labels = noLabelsAtAll} = options
	const database = openInventoryFile(path)
	const freshness = makeFreshness(clock, () => refreshing.gapMs())
	const texts = makeTexts(database)
	const queries = makeQueries(database, () => clock.now(), freshness.isFresh, labels, texts)
	const ended = new AbortController()
	const facets = makeFacets({database, queries, labels, now: () => clock.now(), ended: ended.signal})
	const summary = makeSummary(database, queries.revision)
	const exports = makeExports(database)
	const writer = makeWriter(database, () => clock.now())
	const thread = makeWriteThread({path, clock, patienceMs: options.patienceMs ?? 100})
	const changes = makeChanges(
		clock,
		() => foreignVersion(database),
		() => refreshing.gapMs()
	)
	const refreshing = makeRefreshing({deps: {database, clock, source, thread}, changes, rows: () => summary().rows, revision: queries.revision})
	const warming = options.background === true ? makeWarming(texts) : undefined
	if (warming !== undefined) changes.listen(warming.go)
	const start = options.background === true && summary().rows > 0 ? makeStart(clock) : undefined
	return {
		query: (query: ComputerQuery & {offset: number; limit: number}) => {
			const window = queries.query(query)
			start?.answered()
			warming?.go()
			refreshing.yield()
			return window
		},
		few: queries.few,
		guids: queries.guids,
		position: queries.position,
		/** Counts of the facets; other queries run in between. */
		facets: facets.read,
		...makeExporter(exports, queries),
		...makeLookup({database, queries, texts, summary, labels}),
		...makeRecords(database, queries),
		...makeAggregates(database, queries.revision),
		...makeSums(summary, clock),
		...makeMarks({database, labels, groups: () => summary().groups().rows(), revision: queries.revision}),
		...makeObserver({writer, thread, changes, onWrite: freshness.end, background: options.background ?? false}),
		/** What was read is good while it is the same: it changes with the file, by whichever process, and with labels. `null`: ask anew. */
		// In the middle of a long listing a window may lag behind the file.
		version: perTurn(() => (refreshing.gapMs() > usualGapMs ? null : `${versionOf(database)} ${labels.revision()}`)),
		state: refreshing.state,
		/** Reads all computers and groups again. One refresh runs at a time; a second call joins it. */
		refresh: start === undefined ? refreshing.refresh : start.before(refreshing.refresh),
		refreshMissing: refreshing.refreshMissing,
		onChange: changes.listen,
		stop: async () => {
			changes.stop()
			ended.abort(new CordonError('cancelled'))
			exports.stop()
			warming?.stop()
			start?.answered()
			const settled = refreshing.stop()
			await thread.stop(settled)
			await settled
			database.close()
		}
	}
}

/** In the middle of a long listing, what was computed over all rows is good for a while; otherwise it never is. */
function makeFreshness(clock: Clock, gapMs: () => number): {isFresh(): boolean; end(): void} {
	let until = 0
	return {
		isFresh: () => {
			const now = clock.monotonic()
			const gap = gapMs()
			if (gap > usualGapMs && now < until) return true
			until = now + gap
			return false
		},
		end: () => (until = 0)
	}
}

/** How long the first reading waits for the first window, in milliseconds. */
const startMs = 2000

/** How long the pieces of the search wait after the first window, in milliseconds: nobody types before its rows are drawn. */
const warmAfterMs = 1500

/** What is searched lies ready before anybody types: piece by piece, in the turns that nobody needs. */
export function makeWarming(texts: Pick<Texts, 'warm'>): {go(): void; stop(): void} {
	let next: NodeJS.Immediate | undefined
	let wait: NodeJS.Timeout | undefined
	let isOver = false
	const step = () => {
		next = texts.warm() ? setImmediate(step).unref() : undefined
	}
	const begin = () => {
		isOver = true
		step()
	}
	return {
		go: () => {
			if (isOver) next ??= setImmediate(step).unref()
			else wait ??= setTimeout(begin, warmAfterMs).unref()
		},
		stop: () => {
			clearTimeout(wait)
			clearImmediate(next)
		}
	}
}

/** Whoever opens the window sees what is known before it is read again: both at once would slow the first. */
function makeStart(clock: Clock) {
	const enough = new AbortController()
	let waiting: Promise<void> | undefined
	const wait = async () => {
		try {
			await clock.sleep(startMs, enough.signal)
		} catch {
			// Answered.
		}
		enough.abort()
	}
	return {
		answered: () => enough.abort(),
		/** Not before the start is over. */
		before:
			<T>(read: (signal?: AbortSignal) => Promise<T>) =>
			async (signal?: AbortSignal) => {
				if (!enough.signal.aborted) {
					waiting ??= wait()
					await (signal === undefined ? waiting : Promise.race([waiting, aborted(signal)]))
				}
				return read(signal)
			}
	}
}

function makeRecords(database: Database, queries: Queries) {
	const stored = (guid: string) => database.get<StoredComputer>('SELECT * FROM computer JOIN reading USING (id) WHERE guid = ?', guid)
	return {
		row: (guid: string) => {
			const found = stored(guid)
			return found === undefined ? undefined : queries.row(found)
		},
		/** The groups of these computers, each once; `''` for those of none, and for one that is not known. */
		groupsOf: (guids: readonly string[]) => {
			const sql = `SELECT DISTINCT ifnull(group_guid, '') AS guid FROM json_each(?) LEFT JOIN computer ON computer.guid = value`
			return database.all<{guid: string}>(sql, JSON.stringify(guids)).map(({guid}) => guid)
		},
		/** Which of these computers are known not to be isolated. */
		released: (guids: readonly string[]) => {
			const sql = `SELECT guid FROM json_each(?) CROSS JOIN computer ON guid = value WHERE glance IN ('not_isolated', 'unavailable')`
			return new Set(database.all<{guid: string}>(sql, JSON.stringify(guids)).map(({guid}) => guid))
		},
		record: (guid: string) => {
			const sql = 'SELECT json FROM record JOIN computer USING (id) WHERE guid = ?'
			const json = database.get<{json: string}>(sql, guid)?.json
			// The text was written from a checked record.
			return json === undefined ? undefined : (parseExact(json) as unknown as Computer)
		},
		/** Since when the isolation status has been the same, as far as readings show; ISO 8601. */
		stateSince: (guid: string) => {
			const since = stored(guid)?.state_since ?? 0
			return since > 0 ? new Date(since).toISOString() : undefined
		}
	}
}

function makeSums(summary: () => Summary, clock: Clock) {
	return {
		counts: () => summary().counts(clock.now()),
		/** Computers with a pending isolation change, with its ISO start time. */
		pending: () =>
			summary()
				.pending()
				.map(computer => ({...computer, since: isoOf(computer.since) ?? ''})),
		groups: () => summary().groups().rows(),
		groupPath: (guid: string) => summary().groups().path(guid),
		/** The GUIDs of a group and its ancestors; `undefined` when no record of that group was read. */
		ancestryOf: (guid: string) => summary().groups().ancestry(guid.toLowerCase())
	}
}

interface ObserverDependencies {
	writer: Writer
	thread: WriteThread
	changes: Changes
	/** What the window wrote itself is seen at once. */
	onWrite: () => void
	background: boolean
}

/** From so many records on, writing them takes longer than anybody should wait. */
const many = 50

function makeObserver({writer, thread, changes, onWrite, background}: ObserverDependencies) {
	let failure: {error: unknown} | undefined
	const tell = (changed: boolean, guid: string | null) => {
		if (changed) changes.touch(guid)
	}
	const write = (guid: string | null, work: () => boolean) => {
		const changed = thread.first(work)
		onWrite()
		tell(changed, guid)
	}
	// A later reading of some fields would make an older one of all of them change nothing.
	const turn = createTurns()
	const writeLater = async (records: readonly Computer[], at: number) => {
		try {
			const written = await turn(async () => {
				const breath = breaths()
				const texts: string[] = []
				for (const record of records) {
					texts.push(jsonOf(record))
					await breath()
				}
				return thread.write({kind: 'records', texts, at})
			})
			tell(written, null)
		} catch (error) {
			if (!hasCode(error, 'cancelled')) failure = {error}
		}
	}
	return {
		/** Takes records that another reading or an answer contained. */
		observe: (records: readonly Computer[], at: number) => {
			if (!background || records.length < many) return write(onlyGuid(records), () => writer.merge(records, at))
			const earlier = failure
			failure = undefined
			void writeLater(records, at)
			// Whoever comes next hears of it: the one whose records these were is gone.
			if (earlier !== undefined) throw earlier.error
		},
		observeIsolation: (guid: string, isolation: {available: boolean; status: string}, at: number) =>
			write(guid, () => writer.isolation(guid, isolation, at)),
		observeGroups: (groups: readonly Group[], at: number) => write(null, () => writer.groups(groups, at)),
		/** The service answered 404 for this computer. */
		vanished: (guid: string, at: number) => write(guid, () => writer.vanished(guid, at))
	}
}

function onlyGuid(records: readonly Computer[]) {
	const [first, second] = records
	return first !== undefined && second === undefined ? first.connector_guid : null
}

/** In the middle of a long listing everything changes all the time, and nobody reads numbers that fast. */
const [longGapMs, longPages] = [500, 10]
const usualGapMs = 100

interface RefreshingOptions {
	deps: Omit<ListingDependencies, 'onProgress' | 'room'>
	changes: Changes
	rows: () => number
	revision: () => number
}

/** One listing at a time, and where it stands. */
function makeRefreshing({deps, changes, rows, revision}: RefreshingOptions) {
	const work = makeShared<ListingState>()
	const manners = makeManners()
	const room = async () => {
		await deps.thread.room()
		await manners.wait()
	}
	// While this process reads, its own progress is newer than the file's.
	let progress: ListingState | undefined

	const onProgress = (listing: ListingState) => {
		progress = listing
		changes.touch(null)
	}
	const stateWith = (listing: ListingState) => stateOf(listing, rows(), revision())
	const read = async (kind: typeof readWholeListing, signal: AbortSignal | undefined) => {
		// Not of the file: another process may read meanwhile.
		const listing = await work.join(async stop => {
			try {
				return await kind({...deps, room, onProgress}, stop)
			} finally {
				progress = undefined
				changes.flush()
			}
		}, signal)
		return stateWith(listing)
	}
	return {
		state: () => stateWith(progress ?? readSettled(deps.database)),
		refresh: (signal?: AbortSignal) => read(readWholeListing, signal),
		refreshMissing: (signal?: AbortSignal) => read(readMissingPages, signal),
		/** How long what was computed over all rows may be shown again, in milliseconds. */
		gapMs: () => ((progress?.arrived.length ?? 0) > longPages ? longGapMs : usualGapMs),
		/** Somebody looks at the list: pages that are not asked for yet wait a moment, so that the next look is not behind them. */
		yield: manners.yield,
		/** Ends a listing that runs and waits for it. */
		stop: work.stop
	}
}

/** How long after a look at the list its pages wait, in milliseconds of real time, for that is what an operator feels. */
const yieldMs = 40

function makeManners(): {yield(): void; wait(): Promise<void>} {
	let until = 0
	return {
		yield: () => (until = performance.now() + yieldMs),
		wait: async () => {
			const left = until - performance.now()
			if (left > 0) await pause(left)
		}
	}
}
