/** What a key means in the tree: pure, so that it can be tested without a page (WAI-ARIA, "Treegrid"). */
import type { KeyFacts } from '../../ui/table/movement.ts';
import type { TreeLine } from './tree-model.ts';

export type TreeKey =
  | { readonly kind: 'move'; readonly to: number }
  /** Moves, and selects what lies between. */
  | { readonly kind: 'extend'; readonly to: number }
  | { readonly kind: 'toggle' }
  | { readonly kind: 'all' }
  | { readonly kind: 'open'; readonly guid: string; readonly open: boolean }
  | { readonly kind: 'openBelow'; readonly guid: string; readonly open: boolean }
  | { readonly kind: 'members' }
  | { readonly kind: 'peek' }
  | { readonly kind: 'jump'; readonly text: string };

export interface TreeFacts {
  readonly lines: readonly TreeLine[];
  readonly at: number;
  /** Whole lines that fit into the view. */
  readonly page: number;
  /** Whether single letters are keys. Where they are not, letters jump to a name at once. */
  readonly letters: boolean;
}

/** `null` when the key means nothing here. */
export function keyInTree(key: KeyFacts, facts: TreeFacts): TreeKey | null {
  if (key.alt || facts.lines.length === 0) return null;
  if (key.control) return key.key.toLowerCase() === 'a' ? { kind: 'all' } : null;
  const line = facts.lines[facts.at];
  const to = targetOf({ ...key, shift: key.shift && !extending.has(key.key) }, facts);
  if (to !== null)
    return { kind: key.shift ? 'extend' : 'move', to: Math.max(0, Math.min(facts.lines.length - 1, to)) };
  if (key.key === 'x' && facts.letters) return line === undefined ? null : { kind: 'toggle' };
  if (key.key === 'f' && facts.letters) return { kind: 'jump', text: '' };
  if (!facts.letters && key.key.length === 1 && /[\p{L}\p{N}]/u.test(key.key)) return { kind: 'jump', text: key.key };
  if (line === undefined) return null;
  if (key.key === 'ArrowRight') return right(line, facts, key.shift);
  if (key.key === 'ArrowLeft') return left(line, facts, key.shift);
  // With Shift it opens the page of the group, which is a key of the screen.
  if (key.key === 'Enter') return key.shift ? null : { kind: 'members' };
  if (key.key === ' ') return { kind: 'peek' };
  return null;
}

/** With Shift these select on their way. */
const extending: ReadonlySet<string> = new Set(['ArrowDown', 'ArrowUp']);

function targetOf({ key, shift }: KeyFacts, { at, page, letters, lines }: TreeFacts): number | null {
  if (shift) return null;
  if (key === 'ArrowDown' || (letters && key === 'j')) return at + 1;
  if (key === 'ArrowUp' || (letters && key === 'k')) return at - 1;
  if (key === 'Home') return 0;
  if (key === 'End') return lines.length - 1;
  if (key === 'PageDown') return Math.max(0, at) + page;
  if (key === 'PageUp') return at - page;
  return null;
}

/** Opens; what is open leads to the first line below. */
function right({ node, isOpen }: TreeLine, { at }: TreeFacts, all: boolean): TreeKey | null {
  if (isOpen === null) return null;
  if (all) return { kind: 'openBelow', guid: node.guid, open: true };
  return isOpen ? { kind: 'move', to: at + 1 } : { kind: 'open', guid: node.guid, open: true };
}

/** Closes; what is closed leads to the parent. */
function left({ node, isOpen }: TreeLine, { lines }: TreeFacts, all: boolean): TreeKey | null {
  if (isOpen !== null && all) return { kind: 'openBelow', guid: node.guid, open: false };
  if (isOpen === true) return { kind: 'open', guid: node.guid, open: false };
  const parent = lines.findIndex((line) => line.node.guid === node.parent);
  return parent < 0 ? null : { kind: 'move', to: parent };
}

/** The next line whose name begins so, from `from` on and around; -1 for none. */
export function lineBeginning(lines: readonly TreeLine[], text: string, from: number): number {
  const wanted = text.toLowerCase();
  const count = lines.length;
  for (let step = 0; step < count; step += 1) {
    const index = (Math.max(0, from) + step) % count;
    if (lines[index]?.node.name.toLowerCase().startsWith(wanted) === true) return index;
  }
  return -1;
}
