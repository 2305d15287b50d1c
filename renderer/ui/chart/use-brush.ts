import { useRef, useState, type KeyboardEvent } from 'react';

import { moved } from './brush-shapes.ts';
import { spanned, type BinRange } from './histogram-shapes.ts';
import { useDrag, type Dragging, type DragOptions } from './use-drag.ts';

export interface BrushOptions extends DragOptions {
  /** `null`: everything. */
  readonly onBrush: (range: BinRange | null) => void;
  readonly onOpen: ((range: BinRange) => void) | undefined;
}

export interface Brushing extends Dragging {
  /** Where the keyboard is. */
  readonly cursor: number;
  /** The next arrows span instead of moving. */
  readonly isSpanning: boolean;
  begin(): void;
  /** Moves what is chosen by so many bins. */
  shift(by: number): void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

/** Spans a range of bins, by dragging or by keys. */
export function useBrush(options: BrushOptions): Brushing {
  const { count, brush, onBrush, onOpen } = options;
  const [place, setPlace] = useState<number | null>(null);
  const [isSpanning, setSpanning] = useState(false);
  const anchor = useRef<number | null>(null);
  const cursor = Math.min(count - 1, place ?? brush?.last ?? count - 1);
  const drag = useDrag(options, (range) => {
    anchor.current = null;
    if (range !== null) setPlace(range.last);
    setSpanning(false);
    onBrush(range);
  });

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
    anchor.current ??= farEnd(brush, cursor);
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
    isSpanning,
    begin,
    shift: (by) => {
      if (brush === null) return;
      const range = moved(brush, by, count);
      anchor.current = null;
      setPlace(range.last);
      onBrush(range);
    },
    onKeyDown: (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || !act(event)) return;
      event.preventDefault();
      event.stopPropagation();
    },
    ...drag,
  };
}

/** At an edge of what is chosen the other edge stays. */
function farEnd(brush: BinRange | null, cursor: number): number {
  if (brush?.last === cursor) return brush.first;
  return brush?.first === cursor ? brush.last : cursor;
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
