/** Decides what a finished build becomes: published, held back, or nothing. */
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { CordonError } from '#shared/contract/errors.ts';
import type { ListService } from '#shared/model/instance.ts';
import type { Clock } from '#core/base/ports.ts';
import { buildInThread } from './build-thread.ts';
import type { BuildFacts } from './build.ts';
import type { Base } from './render.ts';
import type { BuildRecord, Shelf } from './shelf.ts';
import { localSources, type FetchFileList } from './sources.ts';

export interface Rebuild {
	readonly shelf: Shelf;
	readonly definition: ListService;
	/** Unused before, begins with `build-`. */
	readonly id: string;
	readonly fetchFileList: FetchFileList;
	readonly clock: Clock;
	readonly signal: AbortSignal;
}

/** Builds and publishes, or holds back what the shrink guard stops. Rejects when the last good list stays. */
export async function rebuild(request: Rebuild): Promise<void> {
	const { shelf, definition, id, clock } = request;
	const compared = comparable(shelf.current, definition);
	const releases = [shelf.holdId(id), ...(compared === null ? [] : [shelf.holdId(compared.id)])];
	const [builtAt, began] = [clock.now(), clock.monotonic()];
	try {
		const facts = await buildIn(shelf.folderOf(id), request, compared === null ? null : shelf.baseOf(compared));
		const seconds = (clock.monotonic() - began) / 1000;
		await settle(request, { version: 1, id, definition, builtAt, changedAt: builtAt, seconds, facts }, compared);
	} finally {
		for (const release of releases) release();
	}
}

async function buildIn(folder: string, request: Rebuild, previous: Base | null): Promise<BuildFacts> {
	const { definition, fetchFileList, signal } = request;
	await mkdir(folder, { mode: 0o700 });
	const sources = await localSources(definition.sources, fetchFileList, folder, signal);
	const facts = await buildInThread({ definition, sources, folder, previous }, signal);
	await Promise.all(sources.map((_, index) => rm(join(folder, `source-${index}`), { force: true })));
	return facts;
}

/** The list that is served, when a new one can be compared with it. */
function comparable(current: BuildRecord | null, definition: ListService): BuildRecord | null {
	return current?.definition.type === definition.type ? current : null;
}

async function settle({ shelf, definition }: Rebuild, next: BuildRecord, compared: BuildRecord | null): Promise<void> {
	if (next.facts.entries === 0 && !definition.allowEmpty) {
		throw new CordonError('conflict', 'The list was not published: it would be empty, which this list does not allow.');
	}
	// A held list was let through meanwhile: the next build is compared with that one.
	if (comparable(shelf.current, definition) !== compared) throw new CordonError('busy');
	if (compared !== null && losesTooMuch(next.facts, definition)) return shelf.put('held', next);
	if (compared !== null && isSame(compared, next)) {
		await shelf.put('current', { ...next, id: compared.id, changedAt: compared.changedAt });
	} else await shelf.put('current', next);
	if (shelf.held !== null) await shelf.put('held', null);
}

function losesTooMuch({ difference }: BuildFacts, { shrinkGuardPercent }: ListService): boolean {
	return difference !== null && difference.lost * 100 > shrinkGuardPercent * difference.before;
}

/** The same bytes: they keep their time, so that nobody fetches them again. */
function isSame(old: BuildRecord, next: BuildRecord): boolean {
	const { difference, bodies } = next.facts;
	const same =
		difference !== null && difference.lost + difference.gained === 0 && old.facts.invalid === next.facts.invalid;
	const formats = new Set([...Object.keys(bodies), ...Object.keys(old.facts.bodies)]);
	return same && [...formats].every((format) => shaOf(old, format) === shaOf(next, format));
}

function shaOf(record: BuildRecord, format: string): string | undefined {
	return Object.entries(record.facts.bodies).find(([name]) => name === format)?.[1].sha256;
}
