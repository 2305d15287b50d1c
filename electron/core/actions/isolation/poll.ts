/** Reads the isolation states of a few computers, the cheaper way. */
import { CordonError, errorFromReport } from '#shared/contract/errors.ts';
import type { Computer } from '#shared/model/computer.ts';

import { getComputers } from '#core/service/api/endpoints/computers.ts';
import { getIsolation } from '#core/service/api/endpoints/isolation.ts';
import { pageSize, type WalkOptions } from '#core/service/api/pages.ts';
import type { ApiClient, CallOptions } from '#core/service/api/types.ts';
import type { Inventory } from '#core/replicas/computers/types.ts';
import type { Clock } from '#core/base/ports.ts';

export interface PollServices {
	readonly client: ApiClient;
	readonly inventory: Inventory;
	readonly clock: Clock;
}

/** Up to this many are always asked one by one. */
const few = 5;

/** How many calls one poll of so many computers costs. */
export function pollCost(services: PollServices, computers: number): number {
	return usesListing(services, computers) ? pages(services) : computers;
}

/**
 * What was read goes to the local copy, and `onRead` hears of each reading. One failure does not keep the others
 * from being read; rejects with the first of them at the end.
 */
export async function pollStates(
	services: PollServices,
	guids: readonly string[],
	onRead: () => Promise<void>,
	signal: AbortSignal,
): Promise<void> {
	const options: CallOptions = { signal, purpose: 'background', deadlineMs: 60_000 };
	if (usesListing(services, guids.length)) return await pollListing(services, onRead, options);
	const failures: unknown[] = [];
	for (const guid of guids) {
		signal.throwIfAborted();
		await pollOne(services, guid, onRead, options).catch((error: unknown) => failures.push(error));
	}
	if (failures.length > 0) throw failures[0];
}

/** One call for 500 computers, where that is fewer calls. */
function usesListing(services: PollServices, computers: number): boolean {
	return computers > few && pages(services) < computers;
}

function pages({ inventory }: PollServices): number {
	const { total, rows } = inventory.state();
	return Math.max(1, Math.ceil((total ?? rows) / pageSize));
}

async function pollListing(
	{ client, inventory }: PollServices,
	onRead: () => Promise<void>,
	options: CallOptions,
): Promise<void> {
	if (inventory.state().phase === 'loading') {
		// Somebody reads the same listing already; were it another process, this one reads it, too.
		const { error } = await inventory.refresh(options.signal);
		await onRead();
		if (error !== null) throw errorFromReport(error);
		return;
	}
	let told = Promise.resolve();
	const onPage = (page: readonly Computer[], sentAt: number): void => {
		inventory.observe(page, sentAt);
		told = told.then(onRead);
		// Told below; the next page may come before.
		told.catch(() => undefined);
	};
	const walk: WalkOptions<Computer> = {
		...options,
		all: true,
		keep: false,
		onPage: (_new, { page, sentAt }) => onPage(page, sentAt),
	};
	const listing = await getComputers(client, {}, walk);
	await told;
	if (listing.error !== null) throw listing.error;
}

async function pollOne(
	{ client, inventory, clock }: PollServices,
	guid: string,
	onRead: () => Promise<void>,
	options: CallOptions,
): Promise<void> {
	try {
		const answer = await getIsolation(client, { connector_guid: guid }, options);
		inventory.observeIsolation(guid, answer.data, answer.at);
	} catch (error) {
		if (!(error instanceof CordonError) || error.code !== 'not_found') throw error;
		inventory.vanished(guid, clock.now());
	}
	await onRead();
}
