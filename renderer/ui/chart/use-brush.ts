import { useRef, useState, type KeyboardEvent, type PointerEvent } from 'react';

import { spanned, type BinRange } from './histogram-shapes.ts';

export interface BrushOptions {
  readonly count: number;
  readonly brush: BinRange | null;
  /** `null`: everything. */
  readonly onBrush: (range: BinRange | null) => void;
  readonly onOpen: ((range: BinRange) => void) | undefined;
  /** The bin under a place of the screen (x in pixels). */
  readonly binAt: (clientX: number) => number;
}

export interface Brushing {
  /** Where the keyboard is. */
  readonly cursor: number;
  /** What is being spanned, before it is final. */
  readonly draft: BinRange | null;
  /** The next arrows span instead of moving. */
  readonly isSpanning: boolean;
  begin(): void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly onPointerDown: (event: PointerEvent<HTMLElement>) => void;
  readonly onPointerMove: (event: PointerEvent<HTMLElement>) => void;
  readonly onPointerUp: (event: PointerEvent<HTMLElement>) => void;
  readonly onPointerCancel: () => void;
}

/** Spans a range of bins, by dragging or by keys. */
export function useBrush(options: BrushOptions): Brushing {
  const { count, brush, onBrush, onOpen, binAt } = options;
  const [place, setPlace] = useState<number | null>(null);
  const [isSpanning, setSpanning] = useState(false);
  const [draft, setDraft] = useState<BinRange | null>(null);
  const anchor = useRef<number | null>(null);
  const dragFrom = useRef<number | null>(null);
  const cursor = Math.min(count - 1, place ?? brush?.last ?? count - 1);

  const begin = () => {
    anchor.current = cursor;
    setPlace(cursor);
    setSpanning(true);
    onBrush({ first: cursor, last: cursor });
  };
  const move = (to: number, extend: boolean) => {
    const next = Math.max(0, Math.min(count - 1, to));
    setPlace(next);
    if (!extend && !isSpanning) {
      anchor.current = null;
      return;
    }
    anchor.current ??= cursor;
    onBrush(spanned(anchor.current, next));
  };
  const clear = () => {
    anchor.current = null;
    setSpanning(false);
    onBrush(null);
  };
  const act = (event: KeyboardEvent): boolean => {
    const to = targetOf(event.key, cursor, count);
    if (to !== null) move(to, event.shiftKey);
    else if (event.key === 'b' && isSpanning) setSpanning(false);
    else if (event.key === 'b') begin();
    else if (event.key === ' ') onBrush({ first: cursor, last: cursor });
    else if (event.key === 'Enter' && isSpanning) setSpanning(false);
    else if (event.key === 'Enter') onOpen?.(brush ?? { first: cursor, last: cursor });
    else if (event.key === 'Escape' && (brush !== null || isSpanning)) clear();
    else return false;
    return true;
  };
  return {
    cursor,
    draft,
    isSpanning,
    begin,
    onKeyDown: (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || !act(event)) return;
      event.preventDefault();
      event.stopPropagation();
    },
    onPointerDown: (event) => {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      const bin = binAt(event.clientX);
      dragFrom.current = bin;
      setDraft({ first: bin, last: bin });
    },
    onPointerMove: (event) => {
      if (dragFrom.current !== null) setDraft(spanned(dragFrom.current, binAt(event.clientX)));
    },
    onPointerUp: (event) => {
      if (dragFrom.current === null) return;
      const range = spanned(dragFrom.current, binAt(event.clientX));
      dragFrom.current = null;
      setDraft(null);
      setPlace(range.last);
      setSpanning(false);
      // A click on the one bin that is chosen gives it up.
      onBrush(range.first === range.last && brush?.first === range.first && brush.last === range.last ? null : range);
    },
    onPointerCancel: () => {
      dragFrom.current = null;
      setDraft(null);
    },
  };
}

function targetOf(key: string, cursor: number, count: number): number | null {
  switch (key) {
    case 'ArrowLeft':
    case 'ArrowDown':
      return cursor - 1;
    case 'ArrowRight':
    case 'ArrowUp':
      return cursor + 1;
    case 'PageUp':
      return cursor + Math.ceil(count / 10);
    case 'PageDown':
      return cursor - Math.ceil(count / 10);
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return null;
  }
}
