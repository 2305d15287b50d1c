import type { HashSource, SourceReport } from '#shared/model/list-draft.ts';
import { isSha256, normalSha256 } from '#shared/model/formats.ts';

import { delimiterOf, readCsv } from './csv.ts';
import { readPlain } from './plain.ts';
import { isStix, readStix } from './stix.ts';
import type { ReadSource } from './types.ts';

/** Reads by what the text is, not by what the file is called. Throws `usage` where it is damaged. */
export function readSource({ name, text, columns }: HashSource, now: number): ReadSource {
	const bundle = text.trimStart().startsWith('{') ? parsed(text) : undefined;
	if (isStix(bundle)) return readStix(bundle, now);
	const isTable = columns !== undefined || /\.(?:csv|tsv)$/i.test(name) || delimiterOf(text) !== undefined;
	return isTable ? readCsv(text, columns) : readPlain(text);
}

export function reportOf({ format, found, ignored, columns, chosen }: ReadSource): SourceReport {
	const hashes = new Set(found.filter(({ text }) => isSha256(text)).map(({ text }) => normalSha256(text))).size;
	const others = new Set(found.filter(({ text }) => !isSha256(text)).map(({ text }) => text)).size;
	return { format, hashes, others, ignored, columns, chosen };
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
