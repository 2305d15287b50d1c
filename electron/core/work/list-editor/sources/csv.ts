/** Hashes in a table (RFC 4180, or with semicolons, tabs or bars): a column of hashes, and perhaps one of notes. */
import { parse } from 'csv-parse/sync';

import { CordonError } from '#shared/contract/errors.ts';
import { isSha256 } from '#shared/model/formats.ts';
import type { SourceColumn } from '#shared/model/list-draft.ts';
import { counted } from '#shared/text/numbers.ts';
import { nouns } from '#shared/text/terms.ts';

import type { FoundHash, ReadSource } from './types.ts';

const delimiters = [',', ';', '\t', '|'] as const;
const mostColumns = 200;
const sampleSize = 3;
/** Looked at to tell how columns are parted. */
const longestHead = 65_536;

interface Row {
	readonly record: readonly string[];
	readonly line: number;
}

/** The delimiter that stands equally often in the first lines; `undefined`: it is no table. */
export function delimiterOf(text: string): string | undefined {
	const lines = text
		.slice(0, longestHead)
		.replaceAll(/"(?:[^"]|"")*"/g, '')
		.split(/\r\n|\n|\r/, 12)
		.filter((line) => line.trim() !== '')
		.slice(0, 10);
	if (lines.length < 2) return undefined;
	return delimiters.find((delimiter) => {
		const counts = lines.map((line) => line.split(delimiter).length - 1);
		return (counts[0] ?? 0) > 0 && counts.every((count) => count === counts[0]);
	});
}

/** Throws `usage` when the text is no table, or has not the columns that were chosen. */
export function readCsv(text: string, columns?: { readonly hash: number; readonly note: number | null }): ReadSource {
	const rows = rowsOf(text, delimiterOf(text) ?? ',');
	const [first] = rows;
	const hasHeader = first !== undefined && !first.record.some((cell) => isSha256(cell.trim()));
	const body = hasHeader ? rows.slice(1) : rows;
	const described = describe(hasHeader ? first.record : [], body);
	const chosen = columns ?? { hash: mostHashes(described), note: null };
	checkColumn(chosen.hash, described.length, 'hash');
	if (chosen.note !== null) checkColumn(chosen.note, described.length, 'note');
	const found = body.flatMap((row) => foundIn(row, chosen));
	const empty = body.length - found.length;
	const ignored = empty === 0 ? [] : [`${counted(empty, nouns.row)} with nothing in the column`];
	return { format: 'csv', found, ignored, columns: described, chosen };
}

function rowsOf(text: string, delimiter: string): readonly Row[] {
	try {
		const options = { delimiter, bom: true, relax_column_count: true, skip_empty_lines: true, info: true } as const;
		// With `info` each row comes with where it ended.
		const parsed = parse(text, options) as unknown as readonly {
			readonly record: readonly string[];
			readonly info: { readonly lines: number };
		}[];
		return parsed.map(({ record, info }) => ({ record, line: info.lines }));
	} catch (error) {
		const why = error instanceof Error ? error.message : String(error);
		throw new CordonError('usage', `The table cannot be read: ${why}.`, {
			field: 'text',
			fix: 'Mend the line, or save the table anew as CSV.',
		});
	}
}

function describe(header: readonly string[], body: readonly Row[]): readonly SourceColumn[] {
	const width = Math.min(
		mostColumns,
		Math.max(header.length, ...body.slice(0, 1000).map(({ record }) => record.length), 0),
	);
	return Array.from({ length: width }, (_, index) => {
		const cells = body.map(({ record }) => (record[index] ?? '').trim());
		const title = (header[index] ?? '').trim();
		return {
			index,
			title: title === '' ? `Column ${index + 1}` : title,
			hashes: cells.filter((cell) => isSha256(cell)).length,
			sample: cells.filter((cell) => cell !== '').slice(0, sampleSize),
		};
	});
}

function mostHashes(columns: readonly SourceColumn[]): number {
	return columns.toSorted((a, b) => b.hashes - a.hashes)[0]?.index ?? 0;
}

function checkColumn(index: number, width: number, field: string): void {
	if (index < width) return;
	throw new CordonError('usage', `The table has ${width} columns; there is no column ${index + 1}.`, { field });
}

function foundIn({ record, line }: Row, chosen: { readonly hash: number; readonly note: number | null }): FoundHash[] {
	const text = (record[chosen.hash] ?? '').trim();
	if (text === '') return [];
	const note = chosen.note === null ? '' : (record[chosen.note] ?? '').trim();
	return [{ text: text.slice(0, 200), note, place: `line ${line}` }];
}
