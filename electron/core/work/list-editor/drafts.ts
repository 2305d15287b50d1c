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

export interface Annotation {
	readonly note?: string | undefined
	readonly reason?: string | null | undefined
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
	return new Drafts(database)
}

export class Drafts {
	readonly #database: Database

	constructor(database: Database) {
		this.#database = database
	}

	revision({connection, list}: DraftId): number {
		const sql = 'SELECT revision FROM draft WHERE connection = ? AND list = ?'
		return this.#database.get<{revision: number}>(sql, connection, list)?.revision ?? 0
	}

	rows(draft: DraftId): readonly StagedRow[] {
		return this.#database.all<StagedRow>(
			'SELECT key, operation, note, source, place, given, reason, result FROM draft_row WHERE draft = ? ORDER BY number',
			this.#idOf(draft),
		)
	}

	/** The same hash again counts once more; with the other operation or a note it takes the place of what was staged. */
	stage(draft: DraftId, operation: ListOperation, rows: readonly NewRow[]): StageCounts {
		return this.#change(draft, id => stageAll(this.#database, id, operation, rows))
	}

	annotate(draft: DraftId, keys: readonly string[], {note, reason}: Annotation): void {
		const database = this.#database
		this.#change(draft, id => {
			for (const key of keys) {
				// A job that has not come to it yet carries out what it was: the row stays. One that failed is tried again with it.
				if (note !== undefined)
					database.run(
						'UPDATE draft_row SET note = ?, plan = iif(note = ? OR result IS NOT NULL, plan, NULL) WHERE draft = ? AND key = ?',
						...[note, note, id, key],
					)
				if (reason !== undefined) database.run('UPDATE draft_row SET reason = ? WHERE draft = ? AND key = ?', reason, id, key)
			}
		})
	}

	drop(draft: DraftId, keys: readonly string[]): void {
		this.#change(draft, id => {
			for (const key of keys) this.#database.run('DELETE FROM draft_row WHERE draft = ? AND key = ?', id, key)
		})
	}

	discard(draft: DraftId): void {
		this.#change(draft, id => {
			this.#database.run('DELETE FROM draft_row WHERE draft = ?', id)
			this.#database.run('DELETE FROM draft_prevalence WHERE draft = ?', id)
		})
	}

	prevalence(draft: DraftId): ReadonlyMap<string, number> {
		return this.#prevalence('SELECT key, computers FROM draft_prevalence WHERE draft = ?', this.#idOf(draft))
	}

	/** Of all drafts of a connection. */
	prevalenceOf(connection: string): ReadonlyMap<string, number> {
		return this.#prevalence(
			`SELECT key, max(computers) AS computers FROM draft_prevalence JOIN draft ON draft.id = draft
       WHERE connection = ? GROUP BY key`,
			connection,
		)
	}

	setPrevalence(draft: DraftId, key: string, computers: number): void {
		this.#change(draft, id => {
			this.#database.run('INSERT OR REPLACE INTO draft_prevalence VALUES (?, ?, ?)', id, key, computers)
		})
	}

	/**
	 * These rows are part of a plan now, and no longer of an earlier one. `false`, and none of them is, where one is not what was
	 * planned any more.
	 */
	planned(draft: DraftId, rows: readonly PlannedRow[], plan: string): boolean {
		const database = this.#database
		return database.transaction(() => {
			const id = this.#idOf(draft)
			const same = 'draft = ? AND key = ? AND operation = ? AND note = ?'
			const isThere = ({key, operation, note}: PlannedRow) =>
				database.get(`SELECT 1 FROM draft_row WHERE ${same}`, id, key, operation, note) !== undefined
			if (!rows.every(isThere)) return false
			for (const {key} of rows) database.run('UPDATE draft_row SET plan = ? WHERE draft = ? AND key = ?', plan, id, key)
			return true
		})
	}

	/** Keys of the rows that are part of a plan, and the draft they are in; `undefined` when none is. */
	partOf(plan: string): {readonly draft: DraftId; readonly keys: ReadonlySet<string>} | undefined {
		const rows = this.#database.all<DraftId & {readonly key: string}>(
			'SELECT connection, list, key FROM draft_row JOIN draft ON draft.id = draft WHERE plan = ?',
			plan,
		)
		const [first] = rows
		if (first === undefined) return undefined
		const {connection, list} = first
		return {draft: {connection, list}, keys: new Set(rows.map(({key}) => key))}
	}

	/** Whether rows are part of a plan: asked at each change of a job. */
	hasPart(plan: string): boolean {
		return this.#database.get('SELECT 1 FROM draft_row WHERE plan = ? LIMIT 1', plan) !== undefined
	}

	/** Every plan that rows are part of. */
	plans(): readonly string[] {
		const sql = 'SELECT DISTINCT plan FROM draft_row WHERE plan IS NOT NULL'
		return this.#database.all<{plan: string}>(sql).map(({plan}) => plan)
	}

	lastJob(draft: DraftId): string | null {
		return this.#database.get<{job: string | null}>('SELECT job FROM draft WHERE id = ?', this.#idOf(draft))?.job ?? null
	}

	setJob(draft: DraftId, job: string): void {
		this.#change(draft, id => this.#database.run('UPDATE draft SET job = ? WHERE id = ?', job, id))
	}

	/** What came of the rows of a plan, by key: those done leave. */
	settle(plan: string, results: ReadonlyMap<string, {readonly done: boolean; readonly result: string | null}>): void {
		const database = this.#database
		const found = this.partOf(plan)
		if (found === undefined) return
		this.#change(found.draft, () => {
			const there = [...results].filter(([key]) => found.keys.has(key))
			for (const [key, {done, result}] of there)
				if (done) database.run('DELETE FROM draft_row WHERE plan = ? AND key = ?', plan, key)
				else database.run('UPDATE draft_row SET result = ? WHERE plan = ? AND key = ?', result, plan, key)
		})
	}

	/** Of a connection that was removed. */
	forget(connection: string): void {
		this.#database.run('DELETE FROM draft WHERE connection = ?', connection)
	}

	stop(): void {
		this.#database.close()
	}

	/** 0, which no draft has, when there is none. */
	#idOf({connection, list}: DraftId) {
		const sql = 'SELECT id FROM draft WHERE connection = ? AND list = ?'
		return this.#database.get<{id: number}>(sql, connection, list)?.id ?? 0
	}

	#prevalence(sql: string, of: string | number) {
		const rows = this.#database.all<{key: string; computers: number}>(sql, of)
		return new Map(rows.map(({key, computers}) => [key, computers]))
	}

	/** Within one transaction, with a new revision. */
	#change<T>(draft: DraftId, work: (id: number) => T) {
		return this.#database.transaction(() => {
			this.#database.run(
				`INSERT INTO draft (connection, list, revision) VALUES (?, ?, 1)
         ON CONFLICT DO UPDATE SET revision = revision + 1`,
				...[draft.connection, draft.list],
			)
			return work(this.#idOf(draft))
		})
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
