import {timeOrderedId} from '#base/ids.ts'
import type {Clock} from '#base/ports.ts'
import type {Database} from '#core/store/database.ts'
import {createRecent} from '#shared/recent.ts'
import {invalidArgument} from '#contract/errors.ts'
import type {HostLane, LogPicture, WritesInStep} from '#contract/log.ts'
import {type Incident, isMissed, type LogEntry, type LogQuery, type Surface} from '#model/incident.ts'
import {extendChain, hashAt, newestLink, verifyPart} from './chain.ts'
import {type EntryRow, insertEntry, paramsOf} from './entry-row.ts'
import {writeCommands} from './filter.ts'
import {type Found, type FullFilter, few, indexOfFew, isStep, linesOf, locate, page, rowsAsEntries, sliceSize} from './locate.ts'
import {unknownIncident} from './known.ts'
import {openLogFile} from './log-file.ts'
import {completeEntry, refuseCredentials} from './new-entry.ts'
import {pinEntry, readPins} from './pins.ts'
import {openSearchIndex, type Range} from './search-index.ts'
import type {LogAnchors, LogRepository, NewEntry} from './types.ts'

export interface LogOptions {
	/** `incidents.db`; an index for searching is kept beside it. */
	path: string
	clock: Clock
	random(bytes: number): Uint8Array
	/** Written into every entry. */
	operator: string
	/** Where its end is remembered. Default: nowhere. */
	anchors?: LogAnchors | undefined
	/** How long to wait for another process that is writing. Default: 5000. */
	busyTimeoutMs?: number
}

/** Nothing is opened before the first call. After an error of the disk the next call opens the file anew. */
export function openSqliteLog(options: LogOptions): LogRepository {
	const file = openLogFile(options.path, options.busyTimeoutMs ?? 5000)
	const index = openSearchIndex(options.path, options.path.replace(/(\.db)?$/, '-search.db'))
	const painter = createPainter()
	const readPeople = createPeople()
	const count = createCounts()
	const find = (filter: FullFilter, range: Range): Found => locate(file, index, filter, range)
	const findFew = (filter: FullFilter, range: Range) => locate(file, indexOfFew(index, filter), filter, range)

	const write = <T>(work: (add: (entry: NewEntry) => LogEntry, database: Database) => T) =>
		file.write(database => {
			const done = work(entry => {
				refuseCredentials(entry)
				return insert(database, entry, options)
			}, database)
			extendChain(database)
			return done
		})

	return {
		append: entry => write(add => add(entry)),
		appendAll: entries => write(add => entries.map(add)),
		appendOnce: (entry, kinds) => write((add, database) => (isTold(database, entry.about, kinds) ? undefined : add(entry))),
		openChanges: () => file.read(readOpenChanges),
		query: query => {
			const last = file.read(newest)
			const found = page(query, last, find, findFew)
			return {...found, matching: count(query, last, range => (range[0] > Math.max(0, last - few) ? findFew : find)(query, range))}
		},
		pins: () => file.read(readPins),
		setPinned: request =>
			write((add, database) => {
				const entry = readEntry(database, request.id)
				const hash = entry === undefined ? null : hashAt(database, entry.seq)
				const wanted = pinEntry(entry, request, readPins(database).has(request.id), hash)
				return wanted === undefined ? null : add(wanted)
			}),
		people: () => file.read(readPeople),
		picture: query => {
			const last = file.read(newest)
			return painter.paint(query, last, range => (range === undefined ? findFew({...query, byTarget: true}, [0, last]) : find(query, range)))
		},
		entry: id => file.read(database => readEntry(database, id)),
		thread: id => file.read(database => readThread(database, id)),
		newest: () => file.read(newest),
		linesAfter: (query, ...range) => linesOf(find(query, range)),
		stepsOf: ids => file.read(database => readSteps(database, ids)),
		entriesAt: seqs => file.read(database => readEntriesAt(database, seqs)),
		earliestAfter: after => file.read(database => earliestAfter(database, after)),
		seqsBefore: times => file.read(database => seqsBefore(database, times)),
		about: (connection, targetGuid, limit) => file.read(database => readAbout(database, connection, targetGuid, limit)),
		matching: (query, after, limit, upTo = Number.MAX_SAFE_INTEGER) => find(query, [after, upTo]).all('ASC', limit),
		verifyPart: from => verifyPart(file.read, from),
		head: () => file.read(newestLink) ?? null,
		hashAt: seq => file.read(database => hashAt(database, seq)),
		incidents: () => file.read(listIncidents),
		openIncident: (input, surface) => {
			const id = timeOrderedId(options.clock.now(), options.random)
			return write((add, database) => {
				add(openingEntry(id, input, surface))
				return readIncident(database, id)
			})
		},
		setIncidentOpen: (id, open, surface) =>
			write((add, database) => {
				const incident = readIncident(database, id)
				if (incident.open !== open) add(turningEntry(incident, open, surface))
				return readIncident(database, id)
			}),
		stop: () => {
			index.close()
			file.close()
		}
	}
}

