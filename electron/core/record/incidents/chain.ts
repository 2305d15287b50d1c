/**
 * A chain of hashes over the log: each link is made from the one before and all that an entry holds, so that changing,
 * removing or reordering an entry breaks every link from there on. Entries that were written by an older version are
 * linked with the next one. It tells of tampering; it cannot keep away somebody who computes the chain anew, which is
 * why the newest hash is shown: written down elsewhere, it binds everything before it.
 */
import {hash} from 'node:crypto'

import type {ChainState} from '#contract/local.ts'
import {counted} from '#text/numbers.ts'

import type {Database} from '#core/store/database.ts'
import {columns, type EntryRow} from './entry-row.ts'
import type {VerifiedPart, VerifiedTo} from './types.ts'

interface Link {
	seq: number
	hash: string
}

export interface Linked extends EntryRow {
	readonly hash: string | null
}

/** Entries of one part. */
export const batch = 1000
const start = '0'.repeat(64)

/** Links everything that is not linked yet; within the transaction that appends. */
export function extendChain(database: Database) {
	let last = newestLink(database)
	for (;;) {
		const rows = database.all<EntryRow>('SELECT * FROM entry WHERE seq > ? ORDER BY seq LIMIT ?', last?.seq ?? 0, batch)
		for (const row of rows) {
			last = {seq: row.seq, hash: linkOf(last?.hash ?? start, row)}
			database.run('INSERT INTO chain (seq, hash) VALUES (?, ?)', last.seq, last.hash)
		}
		if (rows.length < batch) return
	}
}

export const chainStart: VerifiedTo = {seq: 0, hash: start, checked: 0}

/** A thousand entries of the chain, from where the part before ended. */
export function verifyPart(read: <T>(work: (database: Database) => T) => T, from: VerifiedTo) {
	// First: what another process appends meanwhile is not missing.
	const newest = read(newestLink)?.seq ?? 0
	const rows = read(database => linkedAfter(database, from.seq))
	return partOf(from, rows, newest)
}

/** `rows`: the next entries with their links, so many as a part has; `newest`: number of the newest link, read before them. */
export function partOf(from: VerifiedTo, rows: readonly Linked[], newest: number) {
	let {seq, hash, checked} = from
	const part = (broken: ChainState['broken'], ended = true): VerifiedPart => ({seq, hash, checked, broken, ended})
	for (const row of rows) {
		const what = faultOf(row, seq, hash, newest)
		if (what === 'unlinked') return part(null)
		if (what !== null) return part({seq: row.seq, id: row.id, at: row.at, what})
		;[hash, seq, checked] = [row.hash ?? start, row.seq, checked + 1]
	}
	return rows.length < batch ? part(cutOff(newest, seq)) : part(null, false)
}

function linkedAfter(database: Database, seq: number) {
	const sql = 'SELECT entry.*, hash FROM entry LEFT JOIN chain USING (seq) WHERE seq > ? ORDER BY seq LIMIT ?'
	return database.all<Linked>(sql, seq || Number.MIN_SAFE_INTEGER, batch)
}

function faultOf(row: Linked, before: number, hash: string, newest: number): string | 'unlinked' | null {
	if (row.seq <= before) return 'it stands before the first entry'
	if (row.seq !== before + 1) return row.seq === before + 2 ? 'the entry before it is missing' : 'entries before it are missing'
	// A version that knows no chain wrote last: the next entry links it.
	if (row.hash === null) return row.seq > newest ? 'unlinked' : 'its link is missing'
	return linkOf(hash, row) === row.hash ? null : 'it is not what was written'
}

/** Links without entries: the end of the log is gone. */
function cutOff(newest: number, seq: number): ChainState['broken'] {
	if (newest <= seq) return null
	const missing = newest - seq
	const what = `the last ${counted(missing, ['entry is', 'entries are'])} missing from the end of the log`
	return {seq: seq + 1, id: null, at: null, what}
}

export function newestLink(database: Database) {
	return database.get<Link>('SELECT seq, hash FROM chain ORDER BY seq DESC LIMIT 1')
}

export function hashAt(database: Database, seq: number) {
	return database.get<Link>('SELECT seq, hash FROM chain WHERE seq = ?', seq)?.hash ?? null
}

export function linkOf(before: string, row: EntryRow) {
	const content = JSON.stringify(columns.map(column => row[column]))
	return hash('sha256', `${before}\n${content}`, 'hex')
}
