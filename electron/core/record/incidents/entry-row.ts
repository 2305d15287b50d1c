import {parseExact, stringifyExact} from '#model/exact-json.ts'
import type {LogEntry} from '#model/incident.ts'

import type {NamedParams} from '#core/store/database.ts'

/** A row of the table `entry`, as SQLite gives it. */
export interface EntryRow {
	readonly seq: number
	readonly id: string
	readonly at: string
	readonly kind: LogEntry['kind']
	readonly about: string | null
	readonly incident: string | null
	readonly command: string | null
	readonly args: string | null
	readonly target_guid: string | null
	readonly target_label: string | null
	readonly connection_id: string | null
	readonly connection_name: string | null
	readonly connection_url: string | null
	readonly operator: string
	readonly surface: LogEntry['surface']
	readonly duration_ms: number | null
	readonly status: number | null
	readonly request_id: string | null
	readonly message: string
	readonly data: string | null
}

/** In the order in which the chain reads them. */
export const columns = [
	'seq',
	'id',
	'at',
	'kind',
	'about',
	'incident',
	'command',
	'args',
	'target_guid',
	'target_label',
	'connection_id',
	'connection_name',
	'connection_url',
	'operator',
	'surface',
	'duration_ms',
	'status',
	'request_id',
	'message',
	'data'
] as const satisfies readonly (keyof EntryRow)[]

export const insertEntry = `INSERT INTO entry (${columns.join(', ')}) VALUES (${columns.map(name => `$${name}`).join(', ')})`

export function paramsOf({args, target, connection, durationMs, requestId, data, ...same}: LogEntry): NamedParams {
	return {
		...same,
		args: jsonOrNull(args),
		target_guid: target?.guid ?? null,
		target_label: target?.label ?? null,
		connection_id: connection?.id ?? null,
		connection_name: connection?.name ?? null,
		connection_url: connection?.url ?? null,
		duration_ms: durationMs,
		request_id: requestId,
		data: jsonOrNull(data)
	}
}

export function entryOf(row: EntryRow): LogEntry {
	return {
		seq: row.seq,
		id: row.id,
		at: row.at,
		kind: row.kind,
		about: row.about,
		incident: row.incident,
		command: row.command,
		args: recordOrNull(row.args),
		target: row.target_guid === null ? null : {guid: row.target_guid, label: row.target_label ?? row.target_guid},
		connection: row.connection_id === null ? null : {id: row.connection_id, name: row.connection_name ?? '', url: row.connection_url ?? ''},
		operator: row.operator,
		surface: row.surface,
		durationMs: row.duration_ms,
		status: row.status,
		requestId: row.request_id,
		message: row.message,
		data: recordOrNull(row.data)
	}
}

function jsonOrNull(value: Readonly<Record<string, unknown>> | null) {
	return value === null ? null : stringifyExact(value)
}

function recordOrNull(text: string | null) {
	// Only `jsonOrNull` writes these columns, so what is in them is an object.
	return text === null ? null : (parseExact(text) as Record<string, unknown>)
}
