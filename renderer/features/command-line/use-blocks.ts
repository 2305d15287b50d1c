import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react';

export interface Blocks {
  readonly scroller: RefObject<HTMLDivElement | null>;
  /** The focus goes to the block before or after; behind the last one, to the line. */
  move(by: 1 | -1): void;
}

/**
 * Moves between the blocks by keyboard, and keeps the newest in view while answers grow, as long as the end was in view
 * before: never under somebody who reads above.
 */
export function useBlocks(count: number, focusLine: () => void): Blocks {
  const scroller = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  useEffect(() => {
    const { current } = scroller;
    if (current === null) return;
    const onScroll = () => {
      isAtEnd.current = current.scrollHeight - current.scrollTop - current.clientHeight < nearEnd;
    };
    current.addEventListener('scroll', onScroll, { passive: true });
    return () => current.removeEventListener('scroll', onScroll);
  }, []);
  useLayoutEffect(() => {
    const { current } = scroller;
    if (current === null) return;
    // A line that was just run is looked at.
    isAtEnd.current = true;
    const follow = () => {
      if (isAtEnd.current) current.scrollTop = current.scrollHeight;
    };
    const watch = new ResizeObserver(follow);
    for (const block of blocksOf(current)) watch.observe(block);
    follow();
    return () => watch.disconnect();
  }, [count]);
  return {
    scroller,
    move(by) {
      const all = scroller.current === null ? [] : blocksOf(scroller.current);
      const at = all.findIndex((block) => block.contains(document.activeElement));
      const next = at < 0 ? (by < 0 ? all.length - 1 : all.length) : at + by;
      const block = all[Math.max(0, next)];
      if (block === undefined) return focusLine();
      block.focus({ preventScroll: true });
      block.scrollIntoView({ block: 'nearest' });
    },
  };
}

const nearEnd = 40;

function blocksOf(scroller: HTMLElement): readonly HTMLElement[] {
  return [...scroller.querySelectorAll<HTMLElement>(':scope > article')];
}
