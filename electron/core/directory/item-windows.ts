import type { FileListItemRow, FileListItems } from '#shared/contract/directory.ts';

import type { Items, StoredItem } from './items.ts';
import { itemRow } from './rows.ts';
import type { ItemQuery, SeenSource } from './types.ts';

export interface ItemWindows {
  window(guid: string, query: ItemQuery): Omit<FileListItems, 'list'>;
}

type Readers = Pick<Items, 'state' | 'window' | 'count' | 'hashes' | 'pick'>;

/** Windows over the items of a list; counts and the order by what was seen are kept until the next change. */
export function makeItemWindows(items: Readers, seen: SeenSource, revision: () => number): ItemWindows {
  const counts = makeKept<number>(revision, 16);
  const orders = makeKept<readonly string[]>(revision, 2);
  const rowsOf = (list: number, query: ItemQuery): readonly StoredItem[] => {
    if (query.sort !== 'seen') return items.window(list, query);
    const key = JSON.stringify([list, query.search, query.descending]);
    const order = orders.of(key, () => bySeen(items.hashes(list, query.search), seen, query.descending));
    return items.pick(list, order.slice(query.offset, query.offset + query.limit));
  };
  return {
    window: (guid, query) => {
      const state = items.state(guid);
      if (state === undefined) return { rows: [], offset: query.offset, matching: 0 };
      const matching = counts.of(`${state.id} ${query.search}`, () => items.count(state.id, query.search));
      const rows = rowsOf(state.id, query);
      const known: ReadonlyMap<string, FileListItemRow['seen']> =
        rows.length === 0 ? new Map() : seen.seen(rows.map(({ sha256 }) => sha256));
      return { rows: rows.map((row) => itemRow(row, known)), offset: query.offset, matching };
    },
  };
}

/** By the number of computers, then by hash. */
function bySeen(hashes: readonly string[], source: SeenSource, descending: boolean): readonly string[] {
  const seen = source.seen(hashes);
  const computers = (hash: string): number => seen.get(hash)?.computers ?? 0;
  const ordered = hashes.toSorted((a, b) => computers(a) - computers(b) || (a < b ? -1 : 1));
  return descending ? ordered.toReversed() : ordered;
}

/** The values last asked for, until the revision changes. */
function makeKept<T>(revision: () => number, most: number): { of(key: string, make: () => T): T } {
  const kept = new Map<string, T>();
  let known = -1;
  return {
    of: (key, make) => {
      const current = revision();
      if (current !== known) kept.clear();
      known = current;
      const value = kept.get(key) ?? make();
      kept.delete(key);
      kept.set(key, value);
      const [oldest] = kept.keys();
      if (kept.size > most && oldest !== undefined) kept.delete(oldest);
      return value;
    },
  };
}
