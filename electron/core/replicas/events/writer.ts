import type {Database} from '#core/store/database.ts'
import type {EventType, ServiceEvent} from '#model/event.ts'
import {parseExact, stringifyExact} from '#model/exact-json.ts'
import {kindOf, outcomeOf} from './outcome.ts'
import {packRecord, recordAt} from './raw.ts'
import {addSpan, forgetSpansBefore, type ReadingState, type Span, writeReading, writeWanted} from './reading-state.ts'
import {type EventFacts, factsOf, furtherKey, idAt} from './record.ts'
import {makeSums, type Sums} from './sums.ts'
import {writeVocabulary} from './vocabulary.ts'
import {markOf, type StoredEvent} from './words.ts'

export interface Batch {
	readonly records: readonly ServiceEvent[]
	/** Unix milliseconds. */
	readonly readAt: number
	/** The span read with these records. */
	readonly span: Span | null
	readonly reading: ReadingState | null
}

export interface Written {
	readonly added: number
	readonly removed: number
}

/** Writes events. Each call is one transaction: a crash leaves nothing half done. */
export type EventWriter = ReturnType<typeof makeEventWriter>

export function makeEventWriter(database: Database) {
	const change = (work: () => Written) =>
		database.transaction(() => {
			const written = work()
			if (written.added + written.removed > 0) database.run('UPDATE revision SET value = value + 1')
			return written
		})
	return {
		put: (batch: Batch) => change(() => putBatch(database, batch)),
		types: (types: readonly EventType[]) => change(() => putTypes(database, types)),
		reading: (state: ReadingState) =>
			change(() => {
				writeReading(database, state)
				return nothing
			}),
		/** Removes a limited number of the oldest events: those before that id, and those beyond `most`. */
		trim: (options: {before: number; most: number; atOnce: number}) => change(() => trim(database, options))
	}
}

const nothing: Written = {added: 0, removed: 0}

interface Placed extends EventFacts {
	id: number
}

function putBatch(database: Database, {records, readAt, span, reading}: Batch): Written {
	const sums = makeSums(database)
	const detections = makeDetections(database, sums)
	const freeId = makeIds(database)
	const added: Placed[] = []
	// In time order: the index inserts ascending rows much faster.
	for (const facts of inOrder(records, readAt)) {
		const fresh = freshOf(database, facts)
		if (fresh === undefined) continue
		const id = freeId(fresh.stored)
		insertEvent(database, id, fresh)
		sums.count(id, fresh.stored, 1)
		detections.add(id, fresh.stored)
		added.push({...fresh, id})
		for (const field of unknownFieldsOf(fresh.record)) sums.unknown(field)
	}
	writeWords(database, added, detections)
	writeVocabulary(database, added)
	sums.write()
	if (span !== null) addSpan(database, span)
	if (reading !== null) writeReading(database, reading)
	return {added: added.length, removed: 0}
}

function inOrder(records: readonly ServiceEvent[], readAt: number) {
	return records
		.map(record => factsOf(record, readAt))
		.toSorted((one, other) => one.stored.ms - other.stored.ms || one.stored.ns - other.stored.ns)
}

function recordOf(json: string) {
	// Written by this program from a checked record.
	return parseExact(json) as unknown as ServiceEvent
}

/** `undefined` when it is already stored. */
function freshOf(database: Database, facts: EventFacts) {
	const {stored} = facts
	const known = sameKey(database, stored.key)
	if (known === undefined) return facts
	const same = stored.service_id === null || (known.type_id === stored.type_id && known.ms === stored.ms)
	if (same) return undefined
	const further = {...facts, stored: {...stored, key: furtherKey(stored)}}
	return sameKey(database, further.stored.key) === undefined ? further : undefined
}

function sameKey(database: Database, key: string) {
	return database.get<Pick<StoredEvent, 'type_id' | 'ms'>>('SELECT type_id, ms FROM event WHERE key = ?', key)
}

/** Last ids given at a moment, so that a thousand equal times do not search all before. */
function makeIds(database: Database): (event: StoredEvent) => number {
	const next = new Map<number, number>()
	return ({ms, ns}) => {
		const moment = idAt(ms, ns)
		let id = next.get(moment) ?? moment
		while (database.get('SELECT 1 FROM event WHERE id = ?', id) !== undefined) id += 1
		next.set(moment, id + 1)
		return id
	}
}

