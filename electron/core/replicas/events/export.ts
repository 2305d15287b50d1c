import type { EventQuery, EventRow } from '#shared/contract/events.ts';

import { csvLine, type Cell } from '#shared/text/csv.ts';
import type { Database } from '#core/store/database.ts';
import type { EventQueries } from './queries.ts';
import { unpackRecord } from './raw.ts';
import { rowsOf } from './rows.ts';
import type { EventExport, ExportFormat } from './types.ts';

/** What one export holds at most, in characters. */
const mostText = 32 * 2 ** 20;
const step = 500;

const cells: readonly (readonly [title: string, value: (row: EventRow) => Cell])[] = [
	['at', (row) => row.at],
	['severity', (row) => row.severity],
	['type', (row) => row.type],
	['type_id', (row) => row.typeId],
	['outcome', (row) => row.outcome],
	['detection', (row) => row.detection],
	['detection_id', (row) => row.detectionId],
	['hostname', (row) => row.hostname],
	['user', (row) => row.user],
	['connector_guid', (row) => row.guid],
	['group_guids', (row) => row.groupGuids.join(' ')],
	['file_name', (row) => row.fileName],
	['file_path', (row) => row.filePath],
	['sha256', (row) => row.sha256],
	['disposition', (row) => row.disposition],
	['remote', (row) => row.remote],
	['url', (row) => row.url],
	['id', (row) => row.id],
];

/** What stands before them where rows are gathered by a value: a row is the newest of so many events. */
const gatheredCells: typeof cells = [
	['events', (row) => row.gathered?.events ?? 1],
	['computers', (row) => row.gathered?.computers ?? 0],
	['since', (row) => row.gathered?.since ?? row.at],
];

/**
 * The rows of a query, newest first. CSV has a header line, and an apostrophe before cells that a spreadsheet would run;
 * JSON Lines are the service's records. Pieces are put together with pauses, so that a window is not kept waiting.
 */
export async function exportEvents(
	database: Database,
	queries: EventQueries,
	{ format, ...query }: Omit<EventQuery, 'connection'> & { readonly format: ExportFormat },
	mostRows: number,
	signal: AbortSignal | undefined,
): Promise<EventExport> {
	const gathered = queries.gathered(query);
	const columns = gathered === null ? cells : [...gatheredCells, ...cells];
	const pieces: string[] = format === 'csv' ? [csvLine(columns.map(([title]) => title))] : [];
	let length = 0;
	for (let offset = 0; ; offset += step) {
		signal?.throwIfAborted();
		const ids = queries.ids({ ...query, offset, limit: step }, gathered);
		const piece = format === 'csv' ? csvOf(rowsOf(database, ids, gathered?.of), columns) : jsonlOf(database, ids);
		if (ids.length > 0 && (offset >= mostRows || length + piece.length > mostText))
			return { text: pieces.join(''), cut: true };
		pieces.push(piece);
		length += piece.length;
		if (ids.length < step) return { text: pieces.join(''), cut: gathered?.looked.exact === false };
		await new Promise((resolve) => setImmediate(resolve));
	}
}

function csvOf(rows: readonly EventRow[], columns: typeof cells): string {
	return rows.map((row) => csvLine(columns.map(([, value]) => value(row)))).join('');
}

function jsonlOf(database: Database, ids: readonly number[]): string {
	const sql = 'SELECT json FROM raw WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id DESC';
	const records = database.all<{ readonly json: Uint8Array }>(sql, JSON.stringify(ids));
	return records.map(({ json }) => `${unpackRecord(json)}\n`).join('');
}
