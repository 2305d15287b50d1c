import { useRef, type RefObject } from 'react';

import { useActiveConnection } from '../../api/active.tsx';
import { pickedGroups, useSelection, useUi } from '../../state/ui.tsx';

/** The picked groups of the connection: a frozen list of GUIDs. No search, folding or reading changes it. */
export interface PickedGroups {
  readonly asSet: ReadonlySet<string>;
  readonly guids: readonly string[];
  readonly buttons: RefObject<HTMLDivElement | null>;
  change(next: ReadonlySet<string>): void;
  /** Opens the dialog that assigns policies to them; `false` when none is picked. */
  assign(): boolean;
}

export function usePicked(): PickedGroups {
  const [asSet, change] = useSelection(pickedGroups(useActiveConnection().id));
  const openBulk = useUi((ui) => ui.openBulk);
  const buttons = useRef<HTMLDivElement>(null);
  const guids = [...asSet];
  const assign = () => {
    if (guids.length > 0) openBulk('policies', guids);
    return guids.length > 0;
  };
  return { asSet, guids, buttons, change, assign };
}
