import { useRef } from 'react';

import { formatCount } from '#shared/text/numbers.ts';

import { useAnnounce } from '../../ui/Announcer.tsx';
import { toggled } from '../../ui/table/picking.ts';
import type { GroupTreeProps } from './GroupTree.tsx';

export interface TreeSelection {
  /** The cursor went there: the next extension begins there. */
  begin(index: number): void;
  /** Selects the lines between where it began and there. */
  extend(from: number, to: number): void;
  toggle(index: number): void;
  /** Every line that is shown. */
  all(): void;
}

/** Groups that are picked in the tree. Folding, searching and reading again do not change what was picked. */
export function useTreeSelection({ lines, selection, onSelection }: GroupTreeProps): TreeSelection {
  const announce = useAnnounce();
  const anchor = useRef(-1);
  const change = (next: ReadonlySet<string>): void => {
    onSelection(next);
    announce(`${formatCount(next.size)} selected`);
  };
  const guids = (from: number, to: number): readonly string[] =>
    lines.slice(Math.min(from, to), Math.max(from, to) + 1).map(({ node }) => node.guid);
  return {
    begin: (index) => {
      anchor.current = index;
    },
    extend: (from, to) => {
      if (anchor.current < 0) anchor.current = Math.max(0, from);
      change(new Set([...selection, ...guids(anchor.current, to)]));
    },
    toggle: (index) => {
      const guid = lines[index]?.node.guid;
      if (guid === undefined) return;
      anchor.current = index;
      change(toggled(selection, guid));
    },
    all: () => change(new Set([...selection, ...guids(0, lines.length - 1)])),
  };
}
