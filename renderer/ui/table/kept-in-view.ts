import { useEffect, useRef, type RefObject } from 'react';

interface View {
  /** The row with the cursor, -1 for none. */
  readonly at: number;
  readonly rowHeight: number;
  /** How far the rows are scrolled, and how high their room was and is; px, with the header, which is as high as a row. */
  readonly top: number;
  readonly before: number;
  readonly now: number;
}

/** How far to scroll so that a row that was in view still is. */
export function keptInView({ at, rowHeight, top, before, now }: View): number {
  const [start, end] = [at * rowHeight, (at + 1) * rowHeight];
  const wasInView = at >= 0 && end > top && start + rowHeight < top + before;
  // The header is sticky: it covers one row of the room.
  return wasInView ? Math.max(top, end + rowHeight - now) : top;
}

/** When the room for rows gets smaller, as by a bar that comes below them, the row with the cursor stays in view. */
export function useKeptInView(scroller: RefObject<HTMLDivElement | null>, at: number, rowHeight: number): void {
  const latest = useRef({ at, rowHeight });
  useEffect(() => {
    latest.current = { at, rowHeight };
  });
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    let before = element.clientHeight;
    const observer = new ResizeObserver(() => {
      const now = element.clientHeight;
      const top = keptInView({ ...latest.current, top: element.scrollTop, before, now });
      if (now < before && top !== element.scrollTop) element.scrollTop = top;
      before = now;
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [scroller]);
}
