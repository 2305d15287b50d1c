import type { Computer } from '#shared/model/computer.ts';
import { parseExact } from '#shared/model/exact-json.ts';
import { ipv4Number } from '#shared/model/filter-values.ts';
import type { Group } from '#shared/model/group.ts';

import type { Database, Param } from '../store/database.ts';
import {
  columnsOf,
  fold,
  isolationColumns,
  jsonOf,
  listOf,
  macDigits,
  searchText,
  unknownIsolation,
  type IsolationColumns,
  type RecordColumns,
  type StoredComputer,
} from './columns.ts';

/** How long a vanished computer is remembered. */
const rememberMs = 30 * 86_400_000;

/**
 * Writes readings into the file. Each call is one transaction, and each reading carries its time (Unix milliseconds):
 * what is older than what is known changes nothing.
 */
export interface Writer {
  /** Whole records, as the listing gives them. Returns whether any row changed. */
  replace(records: readonly Computer[], at: number): boolean;
  /** Records that may lack fields: what they do not say stays as it was. */
  merge(records: readonly Computer[], at: number): boolean;
  isolation(guid: string, isolation: { readonly available: boolean; readonly status: string }, at: number): boolean;
  groups(groups: readonly Group[], at: number): boolean;
  /** Forgets groups that a complete listing lacked. */
  groupsListedSince(startedAt: number): boolean;
  vanished(guid: string, at: number): boolean;
  /** A complete listing began at `startedAt`: what was not read since has vanished. */
  listedSince(startedAt: number, at: number): boolean;
}

type Changes = Readonly<Record<string, Param>>;

export function makeWriter(database: Database, now: () => number): Writer {
  const rows = makeRows(database, now);

  const change = (work: () => boolean): boolean =>
    database.transaction(() => {
      const changed = work();
      if (changed) database.run('UPDATE revision SET value = value + 1');
      return changed;
    });
  const put = (records: readonly Computer[], at: number, merged: boolean) =>
    change(() => {
      const names = new Set<string>();
      const changed = records.filter((record) => rows.put(record, at, merged, names)).length;
      return rows.remarkDuplicates(names) || changed > 0;
    });

  return {
    replace: (records, at) => put(records, Math.floor(at), false),
    merge: (records, at) => put(records, Math.floor(at), true),
    isolation: (guid, isolation, at) => change(() => rows.putIsolation(guid, isolation, Math.floor(at))),
    groups: (groups, at) => change(() => groups.filter((group) => putGroup(database, group, at)).length > 0),
    groupsListedSince: (startedAt) =>
      change(() => database.run('DELETE FROM computer_group WHERE read_at < ?', startedAt).changes > 0),
    vanished: (guid, at) => change(() => rows.vanish('guid = ? AND read_at <= ?', [guid, at], at)),
    listedSince: (startedAt, at) =>
      change(() => {
        const forgotten = database.run('DELETE FROM computer WHERE vanished_at < ?', at - rememberMs).changes;
        return rows.vanish('read_at < ?', [startedAt], at) || forgotten > 0;
      }),
  };
}

interface Rows {
  /** Adds the folded names whose duplicate mark has to be looked at again to `names`. */
  put(record: Computer, at: number, merged: boolean, names: Set<string>): boolean;
  putIsolation(guid: string, isolation: { readonly available: boolean; readonly status: string }, at: number): boolean;
  vanish(where: string, params: readonly Param[], at: number): boolean;
  remarkDuplicates(names: ReadonlySet<string>): boolean;
}

function makeRows(database: Database, now: () => number): Rows {
  const find = database.prepare('SELECT * FROM computer WHERE guid = ?');
  const readJson = database.prepare('SELECT json FROM record WHERE id = ?');
  const writeJson = database.prepare('INSERT OR REPLACE INTO record VALUES (?, ?)');
  const groupName = (guid: string) =>
    database.get<{ readonly name: string }>('SELECT name FROM computer_group WHERE guid = ?', guid)?.name;
  // A clock that was set back must not freeze the copy: a time that lies ahead of now is as good as none.
  const isNewer = (at: number, known: number) => at >= known || known > now();
  const jsonAt = (id: number) => readJson.get<{ readonly json: string }>(id)?.json ?? '{}';

  const insert = (record: Computer, at: number, names: Set<string>): true => {
    const columns = columnsOf(record, groupName);
    const isolation = record.isolation === undefined ? unknownIsolation : isolationColumns(record.isolation);
    const isolationAt = record.isolation === undefined ? 0 : at;
    const id = insertInto(database, {
      guid: record.connector_guid,
      ...columns,
      ...isolation,
      isolation_at: isolationAt,
      state_since: isolationAt,
      read_at: at,
    });
    writeJson.run(id, jsonOf(record));
    writeLists(database, id, record.connector_guid, columns);
    names.add(columns.host_fold);
    return true;
  };

  const update = (old: StoredComputer, record: Computer, at: number, names: Set<string>): boolean => {
    const columns = columnsOf(record, groupName);
    const fresh = record.isolation !== undefined && isNewer(at, old.isolation_at);
    const isolation = fresh ? isolationChanges(old, record.isolation ?? old, at) : {};
    const back = old.vanished_at === null ? {} : { vanished_at: null };
    const changes = { ...differing(old, columns), ...differing(old, isolation), ...back };
    const json = jsonOf(record);
    const sameJson = json === jsonAt(old.id);
    if (!sameJson) writeJson.run(old.id, json);
    updateRow(database, old.id, { ...changes, read_at: at, ...(fresh ? { isolation_at: at } : {}) });
    if (searchText(old.guid, old) !== searchText(old.guid, columns)) writeLists(database, old.id, old.guid, columns);
    if ('host_fold' in changes || 'vanished_at' in changes) names.add(old.host_fold).add(columns.host_fold);
    return !sameJson || Object.keys(changes).length > 0;
  };

  return {
    put: (record, at, merged, names) => {
      const old = find.get<StoredComputer>(record.connector_guid);
      if (old === undefined) return insert(record, at, names);
      if (!isNewer(at, Math.max(old.read_at, old.vanished_at ?? 0))) return false;
      return update(old, merged ? mergedWith(jsonAt(old.id), record) : record, at, names);
    },
    putIsolation: (guid, isolation, at) => {
      const old = find.get<StoredComputer>(guid);
      if (old === undefined || !isNewer(at, old.isolation_at)) return false;
      const changes = differing(old, isolationChanges(old, isolation, at));
      updateRow(database, old.id, { ...changes, isolation_at: at });
      return Object.keys(changes).length > 0;
    },
    vanish: (where, params, at) => {
      const gone = database.all<{ readonly host_fold: string }>(
        `UPDATE computer SET vanished_at = ?, duplicate = 0 WHERE vanished_at IS NULL AND ${where} RETURNING host_fold`,
        at,
        ...params,
      );
      markDuplicates(database, new Set(gone.map((row) => row.host_fold)));
      return gone.length > 0;
    },
    remarkDuplicates: (names) => markDuplicates(database, names),
  };
}

