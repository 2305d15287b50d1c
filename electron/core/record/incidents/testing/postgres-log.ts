/**
 * The log's repository over PostgreSQL: what callers see is the same as over SQLite, each answer when the server has
 * committed. It proves that the port takes another adapter; conditions and forms of entries are those of the log.
 */
import pg from 'pg'

import {CordonError, messageOf} from '#contract/errors.ts'
import type {LogEntry, Pin} from '#model/incident.ts'

import {timeOrderedId} from '#base/ids.ts'
import type {AsyncOf} from '#core/store/async.ts'
import {batch, chainStart, linkOf, partOf, type Linked} from '../chain.ts'
import {columns, entryOf, paramsOf, type EntryRow} from '../entry-row.ts'
import {allOf, anyOf, conditionsOf, idCondition, likeCondition, searchedWords, writeCommands} from '../filter.ts'
import {unknownIncident} from '../known.ts'
import {isStep, lineOf} from '../locate.ts'
import {completeEntry, refuseCredentials} from '../new-entry.ts'
import {pinOf, pinEntry, pinsSelect, type PinRow} from '../pins.ts'
import {
	type HostSum,
	type HourSum,
	incidentOf,
	type IncidentRow,
	incidentSelect,
	type LogOptions,
	markColumns,
	type MarkRow,
	mostLanes,
	mostMarks,
	openingEntry,
	turningEntry,
	withMarks,
	writesOf
} from '../sqlite-log.ts'
import type {LogRepository, LogSearch, NewEntry} from '../types.ts'

export interface PostgresOptions extends Pick<LogOptions, 'clock' | 'random' | 'operator'> {
	/** Folder of the server's socket. */
	host: string
	user: string
}

/** In one transaction, and by one process at a time. */
const schema = `
  SELECT pg_advisory_xact_lock(1);
  CREATE EXTENSION IF NOT EXISTS citext;
  CREATE TABLE IF NOT EXISTS entry (
    seq bigint PRIMARY KEY, id text COLLATE "C" NOT NULL UNIQUE, at text COLLATE "C" NOT NULL, kind text NOT NULL,
    about text, incident text, command text, args text, target_guid citext, target_label citext, connection_id text,
    connection_name citext, connection_url text, operator text COLLATE "C" NOT NULL, surface text NOT NULL,
    duration_ms double precision, status integer, request_id text, message text NOT NULL, data json
  );
  CREATE INDEX IF NOT EXISTS entry_about ON entry (about);
  CREATE TABLE IF NOT EXISTS chain (seq bigint PRIMARY KEY, hash text NOT NULL);
  CREATE OR REPLACE FUNCTION only_appended() RETURNS trigger LANGUAGE plpgsql
  AS $$ BEGIN RAISE EXCEPTION 'entries of the incident log are never changed or removed'; END $$;
  CREATE OR REPLACE TRIGGER entry_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON entry EXECUTE FUNCTION only_appended();
  CREATE OR REPLACE TRIGGER chain_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON chain EXECUTE FUNCTION only_appended();`

/** Numbers as numbers, all else as the text that was stored: the chain is made of it. */
const numeric = new Set([20, 21, 23, 700, 701, 1700])
const types = {getTypeParser: (type: number) => (text: string) => (numeric.has(type) ? Number(text) : text)}

type Values = readonly (string | number | bigint | Uint8Array | null | readonly (string | number)[])[]

/** One connection, or the pool. */
interface Rows {
	<Row>(sql: string, values?: Values): Promise<readonly Row[]>
}

const rowsOf =
	(client: Pick<pg.ClientBase, 'query'>): Rows =>
	async <Row>(sql: string, values: Values = []) =>
		// As in `Database`: the caller knows its own schema.
		(await client.query({text: sql, values: [...values], types: types as pg.CustomTypesConfig})).rows as Row[]

/** The log's conditions are SQLite's: `?` for a value, `LIKE` for any case, paths into JSON, signs against an index. */
function translated(sql: string) {
	let value = 0
	const own = sql
		.replaceAll(' LIKE ', ' ILIKE ')
		.replaceAll(/\++(?=[a-z])/g, '')
		.replaceAll(/->> '\$?\.?(\w+)'/g, "->> '$1'")
	return own.replaceAll('?', () => `$${(value += 1)}`)
}

function conditionOf(query: LogSearch) {
	const words = searchedWords(query)
	const byId = idCondition(words)
	const textual = likeCondition(words)
	return allOf([...conditionsOf(query), byId === undefined ? textual : anyOf([textual, byId])])
}

export async function openPostgresLog(options: PostgresOptions): Promise<AsyncOf<LogRepository>> {
	const pool = new pg.Pool({host: options.host, user: options.user, database: 'postgres', max: 4})
	// A connection that the server ends, in use or not, is replaced with the next question.
	pool.on('error', () => {})
	pool.on('connect', client => client.on('error', () => {}))
	await pool.query(schema)
	const rows = rowsOf(pool)
	return {...readers(rows), ...writers(pool, options), stop: () => pool.end()}
}

