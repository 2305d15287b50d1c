/**
 * Staged changes of file lists: `drafts.db` in the profile. What a person gathered is not lost by a crash, a power cut or
 * the end of the console.
 */
import {mkdirSync} from 'node:fs'
import {join} from 'node:path'

import type {ListOperation} from '#model/list-draft.ts'

import {openDatabase, type Database} from '#core/store/database.ts'
import {migrate, type Migration} from '#core/store/migrations.ts'
import type {StagedRow} from './lint.ts'

const steps: readonly Migration[] = [
	`
  CREATE TABLE draft (
    id INTEGER PRIMARY KEY,
    connection TEXT NOT NULL,
    list TEXT NOT NULL,
    revision INTEGER NOT NULL DEFAULT 0,
    UNIQUE (connection, list)
  ) STRICT;

  -- In the order in which they were first given. The key is the hash in lower case, or the text that is none.
  CREATE TABLE draft_row (
    number INTEGER PRIMARY KEY,
    draft INTEGER NOT NULL REFERENCES draft (id) ON DELETE CASCADE,
    key TEXT NOT NULL,
    operation TEXT NOT NULL,
    note TEXT NOT NULL,
    source TEXT NOT NULL,
    place TEXT,
    given INTEGER NOT NULL,
    reason TEXT,
    UNIQUE (draft, key)
  ) STRICT;

  -- What the service said of a hash, for as long as its draft is there.
  CREATE TABLE draft_prevalence (
    draft INTEGER NOT NULL REFERENCES draft (id) ON DELETE CASCADE,
    key TEXT NOT NULL,
    computers INTEGER NOT NULL,
    PRIMARY KEY (draft, key)
  ) STRICT, WITHOUT ROWID;
  `,
	`
  -- The job that last took rows from here.
  ALTER TABLE draft ADD COLUMN job TEXT;
  -- The plan that this row is part of, and what came of it where it was not done.
  ALTER TABLE draft_row ADD COLUMN plan TEXT;
  ALTER TABLE draft_row ADD COLUMN result TEXT;
  CREATE INDEX draft_row_plan ON draft_row (plan) WHERE plan IS NOT NULL;
  `,
]

export interface DraftId {
	readonly connection: string
	/** GUID, lower case. */
	readonly list: string
}

export interface NewRow {
	readonly key: string
	readonly note: string
	readonly source: string
	readonly place: string
}

interface PlannedRow {
	readonly key: string
	readonly operation: ListOperation
	readonly note: string
}

interface StageCounts {
	readonly added: number
	readonly changed: number
	readonly repeated: number
}

export interface Drafts {
	revision(draft: DraftId): number
	rows(draft: DraftId): readonly StagedRow[]
	/** The same hash again counts once more; with the other operation or a note it takes the place of what was staged. */
	stage(draft: DraftId, operation: ListOperation, rows: readonly NewRow[]): StageCounts
	annotate(
		draft: DraftId,
		keys: readonly string[],
		change: {readonly note?: string | undefined; readonly reason?: string | null | undefined},
	): void
	drop(draft: DraftId, keys: readonly string[]): void
	discard(draft: DraftId): void
	prevalence(draft: DraftId): ReadonlyMap<string, number>
	/** Of all drafts of a connection. */
	prevalenceOf(connection: string): ReadonlyMap<string, number>
	setPrevalence(draft: DraftId, key: string, computers: number): void
	/**
	 * These rows are part of a plan now, and no longer of an earlier one. `false`, and none of them is, where one is not what was
	 * planned any more.
	 */
	planned(draft: DraftId, rows: readonly PlannedRow[], plan: string): boolean
	/** Keys of the rows that are part of a plan, and the draft they are in; `undefined` when none is. */
	partOf(plan: string): {readonly draft: DraftId; readonly keys: ReadonlySet<string>} | undefined
	/** Every plan that rows are part of. */
	plans(): readonly string[]
	lastJob(draft: DraftId): string | null
	setJob(draft: DraftId, job: string): void
	/** What came of the rows of a plan, by key: those done leave. */
	settle(plan: string, results: ReadonlyMap<string, {readonly done: boolean; readonly result: string | null}>): void
	/** Of a connection that was removed. */
	forget(connection: string): void
	stop(): void
}

