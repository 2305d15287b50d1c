import type { FileListItemRow, FileListItems } from '#shared/contract/directory.ts';

import type { Items, StoredItem } from './items.ts';
import { makeKept } from './kept.ts';
import { itemRow } from './rows.ts';
import type { ItemQuery, SeenSource } from './types.ts';

export interface ItemWindows {
  window(guid: string, query: ItemQuery): Omit<FileListItems, 'list'>;
}

type Readers = Pick<Items, 'state' | 'window' | 'count' | 'hashes' | 'pick'>;

/** Each hash is a question to the stored events, so that longer results stay in the order of their hashes. */
const mostSorted = 5000;

/** Windows over the items of a list; counts and the order by what was seen are kept until the next change. */
export function makeItemWindows(items: Readers, seen: SeenSource, revision: () => number): ItemWindows {
  const counts = makeKept<number>(revision, 16);
  const orders = makeKept<readonly string[]>(revision, 2);
  const rowsOf = (list: number, query: ItemQuery, matching: number): readonly StoredItem[] => {
    if (query.sort !== 'seen' || matching > mostSorted) return fromNearerEnd(items, list, query, matching);
    const key = JSON.stringify([list, query.search, query.descending]);
    const order = orders.of(key, () => bySeen(items.hashes(list, query.search), seen, query.descending));
    return items.pick(list, order.slice(query.offset, query.offset + query.limit));
  };
  return {
    window: (guid, query) => {
      const state = items.state(guid);
      if (state === undefined) return { rows: [], offset: query.offset, matching: 0 };
      const matching = counts.of(`${state.id} ${query.search}`, () => items.count(state.id, query.search));
      const rows = rowsOf(state.id, query, matching);
      const known: ReadonlyMap<string, FileListItemRow['seen']> =
        rows.length === 0 ? new Map() : seen.seen(rows.map(({ sha256 }) => sha256));
      return { rows: rows.map((row) => itemRow(row, known)), offset: query.offset, matching };
    },
  };
}

/** Windows far down are counted from the end, for every row in front of a window is walked over. */
function fromNearerEnd(items: Readers, list: number, query: ItemQuery, matching: number): readonly StoredItem[] {
  const { offset, limit, descending } = query;
  if (offset < matching / 2) return items.window(list, query);
  const end = Math.min(offset + limit, matching);
  if (end <= offset) return [];
  const turned = { ...query, descending: !descending, offset: matching - end, limit: end - offset };
  return items.window(list, turned).toReversed();
}

/** By the number of computers, then by hash. */
function bySeen(hashes: readonly string[], source: SeenSource, descending: boolean): readonly string[] {
  const seen = source.seen(hashes);
  const computers = (hash: string): number => seen.get(hash)?.computers ?? 0;
  const ordered = hashes.toSorted((a, b) => computers(a) - computers(b) || (a < b ? -1 : 1));
  return descending ? ordered.toReversed() : ordered;
}
