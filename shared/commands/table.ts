/** A result as a table: the columns of its declaration over the records of its data. */
import { stringifyExact } from '../model/exact-json.ts';
import type { ResultSpec } from './define.ts';

export interface ResultTable {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

type Fields = Readonly<Record<string, unknown>>;

export function tableOf(result: ResultSpec, data: unknown): ResultTable {
  return {
    columns: result.columns.map(({ title }) => title),
    rows: recordsOf(data).map((record) => result.columns.map(({ path }) => cellText(valueAt(record, path)))),
  };
}

/** The records of a result: a list as it is, one object as a list of one, the events or items inside an object. */
export function recordsOf(data: unknown): readonly unknown[] {
  if (Array.isArray(data)) return data;
  if (!isFields(data)) return [];
  const inner = [data['events'], data['items']].find((value) => Array.isArray(value));
  return Array.isArray(inner) ? inner : [data];
}

/** Walks a `.`-separated path; `undefined` where it ends early. */
export function valueAt(record: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((value, key) => {
    if (Array.isArray(value)) return value[Number(key)];
    return isFields(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  }, record);
}

/** One line of text for a cell: exact digits, words for yes and no, lists with commas. */
export function cellText(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return oneLine(value);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.map(cellText).join(', ');
  return oneLine(typeof value === 'object' ? stringifyExact(value) : String(value));
}

/** RFC 4180 with a header. A cell that a spreadsheet would take for a formula gets an apostrophe before it. */
export function csvOf(table: ResultTable): string {
  return [table.columns, ...table.rows].map((row) => `${row.map(csvCell).join(',')}\r\n`).join('');
}

function csvCell(text: string): string {
  const formula = /^[=+\-@\t\r]/.test(text) && !/^-?\d+(?:\.\d+)?$/.test(text);
  const safe = formula ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Control characters would move the cursor of a terminal, bidirectional ones would reorder what is read. */
function oneLine(text: string): string {
  // oxlint-disable-next-line no-control-regex -- these are the characters to be taken out
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]+/g, ' ');
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
