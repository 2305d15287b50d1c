import { useEffect, useRef, useState } from 'react';

import { droppedFolders, filesBelow } from './dropped-files.ts';
import type { OpenDialog } from './EditorDialogs.tsx';

interface PasteAndDrop {
  /** Off while a dialog is open. */
  readonly isEnabled: boolean;
  readonly onOpen: (dialog: OpenDialog) => void;
}

/** Pasting and dropping anywhere on the screen opens a dialog that shows what it would bring. Tells whether something is held over it. */
export function usePasteAndDrop({ isEnabled, onOpen }: PasteAndDrop): boolean {
  const [isOver, setOver] = useState(false);
  const latest = useRef(onOpen);
  useEffect(() => {
    latest.current = onOpen;
  });
  useEffect(() => {
    if (!isEnabled) return undefined;
    const take = (transfer: DataTransfer | null, name: string, event: Event): void => {
      const files = [...(transfer?.files ?? [])];
      const text = transfer?.getData('text/plain') ?? '';
      if (files.length === 0 && text.trim() === '') return;
      event.preventDefault();
      latest.current(files.length > 0 ? { kind: 'files', files } : { kind: 'stage', name, text });
    };
    const onPaste = (event: ClipboardEvent): void => {
      if (!isField(event.target)) take(event.clipboardData, 'pasted', event);
    };
    const onOver = (event: DragEvent): void => {
      if (event.dataTransfer?.types.some((type) => type === 'Files' || type === 'text/plain') !== true) return;
      event.preventDefault();
      setOver(true);
    };
    const onLeave = (event: DragEvent): void => {
      if (event.relatedTarget === null) setOver(false);
    };
    const onDrop = (event: DragEvent): void => {
      setOver(false);
      const folders = droppedFolders(event.dataTransfer);
      if (folders === null) return take(event.dataTransfer, 'dropped', event);
      event.preventDefault();
      void filesBelow(folders).then((found) => latest.current({ kind: 'files', ...found }));
    };
    window.addEventListener('paste', onPaste);
    window.addEventListener('dragover', onOver);
    window.addEventListener('dragleave', onLeave);
    window.addEventListener('drop', onDrop);
    return () => {
      window.removeEventListener('paste', onPaste);
      window.removeEventListener('dragover', onOver);
      window.removeEventListener('dragleave', onLeave);
      window.removeEventListener('drop', onDrop);
    };
  }, [isEnabled]);
  return isOver && isEnabled;
}

function isField(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, textarea, [contenteditable="true"]') !== null;
}
