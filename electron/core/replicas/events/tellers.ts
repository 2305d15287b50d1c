import type { Database } from '#core/store/database.ts';
import type { Scope } from './filter-match.ts';
import { countUpTo, idsSql } from './scan.ts';

/** Matching events that are looked at together. */
const usual = 10_000;

/**
 * Which of these computers have a stored event that matches; GUIDs in lower case. So many matching events are `looked` at
 * together, newest first; each computer that none of them names is asked for by itself.
 */
export function tellersOf(
  database: Database,
  scopeOf: (filter: string) => Scope,
  filter: string,
  guids: readonly string[],
  looked = usual,
): ReadonlySet<string> {
  const { named, whole } = namedIn(database, scopeOf(filter), looked);
  const wanted = guids.map((guid) => guid.toLowerCase());
  const told = (guid: string): boolean =>
    named.has(guid) || (!whole && countUpTo(database, scopeOf(`${filter} guid=${guid}`), 1) > 0);
  return new Set(wanted.filter(told));
}

function namedIn(
  database: Database,
  scope: Scope,
  looked: number,
): { readonly named: ReadonlySet<string>; readonly whole: boolean } {
  const named = new Set<string>();
  let left = looked;
  for (const range of scope.ranges) {
    const { text, params } = idsSql(scope, range);
    const sql = `SELECT e.guid AS guid, count(*) AS n FROM (${text} ORDER BY 1 DESC LIMIT ?) m JOIN event e ON e.id = m.id GROUP BY e.guid`;
    const rows = database.all<{ readonly guid: string | null; readonly n: number }>(sql, ...params, BigInt(left));
    for (const { guid, n } of rows) {
      left -= n;
      if (guid !== null) named.add(guid.toLowerCase());
    }
    if (left <= 0) return { named, whole: false };
  }
  return { named, whole: true };
}
