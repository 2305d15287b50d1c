import { useEffect, useRef, useState } from 'react';

import { keepFocus } from './list-of-screen.ts';

/** Who had the focus before a dialog that is shown: one that takes its place gives it back there too. */
const openers = new WeakMap<Element, HTMLElement>();

/**
 * Stands inside a dialog. React Aria gives the focus back to what had it when the dialog opened; where that was another
 * dialog, such as the one that said that something is being read, there is nothing left of it. Then this does.
 */
export function FocusBack() {
  const [opener] = useState(() => openerOf(document.activeElement));
  const mark = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const dialog = dialogOf(mark.current);
    if (dialog === null || opener === null) return undefined;
    openers.set(dialog, opener);
    return () => afterOthers(() => giveBack(opener));
  }, [opener]);
  return <span ref={mark} hidden />;
}

function openerOf(active: Element | null): HTMLElement | null {
  const dialog = dialogOf(active);
  if (dialog !== null) return openers.get(dialog) ?? null;
  return active instanceof HTMLElement && active !== document.body ? active : null;
}

function dialogOf(element: Element | null): Element | null {
  return element?.closest('[role="dialog"], [role="alertdialog"]') ?? null;
}

/** React Aria takes a frame for its part. */
function afterOthers(act: () => void): void {
  requestAnimationFrame(() => requestAnimationFrame(act));
}

function giveBack(opener: HTMLElement): void {
  const isLost = document.activeElement === null || document.activeElement === document.body;
  if (isLost && opener.isConnected) opener.focus({ preventScroll: true });
  // What was done took it away, such as the offer to take something back.
  else keepFocus();
}
