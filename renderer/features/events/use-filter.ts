import { useEffect, useRef, useState } from 'react';

import { parseEventFilter, type ParsedEventFilter } from '#shared/model/event-filter.ts';

/** How long typing may pause before the address of the screen follows it (ms). */
const addressDelay = 250;

export interface TypedFilter {
  /** What stands in the box. */
  readonly text: string;
  readonly parsed: ParsedEventFilter;
  /** The last text that was understood: what the rows answer to. */
  readonly applied: string;
  set(text: string): void;
  /** Puts what was typed into the address now, before another screen is opened. */
  settle(): void;
}

/**
 * The typed filter: rows follow every key, the address follows after a pause, and an address that changes
 * by itself (a link, *back*) puts its filter into the box.
 */
export function useTypedFilter(fromAddress: string, toAddress: (filter: string) => void): TypedFilter {
  const [text, setText] = useState(fromAddress);
  const [applied, setApplied] = useState(() =>
    parseEventFilter(fromAddress).problems.length === 0 ? fromAddress : '',
  );
  const known = useRef(fromAddress);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const take = (next: string) => {
    setText(next);
    if (parseEventFilter(next).problems.length === 0) setApplied(next);
  };
  useEffect(() => {
    if (fromAddress === known.current) return;
    known.current = fromAddress;
    clearTimeout(timer.current);
    take(fromAddress);
  }, [fromAddress]);
  useEffect(() => () => clearTimeout(timer.current), []);

  const store = (next: string) => {
    clearTimeout(timer.current);
    if (known.current === next) return;
    known.current = next;
    toAddress(next);
  };
  const set = (next: string) => {
    take(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => store(next), addressDelay);
  };
  return { text, parsed: parseEventFilter(text), applied, set, settle: () => store(text) };
}