/** Throws `storage` when the file cannot be opened. */
export function openDrafts(profile: string): Drafts {
	mkdirSync(profile, {recursive: true, mode: 0o700})
	const database = openDatabase(join(profile, 'drafts.db'), {synchronous: 'FULL'})
	try {
		migrate(database, steps)
	} catch (error) {
		database.close()
		throw error
	}
	return {...readers(database), ...writers(database), ...commits(database), stop: () => database.close()}
}

function idOf(database: Database, {connection, list}: DraftId) {
	const row = database.get<{id: number}>('SELECT id FROM draft WHERE connection = ? AND list = ?', connection, list)
	return row?.id
}

function readers(database: Database): Pick<Drafts, 'revision' | 'rows' | 'prevalence' | 'prevalenceOf'> {
	return {
		revision: ({connection, list}) =>
			database.get<{revision: number}>('SELECT revision FROM draft WHERE connection = ? AND list = ?', connection, list)?.revision ??
			0,
		rows: draft =>
			database.all<StagedRow>(
				`SELECT key, operation, note, source, place, given, reason, result FROM draft_row WHERE draft = ? ORDER BY number`,
				idOf(database, draft) ?? 0,
			),
		prevalenceOf: connection =>
			new Map(
				database
					.all<{key: string; computers: number}>(
						`SELECT key, max(computers) AS computers FROM draft_prevalence JOIN draft ON draft.id = draft
             WHERE connection = ? GROUP BY key`,
						connection,
					)
					.map(({key, computers}) => [key, computers]),
			),
		prevalence: draft =>
			new Map(
				database
					.all<{key: string; computers: number}>(
						'SELECT key, computers FROM draft_prevalence WHERE draft = ?',
						idOf(database, draft) ?? 0,
					)
					.map(({key, computers}) => [key, computers]),
			),
	}
}

type Commits = Pick<Drafts, 'planned' | 'partOf' | 'plans' | 'lastJob' | 'setJob' | 'settle'>

function commits(database: Database): Commits {
	const {partOf, plans, lastJob} = commitReaders(database)
	return {
		partOf,
		plans,
		lastJob,
		planned: (draft, rows, plan) =>
			database.transaction(() => {
				const id = idOf(database, draft) ?? 0
				const same = 'draft = ? AND key = ? AND operation = ? AND note = ?'
				const isThere = ({key, operation, note}: PlannedRow) =>
					database.get(`SELECT 1 FROM draft_row WHERE ${same}`, id, key, operation, note) !== undefined
				if (!rows.every(isThere)) return false
				for (const {key} of rows) database.run('UPDATE draft_row SET plan = ? WHERE draft = ? AND key = ?', plan, id, key)
				return true
			}),
		setJob: (draft, job) => change(database, draft, id => database.run('UPDATE draft SET job = ? WHERE id = ?', job, id)),
		settle: (plan, results) => {
			const found = partOf(plan)
			if (found === undefined) return
			change(database, found.draft, () => {
				for (const [key, {done, result}] of results)
					if (done) database.run('DELETE FROM draft_row WHERE plan = ? AND key = ?', plan, key)
					else database.run('UPDATE draft_row SET result = ? WHERE plan = ? AND key = ?', result, plan, key)
			})
		},
	}
}

