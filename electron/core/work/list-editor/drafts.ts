/**
 * Staged changes of file lists: `drafts.db` in the profile. What a person gathered is not lost by a crash, a power cut or
 * the end of the console.
 */
import {mkdirSync} from 'node:fs'
import {join} from 'node:path'

import {breaths} from '#base/breaths.ts'
import {createTurns} from '#base/turns.ts'
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
  `
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

/** Rows of a draft by a JSON array of keys. */
const ofKeys = 'draft = ? AND key IN (SELECT value FROM json_each(?))'

export interface Annotation {
	readonly note?: string | undefined
	readonly reason?: string | null | undefined
}

/** Throws `storage` when the file cannot be opened. */
export function openDrafts(profile: string) {
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
	readonly #turn = createTurns()

	constructor(database: Database) {
		this.#database = database
	}

	revision({connection, list}: DraftId): number {
		const sql = 'SELECT revision FROM draft WHERE connection = ? AND list = ?'
		return this.#database.get<{revision: number}>(sql, connection, list)?.revision ?? 0
	}

	/** Of one revision, read in pieces; where another process changed it in between, once more and at once. */
	rows(draft: DraftId) {
		return this.#turn(() => this.#rows(draft, 1000))
	}

	async #rows(draft: DraftId, most: number): Promise<{revision: number; staged: readonly StagedRow[]}> {
		const breath = breaths()
		const revision = this.revision(draft)
		const staged: StagedRow[] = []
		for (let piece; piece === undefined || piece.length === most; await breath()) {
			piece = this.#database.all<StagedRow>(
				`SELECT key, operation, note, source, place, given, reason, result FROM draft_row NOT INDEXED
         WHERE draft = ? AND number > coalesce((SELECT number FROM draft_row WHERE draft = ? AND key = ?), 0)
         ORDER BY number LIMIT ?`,
				...[this.#idOf(draft), this.#idOf(draft), staged.at(-1)?.key ?? '', most]
			)
			if (this.revision(draft) !== revision) return await this.#rows(draft, -1)
			for (const row of piece) staged.push(row)
		}
		return {revision, staged}
	}

	keys(draft: DraftId): readonly string[] {
		const sql = 'SELECT key FROM draft_row WHERE draft = ?'
		return this.#database.all<{key: string}>(sql, this.#idOf(draft)).map(({key}) => key)
	}

	/**
	 * The same hash again counts once more; with the other operation or a note it takes the place of what was staged. `check` throws
	 * where these must not come to the keys that are there.
	 */
	stage(draft: DraftId, operation: ListOperation, rows: readonly NewRow[], check?: (keys: readonly string[]) => void) {
		return this.#change(draft, async id => {
			check?.(this.keys(draft))
			return await stageAll(this.#database, id, operation, rows)
		})
	}

	annotate(draft: DraftId, all: readonly string[], {note, reason}: Annotation): Promise<void> {
		const database = this.#database
		const work = (id: number, keys: readonly string[]) => {
			const among = [id, JSON.stringify(keys)]
			// A job that has not come to it yet carries out what it was: the row stays. One that failed is tried again with it.
			if (note !== undefined)
				database.run(
					`UPDATE draft_row SET note = ?, plan = iif(note = ? OR result IS NOT NULL, plan, NULL) WHERE ${ofKeys}`,
					...[note, note, ...among]
				)
			if (reason !== undefined) database.run(`UPDATE draft_row SET reason = ? WHERE ${ofKeys}`, reason, ...among)
		}
		return this.#change(draft, id => inPieces(all, keys => work(id, keys)))
	}

	drop(draft: DraftId, all: readonly string[]): Promise<void> {
		const sql = `DELETE FROM draft_row WHERE ${ofKeys}`
		return this.#change(draft, id => inPieces(all, keys => this.#database.run(sql, id, JSON.stringify(keys))))
	}

	async discard(draft: DraftId): Promise<void> {
		const some = `DELETE FROM draft_row WHERE number IN (SELECT number FROM draft_row WHERE draft = ? LIMIT ${pieceSize})`
		await this.#change(draft, async id => {
			const breath = breaths()
			while (this.#database.run(some, id).changes > 0) await breath()
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
			connection
		)
	}

	setPrevalence(draft: DraftId, key: string, computers: number): Promise<void> {
		return this.#whole(async () => {
			const id = this.#idOf(draft)
			// The connection may be gone meanwhile.
			if (this.#database.run('UPDATE draft SET revision = revision + 1 WHERE id = ?', id).changes > 0)
				this.#database.run('INSERT OR REPLACE INTO draft_prevalence VALUES (?, ?, ?)', id, key, computers)
		})
	}

	/**
	 * These rows are part of a plan now, and no longer of an earlier one. `false`, and none of them is, where one is not what was
	 * planned any more.
	 */
	planned(draft: DraftId, rows: readonly Pick<StagedRow, 'key' | 'operation' | 'note'>[], plan: string): Promise<boolean> {
		const database = this.#database
		return this.#whole(async () => {
			const id = this.#idOf(draft)
			let same = 0
			await inPieces(rows, piece => {
				const found = database.get<{n: number}>(
					`SELECT count(*) AS n FROM json_each(?) CROSS JOIN draft_row ON draft = ? AND draft_row.key = value ->> 'key'
           WHERE operation = value ->> 'operation' AND note = value ->> 'note'`,
					...[JSON.stringify(piece), id]
				)
				same += found?.n ?? 0
			})
			if (same !== rows.length) return false
			const keys = rows.map(({key}) => key)
			await inPieces(keys, piece => database.run(`UPDATE draft_row SET plan = ? WHERE ${ofKeys}`, plan, id, JSON.stringify(piece)))
			return true
		})
	}

	keysOf(plan: string): ReadonlySet<string> {
		const rows = this.#database.all<{key: string}>('SELECT key FROM draft_row WHERE plan = ?', plan)
		return new Set(rows.map(({key}) => key))
	}

	/** The draft with rows that are part of a plan, if any: asked at each change of a job. */
	draftOf(plan: string): DraftId | undefined {
		const sql = 'SELECT connection, list FROM draft_row JOIN draft ON draft.id = draft WHERE plan = ? LIMIT 1'
		return this.#database.get<DraftId>(sql, plan)
	}

	plans(): readonly string[] {
		const sql = 'SELECT DISTINCT plan FROM draft_row WHERE plan IS NOT NULL'
		return this.#database.all<{plan: string}>(sql).map(({plan}) => plan)
	}

	lastJob(draft: DraftId): string | null {
		return this.#database.get<{job: string | null}>('SELECT job FROM draft WHERE id = ?', this.#idOf(draft))?.job ?? null
	}

	setJob({connection, list}: DraftId, job: string): Promise<unknown> {
		const sql = 'UPDATE draft SET job = ?, revision = revision + 1 WHERE connection = ? AND list = ?'
		return this.#whole(async () => this.#database.run(sql, job, connection, list))
	}

	/** What came of the rows of a plan, by key: those done leave, and have none. */
	async settle(plan: string, results: ReadonlyMap<string, string | null>): Promise<void> {
		const database = this.#database
		await this.#whole(async () => {
			const draft = this.draftOf(plan)
			if (draft === undefined) return
			const id = this.#idOf(draft)
			database.run('UPDATE draft SET revision = revision + 1 WHERE id = ?', id)
			await inPieces([...results], piece => {
				const done = piece.flatMap(([key, result]) => (result === null ? [key] : []))
				database.run(`DELETE FROM draft_row WHERE ${ofKeys} AND +plan = ?`, id, JSON.stringify(done), plan)
				const keep = database.prepare('UPDATE draft_row SET result = ? WHERE draft = ? AND key = ? AND +plan = ?')
				for (const [key, result] of piece) if (result !== null) keep.run(result, id, key, plan)
			})
		})
	}

	/** Of a connection that was removed. */
	forget(connection: string): Promise<unknown> {
		return this.#whole(async () => this.#database.run('DELETE FROM draft WHERE connection = ?', connection))
	}

	/** At once, or after the change that is being made. */
	stop(): Promise<void> {
		return this.#turn(async () => this.#database.close())
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

	/** With a new revision. */
	#change<T>(draft: DraftId, work: (id: number) => Promise<T>) {
		return this.#whole(async () => {
			this.#database.run(
				`INSERT INTO draft (connection, list, revision) VALUES (?, ?, 1)
         ON CONFLICT DO UPDATE SET revision = revision + 1`,
				...[draft.connection, draft.list]
			)
			return await work(this.#idOf(draft))
		})
	}

	/** One change after the other, each in one transaction. Others have the event loop in between. */
	#whole<T>(work: () => Promise<T>) {
		return this.#turn(() => this.#database.transactionInPieces(work))
	}
}

/** Rows that one statement changes. */
const pieceSize = 500

async function inPieces<T>(all: readonly T[], work: (piece: readonly T[]) => unknown) {
	const breath = breaths()
	for (let at = 0; at < all.length; at += pieceSize) {
		work(all.slice(at, at + pieceSize))
		await breath()
	}
}

async function stageAll(database: Database, id: number, operation: ListOperation, rows: readonly NewRow[]) {
	const counts = {added: 0, changed: 0, repeated: 0}
	const find = database.prepare('SELECT operation, note FROM draft_row WHERE draft = ? AND key = ?')
	const put = database.prepare(
		`INSERT INTO draft_row (draft, key, operation, note, source, place, given) VALUES (?, ?, ?, ?, ?, ?, 1)
     ON CONFLICT DO UPDATE SET given = given + 1, operation = excluded.operation,
       note = iif(excluded.note = '', note, excluded.note),
       reason = iif(operation = excluded.operation, reason, NULL),
       plan = iif(operation = excluded.operation AND (excluded.note IN ('', note) OR result IS NOT NULL), plan, NULL),
       result = NULL`
	)
	await inPieces(rows, piece => {
		for (const {key, note, source, place} of piece) {
			const known = find.get<{operation: ListOperation; note: string}>(id, key)
			const differs = known?.operation !== operation || (note !== '' && note !== known.note)
			counts[known === undefined ? 'added' : differs ? 'changed' : 'repeated'] += 1
			put.run(id, key, operation, note, source, place)
		}
	})
	return counts
}
