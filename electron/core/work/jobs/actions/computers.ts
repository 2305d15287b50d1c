/** Reads many computers the cheapest way: one by one, by their groups, or through the whole listing (500 a call). */
import { CordonError } from '#shared/contract/errors.ts';
import type { Computer } from '#shared/model/computer.ts';
import { isGuid, normalGuid } from '#shared/model/formats.ts';

import { getComputer, getComputers, type ComputersArgs } from '#core/service/api/endpoints/computers.ts';
import { getIsolation } from '#core/service/api/endpoints/isolation.ts';
import { pageSize, type WalkOptions } from '#core/service/api/pages.ts';
import type { CallOptions } from '#core/service/api/types.ts';
import type { Action, ReadHow, ReadServices } from './types.ts';

export interface ReadComputer {
	readonly computer: Computer;
	readonly at: number;
}
export type ReadComputers = ReadonlyMap<string, ReadComputer | null>;

type Way = { readonly kind: 'single' } | { readonly kind: 'listing'; readonly groups: readonly string[] | null };

/** So many groups still make a short address. */
const mostGroups = 20;

export function computersCost({ inventory }: ReadServices, ids: readonly string[], whole: boolean): number {
	const way = wayTo({ inventory }, ids, whole);
	if (way.kind === 'single') return ids.length;
	return way.groups === null ? allPages(inventory) : groupPages(inventory, way.groups);
}

export async function readComputers(
	services: ReadServices,
	ids: readonly string[],
	how: ReadHow,
): Promise<ReadComputers> {
	const options: CallOptions = { signal: how.signal, purpose: 'job' };
	const way = wayTo(services, ids, how.whole);
	if (way.kind === 'single') return await readSingly(services, ids, options);
	return await readListing(services, new Set(ids), way.groups, { ...options, ...how });
}

function wayTo({ inventory }: Pick<ReadServices, 'inventory'>, ids: readonly string[], whole: boolean): Way {
	const all = allPages(inventory);
	// By groups, one that moved elsewhere would not be seen.
	const groups = whole ? null : groupsOf(inventory, ids);
	const byGroups = groups === null ? Number.POSITIVE_INFINITY : groupPages(inventory, groups);
	if (ids.length <= Math.min(all, byGroups)) return { kind: 'single' };
	return { kind: 'listing', groups: byGroups < all ? groups : null };
}

function allPages(inventory: ReadServices['inventory']): number {
	const { total, rows } = inventory.state();
	return Math.max(1, Math.ceil((total ?? rows) / pageSize));
}

function groupsOf(inventory: ReadServices['inventory'], ids: readonly string[]): readonly string[] | null {
	const groups = new Set(ids.map((id) => inventory.row(id)?.groupGuid ?? ''));
	return groups.has('') || groups.size > mostGroups ? null : [...groups];
}

function groupPages(inventory: ReadServices['inventory'], groups: readonly string[]): number {
	const wanted = new Set(groups);
	const computers = inventory
		.groups()
		.filter(({ guid }) => wanted.has(guid))
		.reduce((sum, group) => sum + group.computers, 0);
	return Math.max(1, Math.ceil(computers / pageSize));
}

async function readSingly(
	services: ReadServices,
	ids: readonly string[],
	options: CallOptions,
): Promise<ReadComputers> {
	const read = new Map<string, ReadComputer | null>();
	for (const id of ids) read.set(id, await readOne(services, id, options));
	return read;
}

async function readOne(services: ReadServices, id: string, options: CallOptions): Promise<ReadComputer | null> {
	const { client, inventory, clock } = services;
	const at = clock.now();
	try {
		const answer = await getComputer(client, { connector_guid: id }, options);
		const computer =
			answer.data.isolation === undefined ? await withIsolation(services, answer.data, options) : answer.data;
		inventory.observe([computer], at);
		return { computer, at };
	} catch (error) {
		if (!(error instanceof CordonError) || error.code !== 'not_found') throw error;
		inventory.vanished(id, clock.now());
		return null;
	}
}

/** Records of older generations tell nothing of isolation. */
async function withIsolation({ client }: ReadServices, computer: Computer, options: CallOptions): Promise<Computer> {
	const { data } = await getIsolation(client, { connector_guid: computer.connector_guid }, options);
	return { ...computer, isolation: { available: data.available, status: data.status } };
}

async function readListing(
	{ client, inventory }: ReadServices,
	ids: ReadonlySet<string>,
	groups: readonly string[] | null,
	options: CallOptions & ReadHow,
): Promise<ReadComputers> {
	const read = new Map<string, ReadComputer | null>();
	const walk: WalkOptions<Computer> = {
		...options,
		all: true,
		keep: false,
		onPage: (_new, { page, sentAt }) => {
			inventory.observe(page, sentAt);
			for (const computer of page) {
				const id = normalGuid(computer.connector_guid);
				if (ids.has(id)) read.set(id, { computer, at: sentAt });
			}
		},
	};
	const args: ComputersArgs = groups === null ? {} : { group_guid: groups };
	const listing = await getComputers(client, args, walk);
	if (listing.error !== null && (options.whole || read.size === 0)) throw listing.error;
	if (options.whole) for (const id of ids) if (!read.has(id)) read.set(id, null);
	return read;
}

/** A GUID as it is, or the exact name of one computer of the local copy. */
export function resolveComputer(inventory: ReadServices['inventory'], typed: string): ReturnType<Action['resolve']> {
	if (isGuid(typed)) return { id: normalGuid(typed) };
	if (typed === '' || /["\\\s]/.test(typed))
		return { left: { kind: 'invalid', message: 'This is neither a GUID nor a host name.' } };
	const guids = inventory.named(typed);
	const [only, second] = guids;
	if (only === undefined) return { left: { kind: 'not_found', message: 'No computer that was read has this name.' } };
	if (second === undefined) return { id: only };
	return { left: { kind: 'invalid', message: `${guids.length} computers have this name: give the GUID.` } };
}