async function entries(rows: Rows, sql: string, values?: Values): Promise<readonly LogEntry[]> {
	return (await rows<EntryRow>(sql, values)).map(entryOf)
}

function find<Row>(rows: Rows, query: LogSearch, select: string, rest: string, ...values: Values) {
	const {sql, params} = conditionOf(query)
	return rows<Row>(translated(`SELECT ${select} FROM entry WHERE ${sql} ${rest}`), [...params, ...values])
}

type Writing = 'append' | 'appendAll' | 'appendOnce' | 'setPinned' | 'openIncident' | 'setIncidentOpen'

function readers(rows: Rows): Omit<AsyncOf<LogRepository>, Writing | 'stop'> {
	const number = async (sql: string, values?: Values) => (await rows<{n: number}>(sql, values))[0]?.n ?? 0
	return {
		openChanges: () =>
			entries(
				rows,
				`SELECT * FROM entry WHERE kind = 'command.requested' AND command = ANY($1) AND NOT EXISTS (
           SELECT 1 FROM entry AS outcome WHERE outcome.about = entry.id
           AND outcome.kind IN ('command.succeeded', 'command.failed', 'command.outcome_unknown')) ORDER BY seq`,
				[writeCommands()]
			),
		query: async query => {
			const order = query.after === undefined ? 'DESC' : 'ASC'
			const range = [query.after ?? 0, query.before ?? Number.MAX_SAFE_INTEGER, query.limit + 1]
			const found = await find<EntryRow>(rows, query, '*', `AND seq > ? AND seq < ? ORDER BY seq ${order} LIMIT ?`, ...range)
			const [count] = await find<{n: number}>(rows, query, 'count(*) AS n', '')
			const page = found.slice(0, query.limit).map(entryOf)
			return {entries: page, more: found.length > query.limit, matching: count?.n ?? 0}
		},
		entry: async id => (await entries(rows, 'SELECT * FROM entry WHERE id = $1', [id]))[0],
		thread: id =>
			entries(
				rows,
				`SELECT * FROM entry WHERE id IN ($1, (SELECT about FROM entry WHERE id = $1))
         OR about IN ($1, (SELECT about FROM entry WHERE id = $1)) ORDER BY seq DESC LIMIT 100`,
				[id]
			),
		newest: () => number('SELECT max(seq) AS n FROM entry'),
		linesAfter: async (query, ...range) =>
			(await find<{line: number}>(rows, query, `${lineOf} AS line`, 'AND seq > ? AND seq <= ? ORDER BY seq', ...range)).map(({line}) => line),
		stepsOf: ids => entries(rows, `SELECT * FROM entry WHERE about = ANY($1) AND ${isStep} ORDER BY seq`, [ids]),
		entriesAt: seqs => entries(rows, 'SELECT * FROM entry WHERE seq = ANY($1) ORDER BY seq DESC', [seqs]),
		earliestAfter: async after => (await rows<{at: string | null}>('SELECT min(at) AS at FROM entry WHERE seq > $1', [after]))[0]?.at ?? null,
		seqsBefore: async times =>
			(
				await rows<{seq: number}>(
					`SELECT coalesce((SELECT seq FROM entry WHERE at < time ORDER BY at DESC, seq DESC LIMIT 1), 0) AS seq
           FROM unnest($1::text[]) WITH ORDINALITY AS asked (time, place) ORDER BY place`,
					[times]
				)
			).map(({seq}) => seq),
		pins: () => readPins(rows),
		people: async () => (await rows<{operator: string}>('SELECT DISTINCT operator FROM entry ORDER BY operator')).map(({operator}) => operator),
		picture: query => paint(rows, query),
		about: (connection, guid, limit) =>
			entries(
				rows,
				`WITH mine AS (SELECT id FROM entry WHERE target_guid = $1 AND connection_id = $2 AND command = ANY($4))
         SELECT * FROM entry WHERE kind LIKE 'command.%' AND (id IN (SELECT id FROM mine) OR about IN (SELECT id FROM mine))
         ORDER BY seq DESC LIMIT $3`,
				[guid, connection, limit, writeCommands()]
			),
		matching: async (query, after, limit, upTo = Number.MAX_SAFE_INTEGER) =>
			(await find<EntryRow>(rows, query, '*', 'AND seq > ? AND seq <= ? ORDER BY seq LIMIT ?', after, upTo, limit)).map(entryOf),
		verifyPart: async from => {
			const newest = await number('SELECT max(seq) AS n FROM chain')
			const sql = 'SELECT entry.*, hash FROM entry LEFT JOIN chain USING (seq) WHERE seq > $1 ORDER BY seq LIMIT $2'
			return partOf(from, await rows<Linked>(sql, [from.seq, batch]), newest)
		},
		head: async () => (await rows<Link>('SELECT seq, hash FROM chain ORDER BY seq DESC LIMIT 1'))[0] ?? null,
		hashAt: seq => hashAt(rows, seq),
		incidents: async () => (await rows<IncidentRow>(translated(`${incidentSelect} ORDER BY opened.seq DESC`))).map(incidentOf)
	}
}

interface Link {
	seq: number
	hash: string
}

