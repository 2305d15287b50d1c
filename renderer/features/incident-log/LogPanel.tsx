import type { JoinedRow } from '#shared/contract/log.ts';
import type { LogEntry, Pin } from '#shared/model/incident.ts';

import { ElsewherePanel } from './ElsewherePanel.tsx';
import { EntryPanel } from './EntryPanel.tsx';
import type { OpenLogDialogs } from './LogDialogs.tsx';
import { keyOf, withEntries } from './rows.ts';
import type { IncidentLogSearch } from './search.ts';
import { useNamedEntries, type LogRows } from './use-log-entries.ts';

/** The row that the address names, and our own entries that are known around it. */
export interface Shown {
  readonly row: JoinedRow | null;
  readonly all: readonly LogEntry[];
}

export function useShown(key: string | undefined, log: LogRows): Shown {
  const loaded = key === undefined ? undefined : log.rows.find((row) => keyOf(row) === key);
  // Links may lead to what is older than all that is loaded; what belongs to an entry may be too.
  const named = useNamedEntries(key);
  const all = withEntries(log.entries, named);
  const older = loaded === undefined ? named.find(({ id }) => id === key) : undefined;
  return { row: loaded ?? (older === undefined ? null : { kind: 'own', entry: older }), all };
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
