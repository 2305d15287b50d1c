import type { ComputerSort, ComputerWindow } from '#shared/contract/contract.ts';

import type { Database } from '../store/database.ts';
import { rowOf, type StoredComputer } from './columns.ts';
import { compileFilter, type CompiledFilter } from './filter-sql.ts';
import type { ComputerQuery } from './types.ts';

/** How many filters are counted, and how many whole orders are held, until the next change. */
const countsKept = 32;
const ordersKept = 4;
/** Filters that speak of times ago are looked at anew this often, in milliseconds. */
const relativeStepMs = 10_000;

export interface Queries {
  query(query: ComputerQuery & { readonly offset: number; readonly limit: number }): ComputerWindow;
  guids(query: ComputerQuery): readonly string[];
  position(query: ComputerQuery & { readonly guid: string }): number;
  /** Rows of these ids in the order given. */
  stored(ids: readonly number[]): readonly StoredComputer[];
  revision(): number;
}

/** A query made ready: what to look for, in which order, and the name under which results are kept. */
interface Prepared {
  readonly filter: CompiledFilter;
  readonly order: string;
  readonly filterKey: string;
  readonly key: string;
}

export function makeQueries(database: Database, now: () => number): Queries {
  const counts = new Map<string, number>();
  const orders = new Map<string, Int32Array>();
  const asked = new Set<string>();
  let known = -1;

  const revision = (): number => {
    const current = database.get<{ readonly value: number }>('SELECT value FROM revision')?.value ?? 0;
    if (current !== known) for (const kept of [counts, orders, asked]) kept.clear();
    known = current;
    return current;
  };
  const count = (filter: CompiledFilter, key: string): number =>
    remembered(counts, countsKept, key, () => {
      const sql = `SELECT count(*) AS n FROM computer WHERE ${filter.sql}`;
      return database.get<{ readonly n: number }>(sql, ...filter.params)?.n ?? 0;
    });
  const orderOf = (prepared: Prepared): Int32Array =>
    remembered(orders, ordersKept, prepared.key, () => readOrder(database, prepared));

  // The first window of an order is read directly; who asks again scrolls, and then the whole order is worth holding.
  const windowIds = (prepared: Prepared, offset: number, limit: number): readonly number[] => {
    if (asked.has(prepared.key)) return [...orderOf(prepared).subarray(offset, offset + limit)];
    asked.add(prepared.key);
    return readWindow(database, prepared, offset, limit);
  };
  const stored = (ids: readonly number[]) => readStored(database, ids);

  return {
    revision,
    stored,
    query: ({ offset, limit, ...query }) => {
      const current = revision();
      const prepared = prepare(query, now());
      const rows = stored(windowIds(prepared, offset, limit)).map(rowOf);
      const all = prepare({ ...query, filter: '' }, 0);
      const matching = count(prepared.filter, prepared.filterKey);
      return { rows, offset, matching, all: count(all.filter, all.filterKey), revision: current };
    },
    guids: (query) => {
      revision();
      return readGuids(database, prepare(query, now()));
    },
    position: ({ guid, ...query }) => {
      revision();
      const id = database.get<{ readonly id: number }>('SELECT id FROM computer WHERE guid = ?', guid)?.id;
      return id === undefined ? -1 : orderOf(prepare(query, now())).indexOf(id);
    },
  };
}

function prepare(query: ComputerQuery, now: number): Prepared {
  const time = Math.floor(now / relativeStepMs) * relativeStepMs;
  const filter = compileFilter(query.filter, time);
  const filterKey = JSON.stringify([filter.sql, filter.params]);
  const order = orderBy(query.sort.column, query.sort.descending, filter.trivial);
  return { filter, order, filterKey, key: `${order} ${filterKey}` };
}

const sortKeys: Readonly<Record<ComputerSort, { readonly key: string; readonly empty: string }>> = {
  hostname: { key: 'name_key', empty: '' },
  group: { key: 'group_fold', empty: "group_fold = ''" },
  policy: { key: 'policy_fold', empty: "policy_fold = ''" },
  os: { key: 'os_key', empty: "os_key = ''" },
  connector: { key: 'connector_key', empty: "connector_key = ''" },
  last_seen: { key: 'last_seen', empty: 'last_seen IS NULL' },
  internal_ip: { key: 'ip_key', empty: "ip_key = ''" },
  external_ip: { key: 'external_key', empty: "external_key = ''" },
  isolation: { key: 'rank', empty: '' },
  compromised: { key: 'compromised', empty: '' },
  installed: { key: 'installed', empty: 'installed IS NULL' },
};

/** What has no value comes last either way; ties go by name, then by GUID, so that nothing jumps. */
function orderBy(column: ComputerSort, descending: boolean, trivial: boolean): string {
  const { key, empty } = sortKeys[column];
  const direction = descending ? 'DESC' : 'ASC';
  // With a filter, walking the index and looking at each row costs more than a scan: `+` keeps SQLite from it.
  if (column === 'hostname') return `${trivial ? '' : '+'}name_key ${direction}, guid ${direction}`;
  return `${empty === '' ? '' : `${empty}, `}${key} ${direction}, name_key, guid`;
}

function readWindow(database: Database, prepared: Prepared, offset: number, limit: number): readonly number[] {
  const { filter, order } = prepared;
  const sql = `SELECT id FROM computer WHERE ${filter.sql} ORDER BY ${order} LIMIT ? OFFSET ?`;
  return database.all<{ readonly id: number }>(sql, ...filter.params, limit, offset).map((row) => row.id);
}

/** As one text: a hundred thousand rows as objects would cost three times as much. `LIMIT -1` keeps the inner order. */
function readOrder(database: Database, { filter, order }: Prepared): Int32Array {
  const inner = `SELECT id FROM computer WHERE ${filter.sql} ORDER BY ${order} LIMIT -1`;
  const ids = database.get<{ readonly ids: string | null }>(
    `SELECT group_concat(id) AS ids FROM (${inner})`,
    ...filter.params,
  )?.ids;
  return typeof ids === 'string' ? Int32Array.from(ids.split(','), Number) : new Int32Array();
}

function readGuids(database: Database, { filter, order }: Prepared): readonly string[] {
  const inner = `SELECT guid FROM computer WHERE ${filter.sql} ORDER BY ${order} LIMIT -1`;
  const sql = `SELECT json_group_array(guid) AS guids FROM (${inner})`;
  const guids = database.get<{ readonly guids: string }>(sql, ...filter.params)?.guids ?? '[]';
  // Made by SQLite from a text column.
  return JSON.parse(guids) as readonly string[];
}

function readStored(database: Database, ids: readonly number[]): readonly StoredComputer[] {
  const sql = 'SELECT * FROM computer WHERE id IN (SELECT value FROM json_each(?))';
  const byId = new Map(database.all<StoredComputer>(sql, JSON.stringify(ids)).map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** Keeps the values last asked for. */
function remembered<T>(kept: Map<string, T>, most: number, key: string, make: () => T): T {
  const value = kept.get(key) ?? make();
  kept.delete(key);
  kept.set(key, value);
  const [oldest] = kept.keys();
  if (kept.size > most && oldest !== undefined) kept.delete(oldest);
  return value;
}
