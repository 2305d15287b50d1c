import type { InventoryCounts } from '#shared/model/frame.ts';
import { pendingTooLongMs } from '#shared/model/isolation.ts';

import type { Database } from '#core/store/database.ts';
import { glanceRanks } from './columns.ts';
import { readGroups, type GroupTree } from './groups.ts';

export interface PendingComputer {
  readonly guid: string;
  readonly status: string;
  readonly since: number;
}

export interface KnownPolicy {
  readonly guid: string;
  readonly name: string;
}

/** What is counted over all rows; looked at once for each revision. */
export interface Summary {
  readonly rows: number;
  counts(now: number): InventoryCounts;
  pending(): readonly PendingComputer[];
  groups(): GroupTree;
  policies(): readonly KnownPolicy[];
}

interface Tally {
  readonly rank: number;
  readonly compromised: number;
  readonly n: number;
}

export function makeSummary(database: Database, revision: () => number): () => Summary {
  let kept: { readonly revision: number; readonly summary: Summary } | undefined;
  return () => {
    const current = revision();
    if (kept?.revision !== current) kept = { revision: current, summary: readSummary(database) };
    return kept.summary;
  };
}

function readSummary(database: Database): Summary {
  const tallies = database.all<Tally>('SELECT rank, compromised, n FROM tally');
  const sum = (matches: (tally: Tally) => boolean) =>
    tallies.filter(matches).reduce((total, tally) => total + tally.n, 0);
  const rows = sum(() => true);
  const pending = lazy(() => readPending(database));
  return {
    rows,
    pending,
    groups: lazy(() => readGroups(database)),
    policies: lazy(() => readPolicies(database)),
    counts: (now) => ({
      computers: rows,
      compromised: sum((tally) => tally.compromised === 1),
      isolated: sum((tally) => tally.rank === glanceRanks.isolated),
      pendingStart: sum((tally) => tally.rank === glanceRanks.pending_start),
      pendingStop: sum((tally) => tally.rank === glanceRanks.pending_stop),
      pendingTooLong: pending().filter((computer) => now - computer.since > pendingTooLongMs).length,
    }),
  };
}

function readPending(database: Database): readonly PendingComputer[] {
  return database.all<PendingComputer>(
    `SELECT guid, status, state_since AS since FROM computer
     WHERE vanished_at IS NULL AND rank IN (?, ?) ORDER BY state_since, guid`,
    glanceRanks.pending_start,
    glanceRanks.pending_stop,
  );
}

function readPolicies(database: Database): readonly KnownPolicy[] {
  return database.all<KnownPolicy>("SELECT guid, name FROM policy WHERE guid <> '' ORDER BY fold, guid, name");
}

function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
