import { useRef, useState, type PointerEvent } from 'react';

import { binOf, dragged, gripAt, type Drag, type Grip } from './brush-shapes.ts';
import type { BinRange } from './histogram-shapes.ts';

export interface DragOptions {
  readonly count: number;
  readonly brush: BinRange | null;
  /** The place under one of the screen (x in pixels): bins as a fraction, also beyond both ends. */
  readonly placeAt: (clientX: number) => number;
}

export interface Dragging {
  /** What is being spanned, before it is final. */
  readonly draft: BinRange | null;
  /** What a drag from where the pointer is takes hold of. */
  readonly grip: Grip;
  readonly onPointerDown: (event: PointerEvent<HTMLElement>) => void;
  readonly onPointerMove: (event: PointerEvent<HTMLElement>) => void;
  readonly onPointerUp: (event: PointerEvent<HTMLElement>) => void;
  readonly onPointerCancel: () => void;
}

/** So near an edge is on it; less than this is no drag (pixels). */
const [reachPx, stillPx] = [6, 4];

/** Spans a range of bins with the pointer, moves it from its inside and resizes it by its edges. Shift always spans anew. */
export function useDrag({ count, brush, placeAt }: DragOptions, onEnd: (range: BinRange | null) => void): Dragging {
  const [draft, setDraft] = useState<BinRange | null>(null);
  const [grip, setGrip] = useState<Grip>('span');
  const drag = useRef<(Drag & { readonly x: number }) | null>(null);
  const gripOf = ({ clientX, shiftKey }: PointerEvent): Grip => {
    const at = placeAt(clientX);
    return shiftKey ? 'span' : gripAt(at, brush, count, placeAt(clientX + reachPx) - at);
  };
  const isStill = ({ clientX }: PointerEvent): boolean => Math.abs(clientX - (drag.current?.x ?? 0)) < stillPx;
  return {
    draft,
    grip,
    onPointerDown: (event) => {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      const [at, taken] = [placeAt(event.clientX), gripOf(event)];
      drag.current = { grip: taken, brush, from: at, x: event.clientX };
      setGrip(taken);
      setDraft(taken === 'span' ? dragged(drag.current, at, count) : brush);
    },
    onPointerMove: (event) => {
      if (drag.current === null) setGrip(gripOf(event));
      else setDraft(dragged(drag.current, placeAt(event.clientX), count));
    },
    onPointerUp: (event) => {
      const from = drag.current;
      if (from === null) return;
      const isClick = isStill(event);
      drag.current = null;
      setDraft(null);
      if (isClick) onEnd(clicked(binOf(from.from, count), brush));
      else onEnd(dragged(from, placeAt(event.clientX), count));
    },
    onPointerCancel: () => {
      drag.current = null;
      setDraft(null);
    },
  };
}

/** A click on the one bin that is chosen gives it up. */
function clicked(bin: number, brush: BinRange | null): BinRange | null {
  return brush?.first === bin && brush.last === bin ? null : { first: bin, last: bin };
}
