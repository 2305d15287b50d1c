/** What dragging does to a chosen range of bins: pure. Places and distances are bins as fractions. */
import { spanned, type BinRange } from './histogram-shapes.ts';

/** `span`: chooses anew; `move`: the chosen range as it is; `first`, `last`: that edge of it. */
export type Grip = 'span' | 'move' | 'first' | 'last';

/** What a drag that begins at a place takes hold of. `reach`: how near an edge is close enough. */
export function gripAt(place: number, brush: BinRange | null, count: number, reach: number): Grip {
  if (brush === null) return 'span';
  const [start, end] = [brush.first, brush.last + 1];
  // A narrow range keeps a middle to be moved by.
  const within = Math.min(reach, (end - start) / 4);
  if (place > start - reach && place < start + within) return 'first';
  if (place > end - within && place < end + reach) return 'last';
  // Where everything is chosen there is nowhere to move to.
  return place >= start && place <= end && end - start < count ? 'move' : 'span';
}

export interface Drag {
  readonly grip: Grip;
  /** The chosen range when it began. */
  readonly brush: BinRange | null;
  readonly from: number;
}

/** The range that a drag has led to. */
export function dragged({ grip, brush, from }: Drag, to: number, count: number): BinRange {
  if (brush === null || grip === 'span') return spanned(binOf(from, count), binOf(to, count));
  if (grip === 'move') return moved(brush, Math.round(to - from), count);
  const edge = Math.max(0, Math.min(count, Math.round(to)));
  const fixed = grip === 'first' ? brush.last + 1 : brush.first;
  // Pulled onto the other edge, one bin is left; pulled past it, the edges change places.
  const least = grip === 'first' ? fixed - 1 : fixed + 1;
  const other = edge === fixed ? least : edge;
  return { first: Math.min(fixed, other), last: Math.max(fixed, other) - 1 };
}

/** As long as before, and never beyond the ends. */
export function moved({ first, last }: BinRange, by: number, count: number): BinRange {
  const shift = Math.max(-first, Math.min(count - 1 - last, by));
  return { first: first + shift, last: last + shift };
}

export function binOf(place: number, count: number): number {
  return Math.max(0, Math.min(count - 1, Math.floor(place)));
}