/** Keys of a literal in `record.ts`, never data. */
const columns = Object.keys(factsOf({}, 0).stored) as readonly (keyof StoredEvent)[]
const insertSql = `INSERT INTO event (id, ${columns.join(', ')}) VALUES (?${', ?'.repeat(columns.length)})`

function insertEvent(database: Database, id: number, {stored, record}: EventFacts) {
	database.run(insertSql, id, ...columns.map(column => stored[column]))
	database.run('INSERT INTO raw VALUES (?, ?)', id, packRecord(stringifyExact(record)))
	database.run('INSERT INTO arrival (id) VALUES (?)', id)
}

/** Writes new events, and earlier ones of detections whose outcome changed. */
function writeWords(database: Database, added: readonly Placed[], detections: Detections) {
	const fresh = new Set(added.map(({id}) => id))
	const turned = detections
		.turned()
		.filter(id => !fresh.has(id))
		.map(id => placedOf(database, id))
	for (const {id} of turned) database.run('DELETE FROM words WHERE rowid = ?', BigInt(id))
	for (const placed of [...added, ...turned].toSorted((one, other) => one.id - other.id))
		insertWords(database, placed, detections.outcome(placed.stored.detection_id))
}

const wordsSql =
	'INSERT INTO words (rowid, host, user, file, path, detection, type, hash, net, url, other, mark) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)'

function insertWords(database: Database, {id, stored, words, addresses, hashes}: Placed, outcome: string | null) {
	const {host, user, file, path, detection, type, hash, net, url, other} = words
	const mark = markOf(stored, {addresses, hashes, outcome})
	database.run(wordsSql, BigInt(id), host, user, file, path, detection, type, hash, net, url, other, mark)
}

function placedOf(database: Database, id: number): Placed {
	return {...factsOf(recordOf(recordAt(database, id)), id / idAt(1)), id}
}

function putTypes(database: Database, types: readonly EventType[]) {
	const before = JSON.stringify(database.all('SELECT * FROM event_type ORDER BY id'))
	database.run('DELETE FROM event_type')
	for (const {id, name, description} of types) database.run('INSERT OR REPLACE INTO event_type VALUES (?, ?, ?)', id, name, description ?? '')
	return JSON.stringify(database.all('SELECT * FROM event_type ORDER BY id')) === before ? nothing : {added: 1, removed: 0}
}

function trim(database: Database, options: Parameters<EventWriter['trim']>[0]) {
	const {stored} = database.get<{stored: number}>('SELECT coalesce(sum(n), 0) AS stored FROM hourly') ?? {stored: 0}
	const beyond = Math.max(0, stored - options.most)
	const old = database.all<StoredEvent & {id: number}>('SELECT * FROM event ORDER BY id LIMIT ?', options.atOnce)
	const leaving = old.filter(({id}, place) => place < beyond || id < options.before)
	if (leaving.length === 0) return nothing
	const sums = makeSums(database)
	const detections = makeDetections(database, sums)
	for (const event of leaving) {
		sums.count(event.id, event, -1)
		detections.remove(event.id, event)
		for (const table of ['event', 'raw', 'chain', 'follower', 'arrival']) database.run(`DELETE FROM ${table} WHERE id = ?`, event.id)
		database.run('DELETE FROM words WHERE rowid = ?', BigInt(event.id))
	}
	sums.write()
	// Events removed for space must not be read again.
	const last = leaving[Math.min(beyond, leaving.length) - 1]
	if (last !== undefined && last.id >= options.before) {
		forgetSpansBefore(database, last.ms + 1)
		writeWanted(database, last.ms + 1)
	}
	return {added: 0, removed: leaving.length}
}

const words = (text: string) => new Set(text.split(' '))