function commitReaders(database: Database): Pick<Commits, 'partOf' | 'plans' | 'lastJob'> {
	return {
		partOf: plan => {
			const rows = database.all<DraftId & {readonly key: string}>(
				'SELECT connection, list, key FROM draft_row JOIN draft ON draft.id = draft WHERE plan = ?',
				plan,
			)
			const [first] = rows
			if (first === undefined) return undefined
			const {connection, list} = first
			return {draft: {connection, list}, keys: new Set(rows.map(({key}) => key))}
		},
		plans: () => database.all<{plan: string}>('SELECT DISTINCT plan FROM draft_row WHERE plan IS NOT NULL').map(({plan}) => plan),
		lastJob: draft =>
			database.get<{job: string | null}>('SELECT job FROM draft WHERE id = ?', idOf(database, draft) ?? 0)?.job ?? null,
	}
}

/** Within one transaction, with a new revision. */
function change<T>(database: Database, {connection, list}: DraftId, work: (id: number) => T) {
	return database.transaction(() => {
		database.run(
			`INSERT INTO draft (connection, list, revision) VALUES (?, ?, 1)
       ON CONFLICT DO UPDATE SET revision = revision + 1`,
			connection,
			list,
		)
		return work(idOf(database, {connection, list}) ?? 0)
	})
}

function writers(database: Database): Omit<Drafts, keyof Commits | 'revision' | 'rows' | 'prevalence' | 'prevalenceOf' | 'stop'> {
	return {
		stage: (draft, operation, rows) => change(database, draft, id => stageAll(database, id, operation, rows)),
		annotate: (draft, keys, {note, reason}) =>
			change(database, draft, id => {
				for (const key of keys) {
					// A job that has not come to it yet carries out what it was: the row stays. One that failed is tried again with it.
					if (note !== undefined)
						database.run(
							'UPDATE draft_row SET note = ?, plan = iif(note = ? OR result IS NOT NULL, plan, NULL) WHERE draft = ? AND key = ?',
							...[note, note, id, key],
						)
					if (reason !== undefined) database.run('UPDATE draft_row SET reason = ? WHERE draft = ? AND key = ?', reason, id, key)
				}
			}),
		drop: (draft, keys) =>
			change(database, draft, id => {
				for (const key of keys) database.run('DELETE FROM draft_row WHERE draft = ? AND key = ?', id, key)
			}),
		discard: draft =>
			change(database, draft, id => {
				database.run('DELETE FROM draft_row WHERE draft = ?', id)
				database.run('DELETE FROM draft_prevalence WHERE draft = ?', id)
			}),
		setPrevalence: (draft, key, computers) =>
			change(database, draft, id => {
				database.run('INSERT OR REPLACE INTO draft_prevalence VALUES (?, ?, ?)', id, key, computers)
			}),
		forget: connection => void database.run('DELETE FROM draft WHERE connection = ?', connection),
	}
}

function stageAll(database: Database, id: number, operation: ListOperation, rows: readonly NewRow[]): StageCounts {
	const counts = {added: 0, changed: 0, repeated: 0}
	const find = database.prepare('SELECT operation, note FROM draft_row WHERE draft = ? AND key = ?')
	for (const row of rows) {
		const known = find.get<{operation: ListOperation; note: string}>(id, row.key)
		if (known === undefined) {
			counts.added += 1
			insert(database, id, operation, row)
			continue
		}
		const differs = known.operation !== operation || (row.note !== '' && row.note !== known.note)
		counts[differs ? 'changed' : 'repeated'] += 1
		database.run(
			`UPDATE draft_row SET given = given + 1, operation = ?, note = iif(? = '', note, ?),
         reason = iif(operation = ?, reason, NULL),
         plan = iif(operation = ? AND (? IN ('', note) OR result IS NOT NULL), plan, NULL),
         result = NULL WHERE draft = ? AND key = ?`,
			...[operation, row.note, row.note, operation, operation, row.note, id, row.key],
		)
	}
	return counts
}

function insert(database: Database, id: number, operation: ListOperation, row: NewRow) {
	database.run(
		`INSERT INTO draft_row (draft, key, operation, note, source, place, given) VALUES (?, ?, ?, ?, ?, ?, 1)`,
		...[id, row.key, operation, row.note, row.source, row.place],
	)
}
