import { useCallback, useMemo, useRef, useState, type RefObject, type UIEvent } from 'react';

import type { JoinedPage } from '#shared/contract/log.ts';
import type { TableHandle } from '../../ui/table/types.ts';

/** Where somebody reads: down in the list, at a row, or with a row open beside it. */
export interface Reading {
  readonly isScrolled: boolean;
  /** The row with the cursor, -1 for none. */
  readonly cursor: number;
  readonly isOpen: boolean;
}

/** Conditions of a list, and the number of the newest entry that is among its rows. */
export interface Held {
  readonly conditions: object;
  readonly upTo: number;
}

/** At the top, with nothing open, new entries come in as they are written. */
export function followsNewest({ isScrolled, cursor, isOpen }: Reading): boolean {
  return !isScrolled && !isOpen && cursor <= 0;
}

/**
 * What is held from now on. `newest`: number of the newest entry that answers these conditions, `undefined` while the
 * rows on the screen belong to other ones. Who reads keeps the rows from which he began.
 */
export function heldNext(held: Held | null, conditions: object, follows: boolean, newest?: number): Held | null {
  if (follows) return null;
  if (held?.conditions === conditions) return held;
  return newest === undefined ? null : { conditions, upTo: newest };
}

export interface ReadingPlace {
  /** What came after the entry of this number waits; `undefined`: nothing waits. */
  readonly upTo: number | undefined;
  readonly table: RefObject<TableHandle | null>;
  readonly onScroll: (event: UIEvent) => void;
  readonly onCursor: (index: number) => void;
  /** To be called on each render with what is on the screen; `null` while that belongs to other conditions. */
  readonly keep: (page: JoinedPage | null) => void;
  /** Back to the top, with all that waited. */
  readonly showNewest: (page: JoinedPage) => void;
}

/** Rows stay where they are while somebody reads among them. `conditions`: with other ones, another list begins. */
export function useReadingPlace(conditions: object, isOpen: boolean): ReadingPlace {
  const table = useRef<TableHandle>(null);
  const scroller = useRef<HTMLElement>(null);
  const [isScrolled, setScrolled] = useState(false);
  const [cursor, setCursor] = useState(-1);
  const [held, setHeld] = useState<Held | null>(null);
  const follows = followsNewest({ isScrolled, cursor, isOpen });
  const onScroll = useCallback(({ target }: UIEvent) => {
    if (!(target instanceof HTMLElement) || target.role !== 'grid') return;
    scroller.current = target;
    setScrolled(target.scrollTop > 0);
  }, []);
  // Further down it is all the same which row it is: the list is not drawn again for it.
  const onCursor = useCallback((index: number) => setCursor(Math.min(index, 1)), []);
  const keep = (page: JoinedPage | null): void => {
    const next = heldNext(held, conditions, follows, page?.newest);
    if (next !== held) setHeld(next);
  };
  const showNewest = (page: JoinedPage): void => {
    setHeld({ conditions, upTo: page.newest });
    setCursor(-1);
    table.current?.place(-1);
    table.current?.focus();
    if (scroller.current !== null) scroller.current.scrollTop = 0;
  };
  const upTo = held?.conditions === conditions ? held.upTo : undefined;
  return useMemo(
    () => ({ upTo, table, onScroll, onCursor, keep, showNewest }),
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- both are made of what is named here
    [upTo, onScroll, onCursor, held, conditions, follows],
  );
}