async function hashAt(rows: Rows, seq: number) {
	return (await rows<Link>('SELECT seq, hash FROM chain WHERE seq = $1', [seq]))[0]?.hash ?? null
}

async function readPins(rows: Rows): Promise<ReadonlyMap<string, Pin>> {
	return new Map((await rows<PinRow>(translated(pinsSelect))).map(row => [row.about, pinOf(row)]))
}

async function paint(rows: Rows, query: LogSearch): ReturnType<AsyncOf<LogRepository>['picture']> {
	const hosts = await find<HostSum>(
		rows,
		query,
		`lower(target_guid) AS guid, (array_agg(target_label ORDER BY seq DESC))[1] AS label, count(*) AS entries, max(seq) AS last`,
		'AND target_guid IS NOT NULL GROUP BY lower(target_guid) ORDER BY last DESC'
	)
	const lanes = hosts.slice(0, mostLanes)
	const guids = lanes.map(({guid}) => guid)
	const marks = await find<MarkRow>(rows, query, markColumns, `AND lower(target_guid) = ANY(?) ORDER BY seq DESC LIMIT ${mostMarks}`, guids)
	const writes = await find<HourSum>(
		rows,
		query,
		'operator, substr(at, 1, 13) AS hour, count(*) AS count',
		`AND kind = 'command.requested' AND command = ANY(?) GROUP BY operator, hour`,
		writeCommands()
	)
	return {lanes: withMarks(lanes, marks), hosts: hosts.length, ...writesOf(writes)}
}

type Add = (entry: NewEntry) => Promise<LogEntry>

function writers(pool: pg.Pool, options: PostgresOptions): Pick<AsyncOf<LogRepository>, Writing> {
	/** One after the other, whichever process it is: the number of an entry and its link follow from the one before. */
	const write = async <T>(work: (add: Add, rows: Rows) => Promise<T>) => {
		const client = await pool.connect().catch(unavailable)
		const rows = rowsOf(client)
		try {
			await client.query('BEGIN; LOCK TABLE entry IN SHARE ROW EXCLUSIVE MODE')
			const done = await work(entry => insert(rows, entry, options), rows)
			await client.query('COMMIT')
			return done
		} catch (error) {
			await client.query('ROLLBACK').catch(() => {})
			return unavailable(error)
		} finally {
			client.release()
		}
	}
	const incident = async (rows: Rows, id: string) => {
		const [row] = await rows<IncidentRow>(translated(`${incidentSelect} AND opened.incident = ?`), [id])
		if (row === undefined) throw unknownIncident(id)
		return incidentOf(row)
	}
	return {
		append: entry => write(add => add(entry)),
		appendAll: all =>
			write(async add => {
				const added: LogEntry[] = []
				for (const entry of all) added.push(await add(entry))
				return added
			}),
		appendOnce: (entry, kinds) =>
			write(async (add, rows) => {
				const told = await rows('SELECT 1 FROM entry WHERE about = $1 AND kind = ANY($2)', [entry.about, kinds])
				return told.length > 0 ? undefined : await add(entry)
			}),
		setPinned: request =>
			write(async (add, rows) => {
				const [entry] = await entries(rows, 'SELECT * FROM entry WHERE id = $1', [request.id])
				const isPinned = (await readPins(rows)).has(request.id)
				const wanted = pinEntry(entry, request, isPinned, entry === undefined ? null : await hashAt(rows, entry.seq))
				return wanted === undefined ? null : await add(wanted)
			}),
		openIncident: (input, surface) =>
			write(async (add, rows) => {
				const id = timeOrderedId(options.clock.now(), options.random)
				await add(openingEntry(id, input, surface))
				return await incident(rows, id)
			}),
		setIncidentOpen: (id, open, surface) =>
			write(async (add, rows) => {
				const found = await incident(rows, id)
				if (found.open !== open) await add(turningEntry(found, open, surface))
				return await incident(rows, id)
			})
	}
}

async function insert(rows: Rows, entry: NewEntry, {clock, random, operator}: PostgresOptions) {
	refuseCredentials(entry)
	const now = clock.now()
	const [last] = await rows<Link>('SELECT seq, hash FROM chain ORDER BY seq DESC LIMIT 1')
	const seq = (last?.seq ?? 0) + 1
	const own = {seq, id: timeOrderedId(now, random), at: new Date(now).toISOString(), operator}
	const complete = completeEntry(entry, own)
	const values = paramsOf(complete)
	const [row] = await rows<EntryRow>(
		`INSERT INTO entry (${columns.join(', ')}) VALUES (${columns.map((_, index) => `$${index + 1}`).join(', ')}) RETURNING *`,
		columns.map(column => values[column] ?? null)
	)
	if (row !== undefined) await rows('INSERT INTO chain (seq, hash) VALUES ($1, $2)', [seq, linkOf(last?.hash ?? chainStart.hash, row)])
	return complete
}

function unavailable(error: unknown): never {
	if (error instanceof CordonError) throw error
	const reason = messageOf(error)
	throw new CordonError('log_unavailable', `The incident log cannot be written: ${reason}.`, {}, {cause: error})
}
