import {CordonError} from '#contract/errors.ts'
import type {Connection} from '#model/connection.ts'

import type {Database} from '#core/store/database.ts'
import {isAlive} from '#core/store/process-identity.ts'

/** A row of the table `connection`. */
interface ConnectionRow {
	id: string
	name: string
	url: string
	client_id: string
	insecure: number
	colour: Connection['colour']
	environment: Connection['environment']
	read_only: number
	proxy: string | null
	proxy_login: number
	ca: string | null
	created_at: string
	revision: number
	owner_pid: number | null
	owner_started: string | null
}

/** A connection with what only this folder needs to know of it. */
export interface Stored {
	readonly connection: Connection
	/** Another one with each change, also one by another process. */
	readonly revision: string
}

export const sandboxId = 'sandbox'

/**
 * In the order in which they were added. A sandbox whose process is gone stays, stopped and last, beside connections of one's
 * own: its jobs and log entries are still there. Alone it is left out, so that a new one starts.
 */
export function listStored(database: Database): readonly Stored[] {
	const rows = database.all<ConnectionRow>('SELECT * FROM connection ORDER BY rowid')
	const there = rows.filter(isThere)
	const stopped = there.length === 0 ? [] : rows.filter(row => !there.includes(row))
	return [...there.map(storedOf), ...stopped.map(stoppedOf)]
}

function getStored(database: Database, id: string) {
	const row = database.get<ConnectionRow>('SELECT * FROM connection WHERE id = ?', id)
	if (row === undefined) return undefined
	// Each request asks this: only of a stopped one does it matter which others there are.
	return isThere(row) ? storedOf(row) : listStored(database).find(({connection}) => connection.id === id)
}

/** Throws `unknown_connection`. */
export function ownStored(database: Database, id: string): Stored {
	const stored = getStored(database, id)
	if (stored !== undefined) return stored
	throw new CordonError('unknown_connection', `There is no connection ${id}.`, {field: 'connection'})
}

/** Inserts, or replaces what has the same id; the revision grows either way. */
export function putStored(database: Database, connection: Connection, owner?: {pid: number; started: string}) {
	database.run(
		`INSERT INTO connection (id, name, url, client_id, insecure, colour, environment, read_only, proxy, proxy_login, ca, created_at, revision, owner_pid, owner_started)
     VALUES ($id, $name, $url, $clientId, $insecure, $colour, $environment, $readOnly, $proxy, $proxyLogin, $ca, $createdAt, 1, $pid, $started)
     ON CONFLICT (id) DO UPDATE SET name = $name, url = $url, client_id = $clientId, insecure = $insecure, colour = $colour,
       environment = $environment, read_only = $readOnly, proxy = $proxy, proxy_login = $proxyLogin, ca = $ca, revision = revision + 1, owner_pid = $pid, owner_started = $started`,
		{
			id: connection.id,
			name: connection.name,
			url: connection.url,
			clientId: connection.clientId,
			insecure: Number(connection.insecure),
			colour: connection.colour,
			environment: connection.environment,
			readOnly: Number(connection.readOnly),
			proxy: connection.proxy,
			proxyLogin: Number(connection.hasProxyLogin),
			ca: connection.ca,
			createdAt: connection.createdAt,
			pid: owner?.pid ?? null,
			started: owner?.started ?? null
		}
	)
}

/** Takes the connection away with everything that hangs on it. */
export function deleteStored(database: Database, id: string) {
	database.run('DELETE FROM connection WHERE id = ?', id)
	for (const table of ['locked', 'guard_rules', 'lease']) database.run(`DELETE FROM ${table} WHERE connection = ?`, id)
	forgetAccount(database, id)
}

/** It belongs to no process any more. */
export function disownSandbox(database: Database) {
	database.run('UPDATE connection SET owner_pid = 0, revision = revision + 1 WHERE id = ?', sandboxId)
}

/** What belongs to the account: another server or another client has its own. */
export function forgetAccount(database: Database, id: string) {
	for (const table of ['budget', 'budget_usage', 'budget_reservation', 'event_stream'])
		database.run(`DELETE FROM ${table} WHERE connection = ?`, id)
}

export function isSandboxOf(database: Database, owner: {pid: number; started: string}) {
	const sql = 'SELECT 1 FROM connection WHERE id = ? AND owner_pid = ? AND owner_started = ?'
	return database.get(sql, sandboxId, owner.pid, owner.started) !== undefined
}

/** Since when writing is switched off by hand; ISO 8601. */
export function lockedSince(database: Database, id: string) {
	return database.get<{since: string}>('SELECT since FROM locked WHERE connection = ?', id)?.since
}

export function putLocked(database: Database, id: string, since: string | undefined) {
	if (since === undefined) database.run('DELETE FROM locked WHERE connection = ?', id)
	else database.run('INSERT OR IGNORE INTO locked VALUES (?, ?)', id, since)
}

function isThere(row: ConnectionRow) {
	return row.owner_pid === null || isAlive({pid: row.owner_pid, started: row.owner_started ?? ''})
}

function stoppedOf(row: ConnectionRow): Stored {
	const {connection, revision} = storedOf(row)
	return {connection: {...connection, stopped: true}, revision: `${revision} stopped`}
}

function storedOf(row: ConnectionRow): Stored {
	return {
		revision: String(row.revision),
		connection: {
			id: row.id,
			name: row.name,
			url: row.url,
			clientId: row.client_id,
			insecure: row.insecure === 1,
			colour: row.colour,
			environment: row.environment,
			readOnly: row.read_only === 1,
			proxy: row.proxy,
			hasProxyLogin: row.proxy_login === 1,
			ca: row.ca,
			sandbox: row.id === sandboxId,
			createdAt: row.created_at
		}
	}
}
