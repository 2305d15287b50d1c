import { useState } from 'react';

import type { JoinedRow } from '#shared/contract/log.ts';
import type { LogEntry, Pin } from '#shared/model/incident.ts';

import { NoteDialog } from '../../commands/NoteDialog.tsx';
import { ExportDialog } from './ExportDialog.tsx';
import { PinDialog } from './PinDialog.tsx';
import { keyOf } from './rows.ts';
import type { IncidentLogSearch } from './search.ts';

export type LogDialog =
  | { readonly kind: 'note'; readonly about: LogEntry | null; readonly text?: string }
  | { readonly kind: 'pin'; readonly row: JoinedRow }
  | { readonly kind: 'export' };

export interface OpenLogDialogs {
  readonly shown: LogDialog | null;
  open(dialog: LogDialog): void;
  close(): void;
}

export function useLogDialogs(): OpenLogDialogs {
  const [shown, setShown] = useState<LogDialog | null>(null);
  return { shown, open: setShown, close: () => setShown(null) };
}

interface LogDialogsProps {
  readonly dialogs: OpenLogDialogs;
  readonly search: IncidentLogSearch;
  readonly matching: number | undefined;
  readonly pins: ReadonlyMap<string, Pin>;
  /** Whose audit log is joined. */
  readonly connection: string;
}

export function LogDialogs({ dialogs, search, matching, pins, connection }: LogDialogsProps) {
  const { shown, close } = dialogs;
  switch (shown?.kind) {
    case undefined:
      return null;
    case 'note':
      return (
        <NoteDialog about={shown.about} incident={search.incident ?? null} text={shown.text ?? ''} onClose={close} />
      );
    case 'pin':
      return (
        <PinDialog row={shown.row} connection={connection} isPinned={pins.has(keyOf(shown.row))} onClose={close} />
      );
    case 'export':
      return <ExportDialog search={search} matching={matching} onClose={close} />;
  }
}