function insert(database: Database, entry: NewEntry, {clock, random, operator}: LogOptions) {
	const now = clock.now()
	// Read inside the transaction that inserts: no other process can take the number in between.
	const seq = newest(database) + 1
	const complete = completeEntry(entry, {seq, id: timeOrderedId(now, random), at: new Date(now).toISOString(), operator})
	database.run(insertEntry, paramsOf(complete))
	return complete
}

function newest(database: Database) {
	return database.get<{seq: number}>('SELECT coalesce(max(seq), 0) AS seq FROM entry')?.seq ?? 0
}

function readEntry(database: Database, id: string) {
	return rowsAsEntries(database.all<EntryRow>('SELECT * FROM entry WHERE id = ?', id))[0]
}

/** The newest of them: an intent may have very many notes. */
const longestThread = 100

function readThread(database: Database, id: string) {
	const sql = `SELECT * FROM entry
    WHERE id IN (?1, (SELECT about FROM entry WHERE id = ?1)) OR about IN (?1, (SELECT about FROM entry WHERE id = ?1))
    ORDER BY seq DESC LIMIT ${longestThread}`
	return rowsAsEntries(database.all<EntryRow>(sql, id))
}

function readEntriesAt(database: Database, seqs: readonly number[]) {
	const sql = 'SELECT * FROM entry WHERE seq IN (SELECT value FROM json_each(?)) ORDER BY seq DESC'
	return rowsAsEntries(database.all<EntryRow>(sql, JSON.stringify(seqs)))
}

function readSteps(database: Database, ids: readonly string[]) {
	const sql = `SELECT * FROM entry WHERE about IN (SELECT value FROM json_each(?)) AND ${isStep} ORDER BY seq`
	return rowsAsEntries(database.all<EntryRow>(sql, JSON.stringify(ids)))
}

/** The sign keeps SQLite from walking the index of times, which begins with the oldest entry. */
function earliestAfter(database: Database, after: number) {
	const sql = 'SELECT min(+at) AS at FROM entry WHERE seq > ?'
	return database.get<{at: string | null}>(sql, after)?.at ?? null
}

/** In one statement: there may be tens of thousands of times. */
function seqsBefore(database: Database, times: readonly string[]) {
	if (times.length === 0) return []
	const sql = `SELECT coalesce((SELECT seq FROM entry WHERE at < value ORDER BY at DESC, seq DESC LIMIT 1), 0) AS seq
    FROM json_each(?) ORDER BY key`
	return database.all<{seq: number}>(sql, JSON.stringify(times)).map(({seq}) => seq)
}

function isTold(database: Database, about: string, kinds: readonly string[]) {
	const sql = 'SELECT 1 FROM entry WHERE about = ? AND kind IN (SELECT value FROM json_each(?))'
	return database.get(sql, about, JSON.stringify(kinds)) !== undefined
}

/** The sign and the cross join keep SQLite from beginning with all changes there ever were. */
function readOpenChanges(database: Database) {
	const sql = `SELECT entry.* FROM open_intent CROSS JOIN entry ON entry.seq = open_intent.seq
    WHERE +entry.command IN (SELECT value FROM json_each(?)) ORDER BY open_intent.seq`
	return rowsAsEntries(database.all<EntryRow>(sql, JSON.stringify(writeCommands())))
}

/** Those of later entries are added, as below; only a pin that was taken back matches no more. */
function createCounts() {
	const known = createRecent<{upTo: number; n: number}>()
	return ({limit: _limit, before: _before, after: _after, ...filter}: LogQuery, last: number, find: (range: Range) => Found) => {
		const key = JSON.stringify(filter)
		const before = known.get(key)
		const isKept = before !== undefined && before.upTo <= last && filter.pinned !== true
		const {upTo, n} = isKept ? before : {upTo: 0, n: 0}
		return upTo === last ? n : known.set(key, {upTo: last, n: n + find([upTo, last]).count()}).n
	}
}

