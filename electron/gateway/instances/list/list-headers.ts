import type { BodyFacts } from './build.ts';
import { bodyFile } from './bodies.ts';
import type { BuildRecord } from './shelf.ts';
import type { Variant } from './variant.ts';

export const mediaType = {
	text: 'text/plain; charset=utf-8',
	json: 'application/json; charset=utf-8',
	csv: 'text/csv; charset=utf-8',
} as const;

export interface ListHeaders {
	/** Those that a 304 repeats. */
	readonly shared: Readonly<Record<string, string | number>>;
	readonly all: Readonly<Record<string, string | number>>;
	/** Whether parts can be asked for. */
	readonly ranges: boolean;
}

/** Names and meanings as in the original service (route description, 2.2), and validators of exactly these bytes. */
export function listHeaders(record: BuildRecord, variant: Variant, facts: BodyFacts, refreshS: number): ListHeaders {
	const shared = {
		ETag: `"${facts.sha256}"`,
		'Last-Modified': new Date(record.changedAt).toUTCString(),
		'Cache-Control': `max-age=${refreshS}, stale-if-error=600`,
		Vary: 'Accept-Encoding',
		'X-EDL-Created': new Date(record.builtAt).toISOString(),
		'X-EDL-Query-Time-Secs': record.seconds.toFixed(3),
		'X-EDL-Size': facts.values,
		'X-EDL-Origin-Size': record.facts.originSize,
	};
	const ranges = bodyFile(record, variant) !== null;
	const type = variant.format === 'csv' && variant.csvAsText ? mediaType.text : mediaType[variant.format];
	const all = { ...shared, 'Content-Type': type, 'Accept-Ranges': ranges ? 'bytes' : 'none' };
	return { shared, all: { ...all, 'X-Content-Type-Options': 'nosniff' }, ranges };
}
