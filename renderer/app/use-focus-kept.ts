import { useRouterState } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';

/**
 * Going elsewhere takes away what had the focus. Where the new screen takes it nowhere, it would lie at the top of the
 * window, and Tab would go through the whole frame again: then it is put on the screen.
 */
export function useFocusKept(): void {
  const path = useRouterState({ select: (state) => state.resolvedLocation?.pathname });
  const before = useRef(path);
  useEffect(() => {
    if (before.current === path) return undefined;
    const isFirst = before.current === undefined;
    before.current = path;
    // A screen takes the focus with its first frame.
    const wait = isFirst ? undefined : setTimeout(keepFocus, 50);
    return () => clearTimeout(wait);
  }, [path]);
}

function keepFocus(): void {
  const { activeElement } = document;
  if (activeElement !== null && activeElement !== document.body) return;
  document.getElementById('main')?.focus({ preventScroll: true });
}
