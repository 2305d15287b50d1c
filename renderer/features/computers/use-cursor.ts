import { useEffect, useRef, type RefObject } from 'react';

import type { ComputerSort } from '#shared/contract/contract.ts';

import { useApi } from '../../api/ApiProvider.tsx';
import type { TableHandle } from '../../ui/table/DataTable.tsx';

interface Question {
  readonly connection: string;
  readonly filter: string;
  readonly sort: { readonly column: ComputerSort; readonly descending: boolean };
}

export interface Cursor {
  /** GUID of the computer at the cursor. */
  current(): string | undefined;
  set(guid: string | undefined): void;
}

/**
 * Keeps the cursor on its computer, not on its place: rows move when the filter, the order or a reading changes them,
 * and a key must never be about another computer than the marked one. One that no longer matches loses the mark.
 */
export function useCursor(
  question: Question,
  revision: number | undefined,
  table: RefObject<TableHandle | null>,
): Cursor {
  const { client } = useApi();
  const guid = useRef<string | undefined>(undefined);
  const text = JSON.stringify(question);
  useEffect(() => {
    const wanted = guid.current;
    if (wanted === undefined || revision === undefined) return;
    const abort = new AbortController();
    // The very object above: as text it is the same until its content changes.
    const asked = JSON.parse(text) as Question;
    const follow = async () => {
      const index = await client.computers.position({ ...asked, guid: wanted }, { signal: abort.signal });
      if (abort.signal.aborted || guid.current !== wanted) return;
      table.current?.place(index);
      if (index < 0) guid.current = undefined;
    };
    follow().catch(() => {
      // The host is away or the question is old: with no place for it, nothing is marked.
      if (abort.signal.aborted || guid.current !== wanted) return;
      guid.current = undefined;
      table.current?.place(-1);
    });
    return () => abort.abort();
  }, [text, revision, client, table]);
  return {
    current: () => guid.current,
    set: (next) => {
      guid.current = next;
    },
  };
}
