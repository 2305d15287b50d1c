import { useEffect, useRef, type RefObject } from 'react';

import type { EventQuery } from '#shared/contract/events.ts';

import { useApi } from '../../api/ApiProvider.tsx';
import type { TableHandle } from '../../ui/table/DataTable.tsx';

export interface Cursor {
  /** Key of the event at the cursor. */
  current(): string | undefined;
  set(key: string | undefined): void;
}

/**
 * Keeps the cursor on its event, not on its place: rows move when the filter or a reading changes them, and a key must
 * never be about another event than the marked one. One that no longer matches loses the mark.
 */
export function useCursor(
  question: EventQuery,
  revision: number | undefined,
  table: RefObject<TableHandle | null>,
): Cursor {
  const { client } = useApi();
  const key = useRef<string | undefined>(undefined);
  const text = JSON.stringify(question);
  useEffect(() => {
    const wanted = key.current;
    if (wanted === undefined || revision === undefined) return;
    const abort = new AbortController();
    // The very object above: as text it is the same until its content changes.
    const asked = JSON.parse(text) as EventQuery;
    const follow = async () => {
      const index = await client.events.position({ ...asked, key: wanted }, { signal: abort.signal });
      if (abort.signal.aborted || key.current !== wanted) return;
      table.current?.place(index);
      if (index < 0) key.current = undefined;
    };
    follow().catch(() => {
      // The host is away or the question is old: with no place for it, nothing is marked.
      if (abort.signal.aborted || key.current !== wanted) return;
      key.current = undefined;
      table.current?.place(-1);
    });
    return () => abort.abort();
  }, [text, revision, client, table]);
  return {
    current: () => key.current,
    set: (next) => {
      key.current = next;
    },
  };
}
