import { useLayoutEffect, useRef, type RefObject } from 'react';

export interface Blocks {
  readonly scroller: RefObject<HTMLDivElement | null>;
  /** The focus goes to the block before or after; behind the last one, to the line. */
  move(by: 1 | -1): void;
}

/** Moves between the blocks by keyboard, and shows the newest when one is added: never under somebody who reads above. */
export function useBlocks(count: number, focusLine: () => void): Blocks {
  const scroller = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { current } = scroller;
    if (current !== null && !current.contains(document.activeElement)) current.scrollTop = current.scrollHeight;
  }, [count]);
  return {
    scroller,
    move(by) {
      const all = [...(scroller.current?.querySelectorAll<HTMLElement>(':scope > article') ?? [])];
      const at = all.findIndex((block) => block.contains(document.activeElement));
      const next = at < 0 ? (by < 0 ? all.length - 1 : all.length) : at + by;
      const block = all[Math.max(0, next)];
      if (block === undefined) return focusLine();
      block.focus();
      block.scrollIntoView({ block: 'nearest' });
    },
  };
}
