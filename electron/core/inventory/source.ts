import type { ErrorReport } from '#shared/contract/errors.ts';
import type { Computer } from '#shared/model/computer.ts';
import type { Group } from '#shared/model/group.ts';

import type { ApiClient } from '../api/types.ts';

/** One page of the listing of computers. Times are Unix milliseconds. */
export interface InventoryPage {
  readonly offset: number;
  readonly records: readonly Computer[];
  /** As the service told in this answer. */
  readonly total: number;
  /** When the request was sent: what happened later may be missing in it. */
  readonly at: number;
}

export interface ListingOutcome {
  /** Every record of an unchanged total was read. */
  readonly complete: boolean;
  readonly total: number | null;
  /** Offsets of the pages that could not be read. */
  readonly missing: readonly number[];
  /** Why, when something is missing. */
  readonly error: ErrorReport | null;
}

/** Where the inventory reads from. Rejects only when stopped by the signal. */
export interface InventorySource {
  /** Walks the listing, or only the pages at `offsets`; pages arrive in any order, at most four are under way. */
  computers(options: {
    readonly offsets?: readonly number[] | undefined;
    readonly onPage: (page: InventoryPage) => void;
    readonly signal: AbortSignal;
  }): Promise<ListingOutcome>;
  /** All groups; throws `CordonError` when they cannot be read. */
  groups(signal: AbortSignal): Promise<{ readonly groups: readonly Group[]; readonly at: number }>;
}

/** The source that reads through one connection's client. */
export function inventorySource(_client: ApiClient): InventorySource {
  throw new Error('not written yet');
}
