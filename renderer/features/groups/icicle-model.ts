/** Groups as rows of bars, each as wide as its computers: pure, so that it can be tested without a page. */
import type { GroupNode } from '#shared/contract/directory.ts';

import type { Brick } from '../../ui/chart/Icicle.tsx';

export interface Bricks {
  readonly bricks: readonly Brick[];
  /** Groups with computers that are too narrow or too deep to be drawn. */
  readonly left: number;
}

/** Narrower than this is less than a pixel; deeper is reached by looking at a part. */
const [narrowest, deepest] = [1 / 1400, 10];

interface Place {
  readonly from: number;
  readonly to: number;
  readonly level: number;
}

/**
 * `groups` stand parents before children, as the tree gives them. `root`: that group and what is below it alone. A
 * group's own computers are the room at the end of it that no child fills.
 */
export function bricksOf(groups: readonly GroupNode[], root?: string): Bricks {
  const known = new Map(groups.map((group) => [group.guid, group]));
  const start = root === undefined ? undefined : known.get(root);
  const first = start === undefined ? groups.filter(({ parent }) => parent === null || !known.has(parent)) : [start];
  const bricks: Brick[] = [];
  let left = 0;
  const lay = (nodes: readonly GroupNode[], { from, to, level }: Place, whole: number): void => {
    let at = from;
    for (const node of nodes.toSorted((a, b) => b.below.computers - a.below.computers)) {
      const end = at + (whole === 0 ? 0 : (node.below.computers / whole) * (to - from));
      if (node.below.computers === 0) continue;
      const below = node.children.flatMap((guid) => known.get(guid) ?? []);
      if (end - at < narrowest || level >= deepest) left += countBelow(node, known);
      else {
        bricks.push(brickOf(node, { from: at, to: end, level }));
        lay(below, { from: at, to: end, level: level + 1 }, node.below.computers);
      }
      at = end;
    }
  };
  const whole = first.reduce((sum, { below }) => sum + below.computers, 0);
  lay(first, { from: 0, to: 1, level: 0 }, whole);
  return { bricks: bricks.toSorted((a, b) => a.level - b.level || a.from - b.from), left };
}

function brickOf({ guid, name, below }: GroupNode, place: Place): Brick {
  return { key: guid, name, value: below.computers, marked: below.compromised, ...place };
}

function countBelow(node: GroupNode, known: ReadonlyMap<string, GroupNode>): number {
  if (node.below.computers === 0) return 0;
  return node.children.reduce((sum, guid) => {
    const child = known.get(guid);
    return child === undefined ? sum : sum + countBelow(child, known);
  }, 1);
}
