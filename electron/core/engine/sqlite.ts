/** `runs.db`: the storage port on SQLite. Synchronous, for its host: a worker, or the thread of the command line. */
import {join} from 'node:path'

import type {Database, Param} from '#core/store/database.ts'
import type {Migration} from '#core/store/migrations.ts'
import {openSoundFile} from '#core/store/sound-file.ts'
import type {
	DraftRow,
	RunChanged,
	RunHead,
	RunQuery,
	RunRepository,
	RunRow,
	SignalRow,
	StepOutline,
	StepQuery,
	StepRow,
	Tally,
	Window
} from './port.ts'
import {applyOps, isDurable, newestChange} from './sqlite-ops.ts'

/** `runs.db` in the profile, opened or created at first use. Tests that only kill processes need not wait for the disk. */
export function openRunRepository(profile: string, isSynced = isDurable): RunRepository {
	const path = join(profile, 'runs.db')
	const file = openSoundFile({path, synchronous: 'NORMAL', migrations: runMigrations})
	return {
		apply: ops => file.write(database => applyOps(database, ops), {durable: ops.some(isSynced)}),
		...queriesOf(file.read),
		close: file.close
	}
}

/** `runs.db`. Times are Unix milliseconds, values JSON. */
const runMigrations: readonly Migration[] = [
	`
  -- What runs began with. Runs of one definition share it.
  CREATE TABLE definition (digest TEXT PRIMARY KEY, body TEXT NOT NULL) STRICT;

  -- Definitions that nobody began yet.
  CREATE TABLE draft (
    id TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    subject TEXT,
    kept_at INTEGER NOT NULL,
    body TEXT NOT NULL
  ) STRICT;

  CREATE TABLE run (
    id TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    version INTEGER NOT NULL,
    subject TEXT,
    title TEXT NOT NULL,
    started_at INTEGER NOT NULL,
    started_by TEXT NOT NULL,
    ended_at INTEGER,
    state TEXT NOT NULL,
    phase TEXT,
    because TEXT,
    facts TEXT NOT NULL,
    definition TEXT REFERENCES definition (digest),
    failed TEXT NOT NULL,
    paused INTEGER NOT NULL DEFAULT 0,
    cancels INTEGER NOT NULL DEFAULT 0,
    -- The process that has it; NULL when it let go of it in order.
    owner_pid INTEGER,
    owner_started TEXT,
    -- How often it was claimed.
    epoch INTEGER NOT NULL,
    alive_at INTEGER NOT NULL,
    begun INTEGER NOT NULL DEFAULT 0,
    parent_run TEXT,
    parent_step TEXT,
    key TEXT UNIQUE,
    tally TEXT,
    -- Grows with every write to any run: what is above a number was written to since.
    changed INTEGER NOT NULL,
    input TEXT NOT NULL,
    output TEXT NOT NULL
  ) STRICT;
  CREATE INDEX run_started ON run (started_at, id);
  CREATE INDEX run_kind ON run (kind, started_at, id);
  CREATE INDEX run_subject ON run (subject, started_at, id);
  CREATE INDEX run_parent ON run (parent_run) WHERE parent_run IS NOT NULL;
  CREATE INDEX run_open ON run (state) WHERE ended_at IS NULL;
  CREATE UNIQUE INDEX run_changed ON run (changed);

  -- The newest number of a change: it never goes back, also when the run that had it is taken out.
  CREATE TABLE newest_change (number INTEGER NOT NULL) STRICT;
  INSERT INTO newest_change VALUES (0);

  CREATE TABLE step (
    run TEXT NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    position INTEGER NOT NULL,
    kind TEXT NOT NULL,
    label TEXT NOT NULL,
    phase TEXT NOT NULL,
    tag TEXT NOT NULL,
    attempt INTEGER NOT NULL,
    input TEXT NOT NULL,
    digest TEXT,
    output TEXT NOT NULL,
    error TEXT,
    past TEXT NOT NULL,
    begun_at INTEGER,
    ended_at INTEGER,
    due INTEGER,
    PRIMARY KEY (run, id)
  ) STRICT;
  CREATE INDEX step_position ON step (run, position);
  CREATE INDEX step_tag ON step (run, tag);
  -- Who is asked at this moment, over all runs.
  CREATE INDEX step_asks ON step (kind, phase) WHERE kind = 'decision' AND phase = 'intent';

  CREATE TABLE signal (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    run TEXT NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    id TEXT,
    payload TEXT NOT NULL,
    at INTEGER NOT NULL,
    -- The step that took it.
    taken_by TEXT,
    UNIQUE (run, id)
  ) STRICT;
  CREATE INDEX signal_waiting ON signal (run, name, seq) WHERE taken_by IS NULL;
  `,
	'CREATE INDEX run_window ON run (kind, subject, ended_at IS NULL, started_at, id);',
	`
  DROP INDEX step_asks;
  CREATE INDEX run_playbook ON run (facts ->> '$.playbook', started_at, id) WHERE facts ->> '$.playbook' IS NOT NULL;
  `
]