/** Those of later entries are added, for a log only grows; one begun anew is read whole. */
function createPeople(): (database: Database) => readonly string[] {
	const known = new Set<string>()
	let upTo = 0
	return database => {
		const last = newest(database)
		if (last < upTo) {
			known.clear()
			upTo = 0
		}
		const sql = 'SELECT DISTINCT operator FROM entry WHERE seq > ? AND seq <= ?'
		for (const {operator} of database.all<{operator: string}>(sql, upTo, last)) known.add(operator)
		upTo = last
		return [...known].toSorted()
	}
}

function readAbout(database: Database, connection: string, targetGuid: string, limit: number) {
	return rowsAsEntries(
		database.all<EntryRow>(
			`WITH mine AS (
         SELECT id FROM entry WHERE target_guid = ? AND connection_id = ? AND +command IN (SELECT value FROM json_each(?)))
       SELECT * FROM entry WHERE kind GLOB 'command.*' AND (id IN mine OR about IN mine) ORDER BY seq DESC LIMIT ?`,
			...[targetGuid, connection, JSON.stringify(writeCommands()), limit]
		)
	)
}

const changes = `kind IN ('incident.opened', 'incident.closed', 'incident.reopened')`

/** Incidents as their entries tell, newest first. */
export const incidentSelect = `
  SELECT opened.incident AS id, opened.data ->> 'title' AS title, opened.data ->> 'reference' AS reference, opened.at AS "openedAt",
    last.kind AS last_kind, last.at AS last_at, (SELECT count(*) FROM entry WHERE incident = opened.incident) AS entries
  FROM entry AS opened
  JOIN entry AS last ON last.seq = (SELECT max(seq) FROM entry WHERE incident = opened.incident AND ${changes})
  WHERE opened.kind = 'incident.opened'`

export interface IncidentRow extends Omit<Incident, 'open' | 'closedAt'> {
	readonly last_kind: LogEntry['kind']
	readonly last_at: string
}

function listIncidents(database: Database) {
	return database.all<IncidentRow>(`${incidentSelect} ORDER BY opened.seq DESC`).map(incidentOf)
}

/** Throws `not_found`. */
function readIncident(database: Database, id: string) {
	const row = database.get<IncidentRow>(`${incidentSelect} AND opened.incident = ?`, id)
	if (row !== undefined) return incidentOf(row)
	throw unknownIncident(id)
}

export function openingEntry(id: string, input: {title: string; reference: string}, surface: Surface): NewEntry {
	const title = input.title.trim()
	if (title === '') throw invalidArgument('The title is empty.', 'title')
	const reference = input.reference.trim()
	const message = reference === '' ? `Incident opened: ${title}.` : `Incident opened: ${title} (${reference}).`
	return {kind: 'incident.opened', surface, incident: id, message, data: {title, reference}}
}

export function turningEntry(incident: Incident, open: boolean, surface: Surface): NewEntry {
	const kind = open ? 'incident.reopened' : 'incident.closed'
	return {kind, surface, incident: incident.id, message: `Incident ${open ? 'reopened' : 'closed'}: ${incident.title}.`}
}

export function incidentOf({last_kind: kind, last_at: at, ...incident}: IncidentRow): Incident {
	const open = kind !== 'incident.closed'
	return {...incident, open, closedAt: open ? null : at}
}

/* Sums for the pictures of the log: what happened on which host, and how much each person changed in each hour. */

/** Hosts with the newest entries; more lanes than this cannot be distinguished. */
export const mostLanes = 12
/** Marks of all lanes together, the newest. */
export const mostMarks = 1500
/** Steps of time from the first change to the last: a picture of more cannot be read. */
const mostSteps = 96

/** Sums of the entries up to one; those of later entries are added to them, for the log only grows. */
interface Sums {
	upTo: number
	/** The newest entry then. */
	of: number
	hosts: Map<string, HostSum>
	writes: Map<string, HourSum>
}

export interface HostSum {
	readonly guid: string
	/** As the newest entry names it. */
	readonly label: string
	readonly entries: number
	/** Number of the newest entry. */
	readonly last: number
}

export interface HourSum {
	readonly operator: string
	/** Such as `2026-01-31T08`. */
	readonly hour: string
	readonly count: number
}

