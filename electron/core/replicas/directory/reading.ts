import { CordonError, reportError, type ErrorCode, type ErrorReport } from '#shared/contract/errors.ts';

import type { Clock } from '#core/base/ports.ts';
import type { StoredObject } from './objects.ts';
import { families, type DirectorySource, type Family } from './source.ts';
import type { FamilyState, Store } from './store.ts';

export interface ReadingParts {
	readonly store: Store;
	readonly source: DirectorySource;
	readonly clock: Clock;
}

/** Reads the four listings, one after the other. What arrives is kept at once, whatever comes later. */
/** One after the other; `onFailed` is called as soon as one could not be read. */
export async function readListings(parts: ReadingParts, onFailed: () => void, signal: AbortSignal): Promise<void> {
	for (const family of families) if (!(await readListing(parts, family, signal))) onFailed();
}

/** Resolves with whether it was read to its end. */
async function readListing(
	{ store, source, clock }: ReadingParts,
	family: Family,
	signal: AbortSignal,
): Promise<boolean> {
	const pass = store.nextPass();
	let arrived = 0;
	const outcome = await source.listing(
		family,
		(page) => {
			arrived += page.records.length;
			if (!signal.aborted) store.putBriefs(family, page, pass);
		},
		signal,
	);
	signal.throwIfAborted();
	const now = clock.now();
	const before = store.readState().families[family];
	const state: FamilyState =
		outcome.error === null
			? { at: now, error: null, nothing: false }
			: { at: before.at, error: outcome.error, nothing: arrived === 0 };
	store.endListing(family, pass, state, now);
	return outcome.error === null;
}

/** Reads the details of one object. Gone is told by its row; throws `CordonError` for everything else that went wrong. */
export async function readDetails(
	{ store, source, clock }: ReadingParts,
	{ kind, guid }: Pick<StoredObject, 'kind' | 'guid'>,
	signal: AbortSignal,
): Promise<void> {
	try {
		if (kind === 'group') {
			const { data, at } = await source.group(guid, signal);
			// An answer without policies is all that there is to know, too.
			store.putGroup({ ...data, policies: data.policies ?? [] }, at);
		} else if (kind === 'policy') {
			const { data, at } = await source.policy(guid, signal);
			store.putPolicy({ ...data, file_lists: data.file_lists ?? [] }, at);
		} else {
			const { data, at } = await source.list(guid, signal);
			const { total, ...head } = data;
			store.putListHead(guid, head, total, at);
		}
	} catch (error) {
		if (!(error instanceof CordonError) || signal.aborted) throw error;
		if (error.code === 'not_found') return store.vanish(kind, guid, clock.now());
		store.putProblem(kind, guid, reportError(error));
		throw error;
	}
}

const atOnce = 4;
/** After so many failures in a row the rest is given up: the client has already repeated each of them. */
const failuresInARow = 3;
/** Failures that no other object would escape. A key may well be forbidden to read one policy and not the next. */
const hopeless: ReadonlySet<ErrorCode> = new Set([
	'unauthorized',
	'rate_limited',
	'secret_unavailable',
	'tls',
	'dns',
	'proxy',
	'refused',
	'cancelled',
]);

/** Reads the details of these objects, four at once. Resolves with why the rest was given up, or `null`. */
export async function readAllDetails(
	parts: ReadingParts,
	objects: readonly StoredObject[],
	onProgress: (read: number, of: number) => void,
	signal: AbortSignal,
): Promise<ErrorReport | null> {
	const queue = [...objects];
	const end: { because: ErrorReport | null } = { because: null };
	let [read, failures] = [0, 0];
	const attempt = async (object: StoredObject): Promise<void> => {
		try {
			await readDetails(parts, object, signal);
			failures = 0;
		} catch (error) {
			if (!(error instanceof CordonError) || signal.aborted) throw error;
			failures += 1;
			if (hopeless.has(error.code) || failures >= failuresInARow) end.because ??= reportError(error);
		}
		read += 1;
		onProgress(read, objects.length);
	};
	const work = async (): Promise<void> => {
		for (let next = queue.shift(); next !== undefined && end.because === null; next = queue.shift()) {
			signal.throwIfAborted();
			await attempt(next);
		}
	};
	onProgress(0, objects.length);
	const results = await Promise.allSettled(Array.from({ length: atOnce }, work));
	const broken = results.find((result) => result.status === 'rejected');
	if (broken !== undefined) throw broken.reason;
	return end.because;
}

/** Reads all items of a list, page by page. What was read stays, whatever comes later; rejects only when stopped. */
export async function readItems(
	{ store, source, clock }: ReadingParts,
	guid: string,
	onProgress: (read: number, of: number | null) => void,
	signal: AbortSignal,
): Promise<void> {
	const pass = store.beginItems(guid);
	let read = 0;
	onProgress(0, null);
	const outcome = await source.items(
		guid,
		(page) => {
			if (signal.aborted) return;
			store.putItems(guid, page, pass);
			read += page.records.length;
			onProgress(Math.min(read, page.total ?? read), page.total);
		},
		signal,
	);
	signal.throwIfAborted();
	const now = clock.now();
	if (outcome.gone) return store.vanish('list', guid, now);
	if (outcome.head !== null) store.putListHead(guid, outcome.head, outcome.total, now);
	store.endItems(guid, pass, now, { whole: outcome.complete, problem: outcome.error });
}