/** The columns beside `max` are those of its row (https://sqlite.org/lang_select.html#bareagg). */
const lastRuns = `id IN (SELECT id FROM (SELECT id, max(started_at) FROM run WHERE facts ->> '$.playbook' IS NOT NULL GROUP BY facts ->> '$.playbook'))`

const queries = {run: runOf, runs, steps, outline, tally, pending, definition, draft, changes} satisfies {
	readonly [Name in Exclude<keyof RunRepository, 'apply' | 'close'>]: (
		database: Database,
		...given: Parameters<RunRepository[Name]>
	) => ReturnType<RunRepository[Name]>
}

function queriesOf(read: <T>(work: (database: Database) => T) => T) {
	const bound = Object.entries(queries).map(([name, query]) => [name, (asked: never) => read(database => query(database, asked))])
	return Object.fromEntries(bound) as Omit<RunRepository, 'apply' | 'close'> // as `queries` says
}

function runOf(database: Database, id: string) {
	const row = database.get<FullRow>(`SELECT ${headColumns}, input, output FROM run WHERE id = ?`, id)
	return row && fullOf(row)
}

function definition(database: Database, digest: string): unknown {
	const row = database.get<{body: string}>('SELECT body FROM definition WHERE digest = ?', digest)
	return row && parsed(row.body)
}

function draft(database: Database, id: string): DraftRow | undefined {
	const sql = 'SELECT id, kind, subject, kept_at AS keptAt, body FROM draft WHERE id = ?'
	const row = database.get<DraftRow & {body: string}>(sql, id)
	return row && {...row, body: parsed(row.body)}
}

function changes(database: Database, since: number): ReturnType<RunRepository['changes']> {
	const now = newestChange(database)
	if (since < 0 || now === since) return {now, runs: []}
	const sql = 'SELECT id AS run, kind, subject FROM run WHERE changed > ? ORDER BY changed'
	return {now, runs: database.all<RunChanged>(sql, since)}
}

const headColumns = `id, kind, version, subject, title, started_at AS startedAt, started_by AS startedBy, ended_at AS endedAt, state,
  phase, because, facts, definition, failed, paused, cancels, owner_pid, owner_started, epoch, alive_at AS aliveAt, begun,
  parent_run, parent_step, key, tally`

interface HeadRow extends Omit<RunHead, 'facts' | 'failed' | 'paused' | 'owner' | 'begun' | 'parent' | 'tally'> {
	facts: string
	failed: string
	paused: number
	owner_pid: number | null
	owner_started: string
	begun: number
	parent_run: string | null
	parent_step: string
	tally: string | null
}

interface FullRow extends HeadRow {
	input: string
	output: string
}

function headOf({owner_pid: pid, owner_started: started, parent_run: run, parent_step: step, ...row}: HeadRow): RunHead {
	return {
		...row,
		facts: parsed(row.facts) as RunHead['facts'],
		failed: parsed(row.failed) as RunHead['failed'],
		paused: row.paused === 1,
		owner: pid === null ? null : {pid, started},
		begun: row.begun === 1,
		parent: run === null ? null : {run, step},
		tally: row.tally === null ? null : (parsed(row.tally) as Tally)
	}
}

function fullOf(row: FullRow): RunRow {
	return {...headOf(row), input: parsed(row.input), output: parsed(row.output)}
}

/** Written by this adapter alone, so its shape is known. */
function parsed(text: string): unknown {
	return JSON.parse(text)
}

interface Condition {
	sql: string
	params: readonly Param[]
}

function allOf(conditions: readonly (Condition | undefined)[]) {
	const given = conditions.filter(one => one !== undefined)
	const sql = given.length === 0 ? '' : `WHERE ${given.map(one => one.sql).join(' AND ')}`
	return {sql, params: given.flatMap(({params}) => params)}
}

function is(column: string, value: Param | undefined, operator = '='): Condition | undefined {
	return value === undefined ? undefined : {sql: `${column} ${operator} ?`, params: [value]}
}

function isIn(column: string, values: readonly string[] | undefined): Condition | undefined {
	if (values === undefined) return undefined
	return {sql: `${column} IN (SELECT value FROM json_each(?))`, params: [JSON.stringify(values)]}
}

