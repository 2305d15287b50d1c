import type { Computer } from '#shared/model/computer.ts';
import { parseExact } from '#shared/model/exact-json.ts';

import type { Clock } from '../ports.ts';
import type { Database } from '../store/database.ts';
import { makeChanges } from './changes.ts';
import { isoOf, rowOf, type StoredComputer } from './columns.ts';
import { readSettled, stateOf, type ListingState } from './listing-state.ts';
import { readMissingPages, readWholeListing, type ListingParts } from './listing.ts';
import { makeLookup } from './lookup.ts';
import { makeQueries } from './queries.ts';
import { openInventoryFile } from './schema.ts';
import { makeShared } from './shared-work.ts';
import type { InventorySource } from './source.ts';
import { makeSummary } from './summary.ts';
import type { Inventory } from './types.ts';
import { makeWriter } from './writer.ts';

export interface InventoryOptions {
  /** The SQLite file, such as `<profile>/inventory/<connection>.db`; its folder is made when missing. */
  readonly path: string;
  readonly clock: Clock;
  readonly source: InventorySource;
}

/** Opens one connection's local copy, made anew when it is damaged or of another schema. Close it with `stop()`. */
export function openInventory({ path, clock, source }: InventoryOptions): Inventory {
  const database = openInventoryFile(path);
  const now = () => clock.now();
  const queries = makeQueries(database, now);
  const summary = makeSummary(database, queries.revision);
  const lookup = makeLookup(database, queries, summary);
  const writer = makeWriter(database, now);
  const changes = makeChanges(clock, () => versionOf(database));
  const work = makeShared<void>();
  // While this process reads, its own progress is newer than the file's.
  let progress: ListingState | undefined;

  const state = () => stateOf(progress ?? readSettled(database), summary().rows, queries.revision());
  const told = (changed: boolean, guid: string | null) => void (changed && changes.touch(guid));
  const parts: ListingParts = {
    database,
    clock,
    source,
    writer,
    onProgress: (listing) => {
      progress = listing;
      changes.touch(null);
    },
  };
  const read = async (kind: typeof readWholeListing, signal: AbortSignal | undefined) => {
    await work.join(async (stop) => {
      try {
        await kind(parts, stop);
      } finally {
        progress = undefined;
        changes.flush();
      }
    }, signal);
    return state();
  };

  return {
    query: queries.query,
    guids: queries.guids,
    position: queries.position,
    row: (guid) => {
      const found = storedOf(database, guid);
      return found === undefined ? undefined : rowOf(found);
    },
    record: (guid) => recordOf(database, guid),
    stateSince: (guid) => {
      const since = storedOf(database, guid)?.state_since ?? 0;
      return since > 0 ? new Date(since).toISOString() : undefined;
    },
    state,
    counts: () => summary().counts(now()),
    pending: () =>
      summary()
        .pending()
        .map((computer) => ({ ...computer, since: isoOf(computer.since) ?? '' })),
    groups: () => summary().groups().rows(),
    groupPath: (guid) => summary().groups().path(guid),
    suggest: lookup.suggest,
    find: lookup.find,
    refresh: (signal) => read(readWholeListing, signal),
    refreshMissing: (signal) => read(readMissingPages, signal),
    observe: (records, at) => told(writer.merge(records, at), onlyGuid(records)),
    observeIsolation: (guid, isolation, at) => told(writer.isolation(guid, isolation, at), guid),
    observeGroups: (groups, at) => told(writer.groups(groups, at), null),
    vanished: (guid, at) => told(writer.vanished(guid, at), guid),
    onChange: changes.listen,
    stop: async () => {
      changes.stop();
      await work.stop();
      database.close();
    },
  };
}

function storedOf(database: Database, guid: string): StoredComputer | undefined {
  return database.get<StoredComputer>('SELECT * FROM computer WHERE guid = ?', guid);
}

function recordOf(database: Database, guid: string): Computer | undefined {
  const sql = 'SELECT json FROM record JOIN computer USING (id) WHERE guid = ?';
  const json = database.get<{ readonly json: string }>(sql, guid)?.json;
  // The text was written from a checked record.
  return json === undefined ? undefined : (parseExact(json) as unknown as Computer);
}

function onlyGuid(records: readonly Computer[]): string | null {
  const [first, second] = records;
  return first !== undefined && second === undefined ? first.connector_guid : null;
}

/** Changes with every commit of another connection to the file (https://sqlite.org/pragma.html#pragma_data_version). */
function versionOf(database: Database): number {
  return database.get<{ readonly data_version: number }>('PRAGMA data_version')?.data_version ?? 0;
}
