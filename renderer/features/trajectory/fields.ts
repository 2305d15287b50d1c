/** Every field of a record, one per line: pure. */
import { parseExact, stringifyExact, type Json } from '#shared/model/exact-json.ts';

export interface RecordField {
	readonly name: string;
	readonly value: string;
}

/** Paths and values in the order of the record; a list of plain values is one line. */
export function fieldsOf(json: string): readonly RecordField[] {
	return walk(parseExact(json), '');
}

function walk(value: Json, path: string): readonly RecordField[] {
	if (typeof value !== 'object' || value === null) return [{ name: path, value: plain(value) }];
	if (Array.isArray(value) && value.every((each) => typeof each !== 'object' || each === null))
		return [{ name: path, value: value.map((each: Json) => plain(each)).join(' ') }];
	return Object.entries(value).flatMap(([key, inner]: readonly [string, Json]) =>
		walk(inner, path === '' ? key : `${path}.${key}`),
	);
}

function plain(value: Json): string {
	return typeof value === 'string' ? value : stringifyExact(value);
}