function holds(columns: readonly string[], text: string | undefined): Condition | undefined {
	if (text === undefined || text === '') return undefined
	const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`
	const parts = columns.map(column => `${column} LIKE ? ESCAPE '\\'`)
	return {sql: `(${parts.join(' OR ')})`, params: columns.map(() => pattern)}
}

function runs(database: Database, query: RunQuery): Window<RunHead> {
	// An index has these alone; the signs keep SQLite from others.
	const areOpen = query.states?.every(state => state === 'open' || state === 'held') === true
	const {sql, params} = allOf([
		areOpen ? {sql: 'ended_at IS NULL', params: []} : undefined,
		is(areOpen ? '+kind' : 'kind', query.kind),
		is(areOpen ? '+subject' : 'subject', query.subject),
		isIn('subject', query.subjects),
		isIn('state', query.states),
		is('parent_run', query.parent),
		is('started_at', query.from, '>='),
		query.last === true ? {sql: lastRuns, params: []} : undefined,
		holds(['id', 'title', 'started_by'], query.search)
	])
	const first = query.openFirst === true ? 'ended_at IS NULL DESC, ' : ''
	const order = `ORDER BY ${first}started_at DESC, id DESC LIMIT ? OFFSET ?`
	const rows = database.all<HeadRow>(`SELECT ${headColumns} FROM run ${sql} ${order}`, ...params, query.limit, query.offset)
	return {rows: rows.map(headOf), matching: matching(database, 'run', {sql, params}, query, rows.length)}
}

/** The first window that is not full gives the total. */
function matching(
	database: Database,
	table: 'run' | 'step',
	{sql, params}: Condition,
	{offset, limit}: Pick<RunQuery, 'offset' | 'limit'>,
	found: number
) {
	if (offset === 0 && found < limit) return found
	return database.get<{n: number}>(`SELECT count(*) AS n FROM ${table} ${sql}`, ...params)?.n ?? 0
}

interface StepFields extends Omit<StepRow, 'input' | 'output' | 'error' | 'past' | 'begunAt' | 'endedAt'> {
	run: string
	input: string
	output: string
	error: string | null
	past: string
	begun_at: number | null
	ended_at: number | null
}

function steps(database: Database, query: StepQuery): Window<StepRow & {run: string}> {
	const {sql, params} = allOf([
		is('run', query.run),
		isIn('id', query.ids),
		isIn('kind', query.kinds),
		isIn('phase', query.phases),
		isIn('tag', query.tags),
		holds(['label', 'id'], query.search)
	])
	const rows = database.all<StepFields>(
		`SELECT * FROM step ${sql} ORDER BY run, position LIMIT ? OFFSET ?`,
		...[...params, query.limit, query.offset]
	)
	return {rows: rows.map(stepOf), matching: matching(database, 'step', {sql, params}, query, rows.length)}
}

function outline(database: Database, run: string) {
	return database.all<StepOutline>('SELECT id, label, kind, phase, attempt FROM step WHERE run = ? ORDER BY position', run)
}

function stepOf({begun_at, ended_at, ...row}: StepFields): StepRow & {run: string} {
	return {
		...row,
		input: parsed(row.input),
		output: parsed(row.output),
		error: row.error === null ? null : (parsed(row.error) as StepRow['error']),
		past: parsed(row.past) as StepRow['past'],
		begunAt: begun_at,
		endedAt: ended_at
	}
}

function tally(database: Database, ids: readonly string[]): Readonly<Record<string, Tally>> {
	const found: Record<string, Record<string, number>> = Object.fromEntries(ids.map(id => [id, {}]))
	const rows = database.all<{run: string; tag: string; n: number}>(
		'SELECT run, tag, count(*) AS n FROM step WHERE run IN (SELECT value FROM json_each(?)) GROUP BY run, tag',
		JSON.stringify(ids)
	)
	for (const {run, tag, n} of rows) (found[run] ??= {})[tag] = n
	return found
}

function pending(database: Database, run: string): ReturnType<RunRepository['pending']> {
	const row = database.get<Pick<HeadRow, 'epoch' | 'paused' | 'cancels'>>('SELECT epoch, paused, cancels FROM run WHERE id = ?', run)
	if (row === undefined) return undefined
	const signals = database.all<SignalRow & {payload: string}>(
		'SELECT seq, run, name, payload, at FROM signal WHERE run = ? AND taken_by IS NULL ORDER BY seq',
		run
	)
	return {
		epoch: row.epoch,
		cancels: row.cancels,
		paused: row.paused === 1,
		signals: signals.map(signal => ({...signal, payload: parsed(signal.payload)}))
	}
}
