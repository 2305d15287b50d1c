import { useEffect, useRef } from 'react';

import { useSingleKeys } from '../../ui/SingleKeys.tsx';

interface ListKeys {
  focusFilter(): void;
  /** `null` while the side panel is closed. */
  readonly closePeek: (() => void) | null;
  /** Opens a dialog about the row under the cursor; nothing is sent by a key. */
  act(act: 'isolate' | 'release' | 'move'): void;
}

const acts: Readonly<Record<string, 'isolate' | 'release' | 'move'>> = { i: 'isolate', u: 'release', m: 'move' };

/** Keys of the computers screen, while no field and no dialog has the focus. */
export function useListKeys(keys: ListKeys): void {
  const letters = useSingleKeys();
  const now = useRef(keys);
  now.current = keys;
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      const act = acts[event.key];
      if (event.key === 'Escape' && now.current.closePeek !== null) now.current.closePeek();
      else if (letters && event.key === '/') now.current.focusFilter();
      else if (letters && act !== undefined) now.current.act(act);
      else return;
      event.preventDefault();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [letters]);
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest('input, textarea, select, [contenteditable], [role=dialog], [role=listbox]') !== null
  );
}
