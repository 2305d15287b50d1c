import {pathToFileURL} from 'node:url'

import {CordonError} from '#contract/errors.ts'

import {openDatabase, type Database} from '#core/store/database.ts'
import {migrate} from '#core/store/migrations.ts'
import {allOf, anyOf, likeCondition, searchedText, type Condition} from './filter.ts'

/** Numbers of entries: after the first, up to the second. */
export type Range = readonly [after: number, upTo: number]

/**
 * An index of three-letter groups in a file of its own beside the log. It is filled from the first look at the log and when
 * somebody searches, never when an entry is written: nothing about searching may keep an entry from being committed. It can
 * be deleted at any time. Many entries are filled in between other work; what it lacks is searched row by row.
 */
export type SearchIndex = ReturnType<typeof openSearchIndex>

const migrations = [
	`
  CREATE VIRTUAL TABLE entry_text USING fts5(text, content='', tokenize='trigram');
  CREATE TABLE progress (only INTEGER PRIMARY KEY CHECK (only = 1), seq INTEGER NOT NULL, id TEXT NOT NULL) STRICT;
  INSERT INTO progress VALUES (1, 0, '');
  `
]

/** Entries that are indexed without a pause. */
const batch = 200
/** The tokenizer knows no shorter word. */
const shortest = 3

export function openSearchIndex(logPath: string, indexPath: string) {
	let opened: Database | undefined
	let useless = false
	let filling: NodeJS.Immediate | undefined

	const open = () => (opened ??= openIndex(logPath, indexPath))
	const giveUp = () => {
		useless = true
		opened?.close()
		opened = undefined
	}
	/** Whether all entries are in it now. */
	const fill = () => {
		filling = undefined
		const database = open()
		if (database.transaction(() => indexBatch(database)) < batch) return true
		fillLater()
		return false
	}
	const fillLater = () => {
		filling ??= setImmediate(() => {
			try {
				fill()
			} catch {
				giveUp()
			}
		})
	}

	return {
		/** A condition on `entry.seq`, which is in the range, and the database to ask with it; `undefined` when the index cannot help. */
		search: (words: readonly string[], range: Range): {database: Database; condition: Condition} | undefined => {
			const long = words.filter(word => Array.from(word).length >= shortest)
			if (useless) return undefined
			if (long.length === 0) return void (opened === undefined && fillLater())
			try {
				const isWhole = filling === undefined && fill()
				const database = open()
				return {database, condition: isWhole ? matching(long, range) : anyOf([matching(long, range), lacking(database, long)])}
			} catch (error) {
				giveUp()
				// Without FTS5, with a read-only folder or a damaged index the log is searched row by row.
				if (!(error instanceof CordonError)) throw error
				return undefined
			}
		},
		close: () => {
			clearImmediate(filling)
			opened?.close()
		}
	}
}

function openIndex(logPath: string, indexPath: string) {
	const database = openDatabase(indexPath, {synchronous: 'NORMAL'})
	try {
		migrate(database, migrations)
		// Read-only, because BEGIN IMMEDIATE takes the write lock of every attached file that can be written.
		database.run('ATTACH ? AS log', `${pathToFileURL(logPath).href}?mode=ro`)
		return database
	} catch (error) {
		database.close()
		throw error
	}
}

function indexBatch(database: Database) {
	const from = checkedProgress(database)
	const done = database.run(
		`INSERT INTO entry_text (rowid, text) SELECT seq, ${searchedText} FROM log.entry WHERE seq > ? ORDER BY seq LIMIT ${batch}`,
		from
	).changes
	if (done > 0) {
		database.run('UPDATE progress SET (seq, id) = (SELECT seq, id FROM log.entry WHERE seq = ?)', from + done)
	}
	return done
}

/** Where the index stands; zero, with the index emptied, when the log is another one than it was made from. */
function checkedProgress(database: Database) {
	const progress = database.get<{seq: number; id: string}>('SELECT seq, id FROM progress')
	if (progress === undefined || progress.seq === 0) return 0
	const same = database.get('SELECT 1 FROM log.entry WHERE seq = ? AND id = ?', progress.seq, progress.id)
	if (same !== undefined) return progress.seq
	database.exec(`INSERT INTO entry_text (entry_text) VALUES ('delete-all'); UPDATE progress SET seq = 0, id = ''`)
	return 0
}

function lacking(database: Database, words: readonly string[]) {
	return allOf([{sql: 'seq > ?', params: [checkedProgress(database)]}, likeCondition(words)])
}

function matching(words: readonly string[], range: Range) {
	const phrases = words.map(word => `"${word.replaceAll('"', '""')}"`)
	// Of a number that is bound as a real, FTS5 makes no range.
	const sql = 'seq IN (SELECT rowid FROM entry_text WHERE entry_text MATCH ? AND rowid > CAST(? AS INT) AND rowid <= CAST(? AS INT))'
	return {sql, params: [phrases.join(' AND '), ...range]}
}