function createPainter() {
	const known = createRecent<Sums>()
	return {
		/** `newest`: number of the newest entry that is counted. `null` when a slice was summed up and more is left. */
		paint(question: FullFilter, newest: number, find: (range?: Range) => Found): LogPicture | null {
			const key = JSON.stringify(question)
			const last = known.get(key)
			// An entry stops being pinned by a later one: the only answer that changes for what is there already.
			const isKept = last !== undefined && (question.pinned !== true || last.of === newest)
			const sums = isKept ? last : known.set(key, {upTo: 0, of: newest, hosts: new Map(), writes: new Map()})
			// What is pinned is little, and an entry between two slices would begin its sums anew.
			const most = question.pinned === true ? newest : sums.upTo + sliceSize
			if (newest > sums.upTo) addSums(sums, find, Math.min(newest, most))
			sums.of = newest
			if (newest > sums.upTo) return null
			return {lanes: readLanes(find(), sums), hosts: sums.hosts.size, ...writesOf([...sums.writes.values()])}
		}
	}
}

function addSums(sums: Sums, find: (range: Range) => Found, upTo: number) {
	const found = find([sums.upTo, upTo])
	// Both are read before anything is added: what fails in between has changed nothing.
	const hosts = found.rows<HostSum>(
		// Beside `max`, SQLite gives the other columns of that row (https://sqlite.org/lang_select.html#bareagg). Without
		// `lower` in the grouping it would go through the index of targets and fetch each entry by itself.
		'lower(target_guid) AS guid, target_label AS label, count(*) AS entries, max(seq) AS last',
		'AND target_guid IS NOT NULL GROUP BY lower(target_guid)'
	)
	const writes = readWrites(found)
	for (const host of hosts) {
		const before = sums.hosts.get(host.guid)?.entries ?? 0
		sums.hosts.set(host.guid, {...host, entries: before + host.entries})
	}
	for (const {operator, hour, count} of writes) {
		const key = `${hour} ${operator}`
		sums.writes.set(key, {operator, hour, count: (sums.writes.get(key)?.count ?? 0) + count})
	}
	sums.upTo = upTo
}

/** Intents only: an outcome is the same change once more. */
function readWrites(found: Found) {
	const commands = writeCommands()
	return found.rows<HourSum>(
		'operator, substr(at, 1, 13) AS hour, count(*) AS count',
		`AND kind = 'command.requested' AND command IN (${commands.map(() => '?').join(', ')}) GROUP BY operator, hour`,
		...commands
	)
}

export interface MarkRow extends Pick<LogEntry, 'id' | 'at' | 'kind' | 'command'> {
	readonly guid: string
	/** The isolation that was confirmed. */
	readonly state: string | null
}

export const markColumns = `lower(target_guid) AS guid, id, at, kind, command, CASE kind WHEN 'command.observed' THEN data ->> '$.state' END AS state`

function readLanes(found: Found, {hosts}: Sums) {
	const lanes = [...hosts.values()].toSorted((one, other) => other.last - one.last).slice(0, mostLanes)
	if (lanes.length === 0) return []
	const marks = found.rows<MarkRow>(
		markColumns,
		`AND target_guid IN (${lanes.map(() => '?').join(', ')}) ORDER BY seq DESC LIMIT ${mostMarks}`,
		...lanes.map(({guid}) => guid)
	)
	return withMarks(lanes, marks)
}

export function withMarks(lanes: readonly HostSum[], marks: readonly MarkRow[]): readonly HostLane[] {
	const byLane = Map.groupBy(marks, ({guid}) => guid)
	return lanes.map(({guid, label, entries}) => ({
		guid,
		label,
		entries,
		marks: (byLane.get(guid) ?? []).map(({id, at, kind, command, state}) => ({
			...{id, at, kind},
			...(isMissed({kind, command, data: {state}}) && {missed: true})
		}))
	}))
}

const hourMs = 3_600_000

/** Nothing is left out: a longer time has longer steps. */
export function writesOf(sums: readonly HourSum[]): Pick<LogPicture, 'writes' | 'stepHours'> {
	if (sums.length === 0) return {writes: [], stepHours: 1}
	const hours = sums.map(({hour}) => Date.parse(`${hour}:00:00.000Z`) / hourMs)
	const first = hours.reduce((least, hour) => Math.min(least, hour))
	const last = hours.reduce((most, hour) => Math.max(most, hour))
	const stepHours = Math.ceil((last - first + 1) / mostSteps)
	const writes = new Map<string, WritesInStep>()
	sums.forEach(({operator, count}, index) => {
		const step = Math.floor(((hours[index] ?? first) - first) / stepHours)
		const hour = new Date((first + step * stepHours) * hourMs).toISOString()
		const key = `${hour} ${operator}`
		writes.set(key, {operator, hour, count: (writes.get(key)?.count ?? 0) + count})
	})
	return {writes: [...writes].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, write]) => write), stepHours}
}
