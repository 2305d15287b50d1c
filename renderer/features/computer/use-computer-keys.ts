import { useEffect, useRef } from 'react';

import { useSingleKeys } from '../../ui/SingleKeys.tsx';
import type { ComputerSearch } from './search.ts';

interface ComputerKeys {
  /** Opens a dialog; nothing is sent by a key. */
  act(act: ComputerSearch['act']): void;
  back(): void;
}

const acts: Readonly<Record<string, ComputerSearch['act']>> = { i: 'isolate', u: 'release', m: 'move' };

/** Keys of the computer screen, while no field and no dialog has the focus. */
export function useComputerKeys(keys: ComputerKeys): void {
  const letters = useSingleKeys();
  const now = useRef(keys);
  now.current = keys;
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isElsewhere(event.target)) return;
      const act = acts[event.key];
      if (event.key === 'Escape') now.current.back();
      else if (letters && act !== undefined) now.current.act(act);
      else return;
      event.preventDefault();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [letters]);
}

function isElsewhere(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest('input, textarea, select, [role=dialog], [role=alertdialog], [role=listbox], [role=menu]') !== null
  );
}
