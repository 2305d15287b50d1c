/** SHA-256 hashes of a STIX 2.0 or 2.1 bundle: of file objects, and of indicators whose pattern asks for a hash. */
import { counted } from '#shared/text/numbers.ts';

import type { FoundHash, ReadSource } from './types.ts';

type Json = Readonly<Record<string, unknown>>;

/** `file:hashes.'SHA-256' = '…'` (STIX 2.1, section 9); what is negated is none. */
const compared =
	/(\bNOT\s+)?\bfile:(?:[\w.-]+\.)?hashes\.(?:'([^']+)'|"([^"]+)"|([\w-]+))\s*(NOT\s+)?(!=|=|IN|LIKE|MATCHES)\s*(\([^)]*\)|'[^']*')/gi;

export function isStix(value: unknown): value is Json {
	return (
		isObject(value) && (value['type'] === 'bundle' || (typeof value['id'] === 'string' && value['id'].includes('--')))
	);
}

export function readStix(root: Json, now: number): ReadSource {
	const objects = (Array.isArray(root['objects']) ? root['objects'] : [root]).filter(isObject);
	const found: FoundHash[] = [];
	const passed = { revoked: 0, expired: 0, other: 0 };
	for (const object of objects) {
		const here = hashesOf(object);
		if (here.length === 0) continue;
		if (object['revoked'] === true) passed.revoked += 1;
		else if (isOver(object, now)) passed.expired += 1;
		else for (const one of here) found.push(one);
	}
	passed.other = objects.filter(({ type }) => type === 'indicator').length - objects.filter(isFileIndicator).length;
	return { format: 'stix', found, ignored: words(passed), columns: [], chosen: null };
}

function words({ revoked, expired, other }: Readonly<Record<string, number>>): readonly string[] {
	const told = [
		[revoked, 'revoked'],
		[expired, 'expired'],
		[other, 'not about the hash of a file'],
	] as const;
	return told
		.filter(([count = 0]) => count > 0)
		.map(([count = 0, why]) => `${counted(count, ['indicator', 'indicators'])} ${why}`);
}

function isFileIndicator(object: Json): boolean {
	return object['type'] === 'indicator' && hashesOf(object).length > 0;
}

function isOver(object: Json, now: number): boolean {
	const until = object['valid_until'];
	return typeof until === 'string' && Date.parse(until) <= now;
}

function hashesOf(object: Json): readonly FoundHash[] {
	const place = typeof object['id'] === 'string' ? object['id'].slice(0, 100) : 'an object without id';
	const note = typeof object['name'] === 'string' ? object['name'] : '';
	return [...ofFile(object), ...ofPattern(object), ...ofObserved(object)].map((text) => ({
		text: text.slice(0, 200),
		note,
		place,
	}));
}

/** The SHA-256 of a file; a weaker hash only where it is all there is. */
function ofFile(object: Json): readonly string[] {
	const hashes = object['hashes'];
	if (object['type'] !== 'file' || !isObject(hashes)) return [];
	return strongest(Object.entries(hashes));
}

function ofPattern(object: Json): readonly string[] {
	const pattern = object['pattern'];
	if (object['type'] !== 'indicator' || typeof pattern !== 'string') return [];
	const pairs = [...pattern.matchAll(compared)].flatMap((match): [string, string][] => {
		const [, before, single, double, bare, negated, operator = '', value = ''] = match;
		if (before !== undefined || negated !== undefined) return [];
		if (operator !== '=' && operator.toUpperCase() !== 'IN') return [];
		return [...value.matchAll(/'([^']*)'/g)].map(([, hash = '']) => [single ?? double ?? bare ?? '', hash]);
	});
	return strongest(pairs);
}

/** STIX 2.0 keeps what was observed inside of one object. */
function ofObserved(object: Json): readonly string[] {
	const inner = object['objects'];
	if (object['type'] !== 'observed-data' || !isObject(inner)) return [];
	return Object.values(inner).filter(isObject).flatMap(ofFile);
}

function strongest(pairs: readonly (readonly [algorithm: string, hash: unknown])[]): readonly string[] {
	const named = pairs.flatMap(([algorithm, hash]) =>
		typeof hash === 'string' ? [{ algorithm: algorithm.toLowerCase().replaceAll(/[^a-z0-9]/g, ''), hash }] : [],
	);
	for (const wanted of ['sha256', 'sha1', 'md5']) {
		const found = named.filter(({ algorithm }) => algorithm === wanted);
		if (found.length > 0) return found.map(({ hash }) => hash);
	}
	return [];
}

function isObject(value: unknown): value is Json {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
