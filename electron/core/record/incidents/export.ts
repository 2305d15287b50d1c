import {stringifyExact} from '#model/exact-json.ts'
import type {LogEntry, Pin} from '#model/incident.ts'

import {csvHead, csvRow, type CsvColumns} from '#text/csv.ts'
import {showUnseenInJson} from '#text/foreign.ts'

/** What is pinned, by the id of its entry. */
export type Pins = ReadonlyMap<string, Pin>

const columns: CsvColumns<readonly [entry: LogEntry, pin: Pin | undefined]> = [
	['seq', entry => entry.seq],
	['id', entry => entry.id],
	['at', entry => entry.at],
	['kind', entry => entry.kind],
	['about', entry => entry.about],
	['incident', entry => entry.incident],
	['command', entry => entry.command],
	['target', entry => entry.target?.label ?? null],
	['target_guid', entry => entry.target?.guid ?? null],
	['connection', entry => entry.connection?.name ?? null],
	['url', entry => entry.connection?.url ?? null],
	['operator', entry => entry.operator],
	['surface', entry => entry.surface],
	['message', entry => entry.message],
	['status', entry => entry.status],
	['request_id', entry => entry.requestId],
	['duration_ms', entry => entry.durationMs],
	['pinned', (_entry, pin) => pin?.at ?? null],
	['pinned_for', (_entry, pin) => pin?.reason ?? null],
	['args', entry => entry.args && stringifyExact(entry.args)],
	['data', entry => entry.data && stringifyExact(entry.data)]
]

/** RFC 4180 with a header line; one record per string. */
export async function* csvOf(entries: AsyncIterable<LogEntry>, pins: Pins): AsyncIterable<string> {
	yield csvHead(columns)
	for await (const entry of entries) yield csvRow(columns, entry, pins.get(entry.id))
}

/** One JSON object per line, as `logEntrySchema` describes it; what is pinned has `pinned` beside that. */
export async function* jsonlOf(entries: AsyncIterable<LogEntry>, pins: Pins): AsyncIterable<string> {
	for await (const entry of entries) {
		const pin = pins.get(entry.id)
		const pinned = pin === undefined ? {} : {pinned: {at: pin.at, by: pin.by, reason: pin.reason}}
		yield `${showUnseenInJson(stringifyExact({...entry, ...pinned}))}\n`
	}
}
