/** Reads the isolation states of a few computers, the cheaper way. */
import { CordonError } from '#shared/contract/errors.ts';

import { getComputers } from '../api/endpoints/computers.ts';
import { getIsolation } from '../api/endpoints/isolation.ts';
import { pageSize } from '../api/pages.ts';
import type { ApiClient, CallOptions } from '../api/types.ts';
import type { Inventory } from '../inventory/types.ts';
import type { Clock } from '../ports.ts';

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

/** What was read goes to the local copy. Rejects with the first failure; what was read before it is kept. */
export async function pollStates(services: PollServices, guids: readonly string[], signal: AbortSignal): Promise<void> {
  const options: CallOptions = { signal, purpose: 'background', deadlineMs: 60_000 };
  if (usesListing(services, guids.length)) return await pollListing(services, options);
  for (const guid of guids) await pollOne(services, guid, options);
}

/** One call for 500 computers, where that is fewer calls. */
function usesListing(services: PollServices, computers: number): boolean {
  return computers > few && pages(services) < computers;
}

function pages({ inventory }: PollServices): number {
  const { total, rows } = inventory.state();
  return Math.max(1, Math.ceil((total ?? rows) / pageSize));
}

async function pollListing({ client, inventory }: PollServices, options: CallOptions): Promise<void> {
  const listing = await getComputers(
    client,
    {},
    {
      ...options,
      all: true,
      onPage: (_new, { page, sentAt }) => inventory.observe(page, sentAt),
    },
  );
  if (listing.error !== null) throw listing.error;
}

async function pollOne({ client, inventory, clock }: PollServices, guid: string, options: CallOptions): Promise<void> {
  try {
    const answer = await getIsolation(client, { connector_guid: guid }, options);
    inventory.observeIsolation(guid, answer.data, answer.at);
  } catch (error) {
    if (!(error instanceof CordonError) || error.code !== 'not_found') throw error;
    inventory.vanished(guid, clock.now());
  }
}
