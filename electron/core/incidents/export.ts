import { stringifyExact } from '#shared/model/exact-json.ts';
import type { LogEntry } from '#shared/model/incident.ts';

import { csvLine, type Cell } from '../csv.ts';

const cells: readonly (readonly [title: string, value: (entry: LogEntry) => Cell])[] = [
  ['seq', (entry) => entry.seq],
  ['id', (entry) => entry.id],
  ['at', (entry) => entry.at],
  ['kind', (entry) => entry.kind],
  ['about', (entry) => entry.about],
  ['incident', (entry) => entry.incident],
  ['command', (entry) => entry.command],
  ['target', (entry) => entry.target?.label ?? null],
  ['target_guid', (entry) => entry.target?.guid ?? null],
  ['connection', (entry) => entry.connection?.name ?? null],
  ['url', (entry) => entry.connection?.url ?? null],
  ['operator', (entry) => entry.operator],
  ['surface', (entry) => entry.surface],
  ['message', (entry) => entry.message],
  ['status', (entry) => entry.status],
  ['request_id', (entry) => entry.requestId],
  ['duration_ms', (entry) => entry.durationMs],
  ['args', (entry) => entry.args && stringifyExact(entry.args)],
  ['data', (entry) => entry.data && stringifyExact(entry.data)],
];

/** RFC 4180 with a header line; one record per string. */
export function* csvOf(entries: Iterable<LogEntry>): Iterable<string> {
  yield csvLine(cells.map(([title]) => title));
  for (const entry of entries) yield csvLine(cells.map(([, value]) => value(entry)));
}

/** One JSON object per line, as `logEntrySchema` describes it. */
export function* jsonlOf(entries: Iterable<LogEntry>): Iterable<string> {
  for (const entry of entries) yield `${stringifyExact(entry)}\n`;
}
