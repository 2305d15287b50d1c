/** Hashes in plain text: a list with one to a line and perhaps a note, or a report with hashes somewhere in it. */
import { counted } from '#shared/text/numbers.ts';

import type { FoundHash, ReadSource } from './types.ts';

const sha256 = /(?<![0-9a-z])[0-9a-f]{64}(?![0-9a-z])/gi;
const shorter = /(?<![0-9a-z])(?:[0-9a-f]{40}|[0-9a-f]{32})(?![0-9a-z])/gi;
const comment = /^\s*(?:#|\/\/|;)/;
/** A single word, which may have been meant as a hash. */
const word = /^\s*(?=\S*[0-9a-z])\S+\s*$/i;
/** Between a hash and its note, and around both. */
const edges = /^[\s,;|:="'`()[\]<>*-]+|[\s,;|:="'`()[\]<>*-]+$/g;

export function readPlain(text: string): ReadSource {
	const found: FoundHash[] = [];
	let prose = 0;
	for (const [index, line] of lines(text)) {
		if (line.trim() === '' || comment.test(line)) continue;
		const here = inLine(line, `line ${index + 1}`);
		for (const one of here) found.push(one);
		if (here.length > 0) continue;
		if (!word.test(line)) prose += 1;
		else found.push({ text: line.trim().slice(0, 200), note: '', place: `line ${index + 1}` });
	}
	const ignored = prose === 0 ? [] : [`${counted(prose, ['line', 'lines'])} without a hash`];
	return { format: 'text', found, ignored, columns: [], chosen: null };
}

/** A line that names a file by several hashes gives the SHA-256 alone. */
function inLine(line: string, place: string): readonly FoundHash[] {
	const long = [...line.matchAll(sha256)].map(([hash]) => hash);
	const hashes = long.length > 0 ? long : [...line.matchAll(shorter)].map(([hash]) => hash);
	const [only] = hashes;
	if (hashes.length === 1 && only !== undefined) return [{ text: only, note: noteOf(line, only), place }];
	return hashes.map((text) => ({ text, note: '', place }));
}

function noteOf(line: string, hash: string): string {
	const [before = '', after = ''] = line.split(hash);
	return [before, after]
		.map((part) => part.replaceAll(shorter, '').replaceAll(edges, ''))
		.filter((part) => part !== '')
		.join(' ');
}

function lines(text: string): Iterable<[number, string]> {
	return text
		.replace(/^\uFEFF/, '')
		.split(/\r\n|\n|\r/)
		.entries();
}