function isolationChanges(
  old: StoredComputer,
  isolation: { readonly available: boolean | number; readonly status: string },
  at: number,
): IsolationColumns & { readonly state_since: number } {
  const columns = isolationColumns({ available: Boolean(isolation.available), status: isolation.status });
  const known = old.isolation_at > 0 && old.status === columns.status;
  return { ...columns, state_since: known ? old.state_since : at };
}

function mergedWith(json: string, record: Computer): Computer {
  // The stored text was written from a checked record.
  return { ...(parseExact(json) as unknown as Computer), ...record };
}

function differing(old: StoredComputer, columns: Partial<RecordColumns & StoredComputer>): Changes {
  const known: Readonly<Record<string, unknown>> = { ...old };
  return Object.fromEntries(Object.entries(columns).filter(([name, value]) => known[name] !== value));
}

/** Column names come from the types above, never from data. */
function insertInto(database: Database, columns: Changes): number {
  const names = Object.keys(columns);
  const sql = `INSERT INTO computer (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`;
  return database.run(sql, ...Object.values(columns)).lastId;
}

/** Only what differs is written, so that indexes of untouched columns stay untouched. */
function updateRow(database: Database, id: number, columns: Changes): void {
  const set = Object.keys(columns).map((name) => `${name} = ?`);
  database.run(`UPDATE computer SET ${set.join(', ')} WHERE id = ?`, ...Object.values(columns), id);
}

function writeLists(database: Database, id: number, guid: string, columns: RecordColumns): void {
  database.run('INSERT OR REPLACE INTO search VALUES (?, ?)', id, searchText(guid, columns));
  database.run('DELETE FROM address WHERE id = ?', id);
  database.run('DELETE FROM mac WHERE id = ?', id);
  for (const [place, text] of listOf(columns.ips).entries()) {
    database.run('INSERT INTO address VALUES (?, ?, ?, ?)', id, place, fold(text), ipv4Number(text) ?? null);
  }
  for (const text of listOf(columns.macs)) database.run('INSERT OR IGNORE INTO mac VALUES (?, ?)', id, macDigits(text));
}

/** A name is a duplicate when more than one listed computer has it. */
function markDuplicates(database: Database, names: ReadonlySet<string>): boolean {
  const count = database.prepare('SELECT count(*) AS n FROM computer WHERE host_fold = ? AND vanished_at IS NULL');
  const mark = database.prepare(
    'UPDATE computer SET duplicate = ?1 WHERE host_fold = ?2 AND vanished_at IS NULL AND duplicate <> ?1',
  );
  let changed = 0;
  for (const name of names) {
    const several = name !== '' && (count.get<{ readonly n: number }>(name)?.n ?? 0) > 1;
    changed += mark.run(several ? 1 : 0, name).changes;
  }
  return changed > 0;
}

function putGroup(database: Database, group: Group, at: number): boolean {
  const old = database.get<{ readonly name: string; readonly ancestry: string; readonly read_at: number }>(
    'SELECT * FROM computer_group WHERE guid = ?',
    group.guid,
  );
  if (old !== undefined && at < old.read_at) return false;
  const ancestry = JSON.stringify((group.ancestry ?? []).map(({ guid, name }) => ({ guid, name })));
  database.run('INSERT OR REPLACE INTO computer_group VALUES (?, ?, ?, ?)', group.guid, group.name, ancestry, at);
  if (old?.name !== group.name) renameGroup(database, group);
  return old?.name !== group.name || old.ancestry !== ancestry;
}

/** Records keep the name that the group had when they were read. */
function renameGroup(database: Database, group: Group): void {
  const members = database.all<StoredComputer>(
    'SELECT * FROM computer WHERE group_guid = ? AND group_name <> ? AND vanished_at IS NULL',
    group.guid,
    group.name,
  );
  for (const member of members) {
    const columns = { ...member, group_name: group.name, group_fold: fold(group.name) };
    updateRow(database, member.id, { group_name: columns.group_name, group_fold: columns.group_fold });
    database.run('INSERT OR REPLACE INTO search VALUES (?, ?)', member.id, searchText(member.guid, columns));
  }
}
