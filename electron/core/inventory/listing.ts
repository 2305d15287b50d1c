import { setImmediate as turn } from 'node:timers/promises';

import { CordonError, reportError } from '#shared/contract/errors.ts';

import type { Clock } from '../ports.ts';
import type { Database } from '../store/database.ts';
import { ownIdentity } from '../store/process-identity.ts';
import { interrupted, readSettled, writeListing, type ListingState } from './listing-state.ts';
import type { InventoryPage, InventorySource, ListingOutcome } from './source.ts';
import type { Writer } from './writer.ts';

/** Records written in one transaction; between two, queries and the rest of the program have their turn. */
const slice = 250;

export interface ListingParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly source: InventorySource;
  readonly writer: Writer;
  /** Called after rows or the state changed. */
  readonly onProgress: (listing: ListingState) => void;
}

/**
 * Reads the listing of computers, whole or only its missing pages, and the groups. What arrives is written at once and kept,
 * whatever comes later. Resolves with how it ended; rejects only when the local file cannot be written.
 */
export async function readWholeListing(parts: ListingParts, signal: AbortSignal): Promise<ListingState> {
  const before = readSettled(parts.database);
  const begun = begin(parts, { ...before, total: null, arrived: [], startedAt: parts.clock.now() });
  const after = await walk(parts, begun, undefined, signal);
  // Stopped before anything was read: nothing happened.
  return signal.aborted && after.arrived.length === 0 ? keep(parts, before) : after;
}

/** Reads what the last listing could not; everything, when that is not known or the service's total has changed since. */
export async function readMissingPages(parts: ListingParts, signal: AbortSignal): Promise<ListingState> {
  const before = readSettled(parts.database);
  if (before.phase === 'complete') return before;
  if (before.missing.length === 0) return readWholeListing(parts, signal);
  const after = await walk(parts, begin(parts, before), before.missing, signal);
  const unsure = after.phase === 'partial' && after.missing.length === 0 && !signal.aborted;
  return unsure ? readWholeListing(parts, signal) : after;
}

function begin(parts: ListingParts, listing: ListingState): ListingState {
  return keep(parts, { ...listing, phase: 'loading', owner: ownIdentity(), missing: [], error: null });
}

function keep(parts: ListingParts, listing: ListingState): ListingState {
  writeListing(parts.database, listing);
  parts.onProgress(listing);
  return listing;
}

async function walk(
  parts: ListingParts,
  begun: ListingState,
  offsets: readonly number[] | undefined,
  signal: AbortSignal,
): Promise<ListingState> {
  const intake = makeIntake(parts, begun, signal);
  const groups = readGroups(parts, intake.signal);
  const outcome = await endOf(parts.source.computers({ offsets, onPage: intake.take, signal: intake.signal }));
  const groupsError = await groups;
  const arrived = await intake.end();
  if (!('total' in outcome)) return keep(parts, interrupted(arrived, outcome));
  const ended = conclude(parts, begun, arrived, outcome);
  return keep(parts, { ...ended, error: ended.error ?? groupsError });
}

/** A source rejects only when it was stopped; the reason becomes the listing's error. */
async function endOf(listing: Promise<ListingOutcome>): Promise<ListingOutcome | ReturnType<typeof reportError>> {
  try {
    return await listing;
  } catch (error) {
    return reportError(error);
  }
}

/** Only a complete listing tells that a computer is gone. */
function conclude(
  parts: ListingParts,
  begun: ListingState,
  arrived: ListingState,
  outcome: ListingOutcome,
): ListingState {
  const now = parts.clock.now();
  if (isWhole(parts.database, begun, outcome)) {
    parts.writer.listedSince(begun.startedAt, now);
    return { ...arrived, phase: 'complete', missing: [], completeAt: now, total: outcome.total, error: null };
  }
  const error = outcome.error ?? reportError(changedWhileRead());
  if (arrived.arrived.length === 0) return { ...arrived, phase: 'failed', missing: [], error };
  return { ...arrived, phase: 'partial', missing: outcome.missing, error };
}

/** After missing pages were read, the sum counts: as many computers since the listing began as the service has. */
function isWhole(database: Database, begun: ListingState, outcome: ListingOutcome): boolean {
  if (outcome.complete) return true;
  if (begun.total === null || outcome.missing.length > 0 || outcome.total !== begun.total) return false;
  const sql = 'SELECT count(*) AS n FROM computer WHERE read_at >= ? AND vanished_at IS NULL';
  return (database.get<{ readonly n: number }>(sql, begun.startedAt)?.n ?? 0) >= begun.total;
}

function changedWhileRead(): CordonError {
  return new CordonError(
    'incomplete',
    'The listing changed while it was read, so that nobody knows whether it is whole.',
  );
}

/** Resolves with what kept the groups from being read, or `null`. */
async function readGroups(parts: ListingParts, signal: AbortSignal): Promise<ReturnType<typeof reportError> | null> {
  try {
    const { groups, at } = await parts.source.groups(signal);
    parts.writer.groups(groups, at);
    parts.writer.groupsListedSince(at);
    return null;
  } catch (error) {
    return reportError(error);
  }
}

interface Intake {
  readonly take: (page: InventoryPage) => void;
  /** Aborted by the caller, or when a page cannot be written. */
  readonly signal: AbortSignal;
  /** Resolves when every page that was taken is written; rejects with what kept one from being written. */
  end(): Promise<ListingState>;
}

/** Writes pages one after the other, in slices. */
function makeIntake(parts: ListingParts, begun: ListingState, signal: AbortSignal): Intake {
  const broken = new AbortController();
  let listing = begun;
  let failure: { readonly error: unknown } | undefined;
  let work = Promise.resolve();

  const write = async (page: InventoryPage): Promise<void> => {
    if (failure !== undefined) return;
    try {
      await writeSlices(parts, page, () => parts.onProgress(listing));
      listing = keep(parts, withPage(listing, page));
    } catch (error) {
      failure = { error };
      broken.abort(error);
    }
  };
  return {
    signal: AbortSignal.any([signal, broken.signal]),
    take: (page) => {
      work = work.then(() => write(page));
    },
    end: async () => {
      await work;
      if (failure !== undefined) throw failure.error;
      return listing;
    },
  };
}

async function writeSlices(parts: ListingParts, page: InventoryPage, onSlice: () => void): Promise<void> {
  for (let from = 0; from < page.records.length; from += slice) {
    parts.writer.replace(page.records.slice(from, from + slice), page.at);
    onSlice();
    await turn();
  }
}

function withPage(listing: ListingState, page: InventoryPage): ListingState {
  const arrived = [...new Set([...listing.arrived, page.offset])];
  const readAt = Math.max(listing.readAt ?? 0, page.at);
  return { ...listing, arrived, readAt, total: page.total ?? listing.total };
}
