import type { JoinedRow } from '#shared/contract/log.ts';
import type { LogEntry, Pin } from '#shared/model/incident.ts';

import { ElsewherePanel } from './ElsewherePanel.tsx';
import { EntryPanel } from './EntryPanel.tsx';
import type { OpenLogDialogs } from './LogDialogs.tsx';
import { keyOf } from './rows.ts';
import type { IncidentLogSearch } from './search.ts';
import { useThread } from './use-log-entries.ts';

/** The row that the address names, and our own entries about the same thing. */
export interface Shown {
  readonly row: JoinedRow | null;
  readonly all: readonly LogEntry[];
}

/** `picked`: the row that was last under the cursor; it is there before anything is asked. */
export function useShown(key: string | undefined, picked: JoinedRow | null, connection: string | null): Shown {
  const { row, entries } = useThread(key, connection);
  if (key === undefined) return { row: null, all: entries };
  return { row: picked !== null && keyOf(picked) === key ? picked : row, all: entries };
}

interface LogPanelProps {
  readonly shown: Shown;
  readonly pins: ReadonlyMap<string, Pin>;
  readonly onClose: () => void;
  readonly onOnly: (condition: Partial<IncidentLogSearch>) => void;
  readonly onAgain: (line: string) => void;
  readonly dialogs: OpenLogDialogs;
}

/** What is at the cursor: an entry of our own, or what somebody did elsewhere. */
export function LogPanel({ shown, pins, onClose, onOnly, onAgain, dialogs }: LogPanelProps) {
  const { row, all } = shown;
  if (row === null) return null;
  const onPin = () => dialogs.open({ kind: 'pin', row });
  if (row.kind === 'elsewhere')
    return <ElsewherePanel record={row.record} onClose={onClose} onPin={onPin} onOnly={onOnly} />;
  return (
    <EntryPanel
      entry={row.entry}
      all={all}
      pin={pins.get(row.entry.id) ?? null}
      onClose={onClose}
      onNote={() => dialogs.open({ kind: 'note', about: row.entry })}
      onPin={onPin}
      onOnly={onOnly}
      onAgain={onAgain}
    />
  );
}
