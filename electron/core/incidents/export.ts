import { stringifyExact } from '#shared/model/exact-json.ts';
import type { LogEntry } from '#shared/model/incident.ts';

type Cell = string | number | null;

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

function csvLine(values: readonly Cell[]): string {
  return `${values.map(csvCell).join(',')}\r\n`;
}

function csvCell(value: Cell): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = inert(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A spreadsheet runs text that begins like a formula (OWASP, "CSV Injection"); an apostrophe makes it text again. */
function inert(text: string): string {
  return /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/u.test(text) ? `'${text}` : text;
}
