import type { Computer } from '#shared/model/computer.ts';
import { parseExact } from '#shared/model/exact-json.ts';

import type { Clock } from '../ports.ts';
import type { Database } from '../store/database.ts';
import { makeChanges, type Changes } from './changes.ts';
import { isoOf, rowOf, type StoredComputer } from './columns.ts';
import { makeLookup } from './lookup.ts';
import { makeQueries } from './queries.ts';
import { makeRefreshing } from './refreshing.ts';
import { openInventoryFile } from './schema.ts';
import type { InventorySource } from './source.ts';
import { makeSummary, type Summary } from './summary.ts';
import type { Inventory } from './types.ts';
import { makeWriter, type Writer } from './writer.ts';

export interface InventoryOptions {
  /** The SQLite file, such as `<profile>/inventory/<connection>.db`; its folder is made when missing. */
  readonly path: string;
  readonly clock: Clock;
  readonly source: InventorySource;
}

/** Opens one connection's local copy, made anew when it is damaged or of another schema. Close it with `stop()`. */
export function openInventory({ path, clock, source }: InventoryOptions): Inventory {
  const database = openInventoryFile(path);
  const queries = makeQueries(database, () => clock.now());
  const summary = makeSummary(database, queries.revision);
  const writer = makeWriter(database, () => clock.now());
  const changes = makeChanges(clock, () => versionOf(database));
  const refreshing = makeRefreshing({
    parts: { database, clock, source, writer },
    changes,
    rows: () => summary().rows,
    revision: queries.revision,
  });
  return {
    query: queries.query,
    guids: queries.guids,
    position: queries.position,
    ...makeLookup(database, queries, summary),
    ...makeRecords(database),
    ...makeSums(summary, clock),
    ...makeObserver(writer, changes),
    state: refreshing.state,
    refresh: refreshing.refresh,
    refreshMissing: refreshing.refreshMissing,
    onChange: changes.listen,
    stop: async () => {
      changes.stop();
      await refreshing.stop();
      database.close();
    },
  };
}

function makeRecords(database: Database): Pick<Inventory, 'row' | 'record' | 'stateSince'> {
  const stored = (guid: string) => database.get<StoredComputer>('SELECT * FROM computer WHERE guid = ?', guid);
  return {
    row: (guid) => {
      const found = stored(guid);
      return found === undefined ? undefined : rowOf(found);
    },
    record: (guid) => {
      const sql = 'SELECT json FROM record JOIN computer USING (id) WHERE guid = ?';
      const json = database.get<{ readonly json: string }>(sql, guid)?.json;
      // The text was written from a checked record.
      return json === undefined ? undefined : (parseExact(json) as unknown as Computer);
    },
    stateSince: (guid) => {
      const since = stored(guid)?.state_since ?? 0;
      return since > 0 ? new Date(since).toISOString() : undefined;
    },
  };
}

function makeSums(
  summary: () => Summary,
  clock: Clock,
): Pick<Inventory, 'counts' | 'pending' | 'groups' | 'groupPath'> {
  return {
    counts: () => summary().counts(clock.now()),
    pending: () =>
      summary()
        .pending()
        .map((computer) => ({ ...computer, since: isoOf(computer.since) ?? '' })),
    groups: () => summary().groups().rows(),
    groupPath: (guid) => summary().groups().path(guid),
  };
}

type Observer = Pick<Inventory, 'observe' | 'observeIsolation' | 'observeGroups' | 'vanished'>;

function makeObserver(writer: Writer, changes: Changes): Observer {
  const tell = (changed: boolean, guid: string | null): void => {
    if (changed) changes.touch(guid);
  };
  return {
    observe: (records, at) => tell(writer.merge(records, at), onlyGuid(records)),
    observeIsolation: (guid, isolation, at) => tell(writer.isolation(guid, isolation, at), guid),
    observeGroups: (groups, at) => tell(writer.groups(groups, at), null),
    vanished: (guid, at) => tell(writer.vanished(guid, at), guid),
  };
}

function onlyGuid(records: readonly Computer[]): string | null {
  const [first, second] = records;
  return first !== undefined && second === undefined ? first.connector_guid : null;
}

/** Changes with every commit of another connection to the file (https://sqlite.org/pragma.html#pragma_data_version). */
function versionOf(database: Database): number {
  return database.get<{ readonly data_version: number }>('PRAGMA data_version')?.data_version ?? 0;
}
