import type {LeaseTerm} from '#model/job.ts'
import type {Lease, LeaseState} from '#model/lease.ts'

import {columnOf, type Database, type Param} from '#core/store/database.ts'

interface NewLease extends Pick<Lease, 'connection' | 'guid' | 'label' | 'intent' | 'holder'> {
	term: LeaseTerm
	at: number
	/** Default: `held`. */
	state?: LeaseState | undefined
}

export type LeaseKey = Pick<Lease, 'connection' | 'guid' | 'intent'>

export interface KeptLease extends Lease {
	/** The last reminder given. */
	readonly reminded: string | null
	readonly attempts: number
	readonly nextTryAt: string | null
}

export type LeaseChange = Partial<
	Pick<KeptLease, 'endsAt' | 'auto' | 'holder' | 'note' | 'state' | 'reminded' | 'attempts' | 'nextTryAt' | 'trouble'>
>

export const hourMs = 3_600_000

export type Leases = ReturnType<typeof openLeases>

export function openLeases(database: Database) {
	const listeners = new Set<(connection: string, guid: string) => void>()
	const tell = (connection: string, guid: string) => listeners.forEach(listener => listener(connection, guid))
	return {
		/** The lease of a computer. A held one replaces every other; a requested one stands beside them. */
		begin: (lease: NewLease) => {
			database.transaction(() => {
				insert(database, lease)
				if (lease.state !== 'asked') onlyOne(database, lease)
			})
			tell(lease.connection, lease.guid)
		},
		/** The held one, else the requested one. */
		get: (connection: string, guid: string) => {
			const own = read(database, 'WHERE connection = ? AND guid = ?', connection, guid.toLowerCase())
			return own.find(({state}) => state !== 'asked') ?? own[0]
		},
		/** The current lease of this very isolation. */
		current: ({connection, guid, intent}: LeaseKey) =>
			read(database, 'WHERE connection = ? AND guid = ? AND intent = ?', connection, guid.toLowerCase(), intent)[0],
		list: (connection?: string) => (connection === undefined ? read(database, '') : read(database, 'WHERE connection = ?', connection)),
		/** Times of those that end until `at`, Unix milliseconds: of a large job there are thousands, and each frame counts them. */
		endingUntil: (connection: string, at: number) =>
			database.all<Pick<Lease, 'startedAt' | 'endsAt'>>(
				'SELECT started_at AS startedAt, ends_at AS endsAt FROM lease WHERE connection = ? AND ends_at <= ?',
				...[connection, new Date(at).toISOString()]
			),
		/** Changes the lease of this isolation; `false` when it is another one by now, or left the state `from`. */
		change: (lease: LeaseKey, change: LeaseChange, from?: LeaseState) => {
			const done = database.transaction(() => {
				const changed = update(database, lease, change, from)
				if (changed && change.state === 'held') onlyOne(database, lease)
				return changed
			})
			if (done) tell(lease.connection, lease.guid)
			return done
		},
		/** The isolation is over. With `intent`, only if it is that one. */
		end: (connection: string, guid: string, intent?: string) => {
			const sql = 'DELETE FROM lease WHERE connection = ? AND guid = ? AND intent = coalesce(?, intent)'
			const {changes} = database.run(sql, connection, guid.toLowerCase(), intent ?? null)
			if (changes > 0) tell(connection, guid)
		},
		/** All or nothing: a throw undoes the earlier changes. */
		atomically: <T>(work: () => T) => database.transaction(work),
		/** Called after this process changed a lease. */
		onChange: (listener: (connection: string, guid: string) => void) => {
			listeners.add(listener)
			return () => listeners.delete(listener)
		}
	}
}

function insert(database: Database, lease: NewLease) {
	const {connection, guid, label, intent, term, holder, at, state = 'held'} = lease
	const endsAt = term.hours === null ? null : new Date(at + term.hours * hourMs).toISOString()
	database.run(
		`INSERT OR REPLACE INTO lease (connection, guid, label, intent, started_at, ends_at, auto, holder, note, state, attempts)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, '', ?, 0)`,
		...[connection, guid.toLowerCase(), label, intent, new Date(at).toISOString(), endsAt],
		...[Number(term.auto && endsAt !== null), holder, state]
	)
}

function onlyOne(database: Database, {connection, guid, intent}: LeaseKey) {
	const sql = 'DELETE FROM lease WHERE connection = ? AND guid = ? AND intent <> ?'
	database.run(sql, connection, guid.toLowerCase(), intent)
}

type Row = Omit<KeptLease, 'auto'> & {auto: number}

function read(database: Database, where: string, ...values: string[]) {
	const rows = database.all<Row>(
		`SELECT connection, guid, label, intent, started_at AS "startedAt", ends_at AS "endsAt", auto, holder, note, state,
       reminded, attempts, next_try_at AS "nextTryAt", trouble
     FROM lease ${where} ORDER BY ends_at IS NULL, ends_at, guid`,
		...values
	)
	return rows.map(row => ({...row, auto: row.auto === 1}))
}

function update(database: Database, {connection, guid, intent}: LeaseKey, change: LeaseChange, from: LeaseState | undefined) {
	const names = (Object.keys(change) as (keyof LeaseChange)[]).filter(name => change[name] !== undefined) // keys of its own type
	const values = names.map((name): Param => paramOf(change[name]))
	const condition = from === undefined ? '' : ' AND state = ?'
	const sql = `UPDATE lease SET ${names.map(name => `${columnOf(name)} = ?`).join(', ')} WHERE connection = ? AND guid = ? AND intent = ?${condition}`
	const own = [connection, guid.toLowerCase(), intent, ...(from === undefined ? [] : [from])]
	return database.run(sql, ...values, ...own).changes > 0
}

function paramOf(value: string | number | boolean | null | undefined) {
	return typeof value === 'boolean' ? Number(value) : (value ?? null)
}