/** Fields of events in the API reference, 6.1. */
const known: Readonly<Record<string, ReadonlySet<string>>> = {
	'': words(
		'id timestamp timestamp_nanoseconds date event_type event_type_id detection detection_id connector_guid group_guids severity ' +
			'start_timestamp start_date computer hostname file scan error fault_event_title intervention_required cloud_ioc command_line ' +
			'network_info vulnerabilities tactics techniques threat_hunting isolation bp_data user_name'
	),
	computer: words('connector_guid hostname external_ip user active network_addresses links'),
	file: words('disposition file_name file_path file_size identity parent archived_file attack_details'),
	network_info: words('dirty_url url remote_ip remote_port local_ip local_port disposition nfm parent')
}

/** Unknown fields, with their block. */
function unknownFieldsOf(record: Readonly<Record<string, unknown>>) {
	return Object.entries(known).flatMap(([block, names]) => {
		const value = block === '' ? record : record[block]
		if (typeof value !== 'object' || value === null) return []
		return Object.keys(value)
			.filter(name => !names.has(name))
			.map(name => (block === '' ? name : `${block}.${name}`))
	})
}

interface DetectionRow {
	no: number
	kinds: number
	newest: number
	events: number
}

interface Known extends DetectionRow {
	/** The value before this transaction. */
	before: string | null
	earlier: number
}

/** The detections of one transaction's events, and their outcomes. */
type Detections = ReturnType<typeof makeDetections>

function makeDetections(database: Database, sums: Sums) {
	const known = new Map<string, Known>()
	const find = (detectionId: string) => {
		const met = known.get(detectionId)
		if (met !== undefined) return met
		const row = database.get<DetectionRow>('SELECT * FROM detection WHERE detection_id = ?', detectionId)
		if (row === undefined) return undefined
		const found = {...row, before: outcomeOf(row.kinds), earlier: row.events}
		known.set(detectionId, found)
		return found
	}
	const make = (detectionId: string, id: number): Known => {
		const sql = 'INSERT INTO detection (detection_id, kinds, newest, events) VALUES (?, 0, ?, 0)'
		const {lastId} = database.run(sql, detectionId, id)
		const made = {no: lastId, kinds: 0, newest: id, events: 0, before: null, earlier: 0}
		known.set(detectionId, made)
		return made
	}
	return {
		add(id: number, event: StoredEvent) {
			if (event.detection_id === null) return
			const detection = find(event.detection_id) ?? make(event.detection_id, id)
			const [newest, older] = id >= detection.newest ? [id, detection.newest] : [detection.newest, id]
			const outcome = outcomeOf(detection.kinds)
			detection.kinds |= kindOf(event.type_id)
			detection.newest = newest
			if (detection.events > 0) database.run('INSERT OR IGNORE INTO follower VALUES (?)', older)
			detection.events += 1
			const after = outcomeOf(detection.kinds)
			if (outcome !== null) sums.facet('outcome', outcome, outcome, -(detection.events - 1))
			if (after !== null) sums.facet('outcome', after, after, detection.events)
			database.run('INSERT INTO chain VALUES (?, ?)', id, detection.no)
			save(database, detection)
		},
		remove(_id: number, event: StoredEvent) {
			if (event.detection_id === null) return
			const detection = find(event.detection_id)
			if (detection === undefined) return
			const outcome = outcomeOf(detection.kinds)
			if (outcome !== null) sums.facet('outcome', outcome, outcome, -1)
			detection.events -= 1
			save(database, detection)
		},
		outcome: (detectionId: string | null) => {
			const detection = detectionId === null ? undefined : find(detectionId)
			return detection === undefined ? null : outcomeOf(detection.kinds)
		},
		/** Event ids of all detections whose outcome changed. */
		turned: () =>
			[...known.values()]
				.filter(({before, earlier, kinds}) => earlier > 0 && before !== outcomeOf(kinds))
				.flatMap(({no}) => database.all<{id: number}>('SELECT id FROM chain WHERE detection = ?', no).map(({id}) => id))
	}
}

function save(database: Database, {no, kinds, newest, events}: DetectionRow) {
	if (events === 0) database.run('DELETE FROM detection WHERE no = ?', no)
	else {
		const sql = 'UPDATE detection SET kinds = ?, outcome = ?, newest = ?, events = ? WHERE no = ?'
		database.run(sql, kinds, outcomeOf(kinds), newest, events, no)
	}
}
