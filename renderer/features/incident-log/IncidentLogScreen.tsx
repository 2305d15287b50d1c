import { useMutation } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useMemo, useRef, useState } from 'react';

import type { LogEntry } from '#shared/model/incident.ts';

import { useApi } from '../../api/ApiProvider.tsx';
import { NoteDialog } from '../../commands/NoteDialog.tsx';
import { useUi } from '../../state/ui.tsx';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { useKey } from '../../ui/keys/KeyRegistry.tsx';
import { ChainStatus } from './ChainStatus.tsx';
import { logColumns, describeEntry } from './columns.tsx';
import { EntryPanel } from './EntryPanel.tsx';
import { ExportDialog } from './ExportDialog.tsx';
import styles from './IncidentLogScreen.module.css';
import { LogBar } from './LogBar.tsx';
import { NoEntries } from './NoEntries.tsx';
import { lineBehind } from './replay.ts';
import type { IncidentLogSearch } from './search.ts';
import { useLogEntries } from './use-log-entries.ts';

const skeletonRows = 20;

/** What was done, by whom, from where, and what came of it. Nothing here is ever changed or removed. */
export function IncidentLogScreen() {
  const search = useSearch({ from: '/log' });
  const navigate = useNavigate({ from: '/log' });
  const change = (next: Partial<IncidentLogSearch>) =>
    void navigate({ search: (old) => ({ ...old, ...next }), replace: true });
  const log = useLogEntries(search);
  const [noting, setNoting] = useState<{ readonly about: LogEntry | null } | null>(null);
  const [exporting, setExporting] = useState(false);
  const shown = log.entries.find((entry) => entry.id === search.entry);
  useKey('log.note', () => setNoting({ about: shown ?? null }));
  useKey('log.export', () => setExporting(true));
  const setDrawer = useUi((ui) => ui.setDrawer);
  const again = (line: string) => setDrawer(true, line);
  const shownLine = shown === undefined ? null : lineBehind(shown, log.entries);
  useKey('log.again', () => (shownLine === null ? undefined : again(shownLine)), shownLine !== null);
  const { client } = useApi();
  const verifying = useMutation({ mutationFn: () => client.log.verify() });
  const verify = () => verifying.mutate();
  useKey('log.verify', verify);
  useStartVerify(search.act === 'verify', () => {
    change({ act: undefined });
    verify();
  });

  const source = useMemo(
    () =>
      log.isFirstLoad
        ? { count: skeletonRows, row: () => undefined, want: () => undefined }
        : {
            count: log.entries.length,
            row: (index: number) => log.entries[index],
            want: (_from: number, to: number) => {
              if (to >= log.entries.length) log.more();
            },
          },
    [log],
  );
  return (
    <div className={styles['screen']}>
      <div className={styles['main']}>
        <LogBar
          search={search}
          matching={log.matching}
          onChange={change}
          onNote={() => setNoting({ about: null })}
          onExport={() => setExporting(true)}
          onVerify={verify}
        />
        <ChainStatus verifying={verifying} onShowAll={() => void navigate({ search: {}, replace: true })} />
        <div className={styles['table']}>
          <DataTable
            label="Incident log"
            source={source}
            columns={logColumns}
            rowKey={(entry) => entry.id}
            describe={describeEntry}
            onOpen={(entry) => change({ entry: entry.id })}
            onPeek={(entry) => change({ entry: entry.id === search.entry ? undefined : entry.id })}
            onCursor={(entry) => {
              if (entry !== undefined && search.entry !== undefined) change({ entry: entry.id });
            }}
            isBusy={log.isFirstLoad}
            empty={
              <NoEntries log={log} search={search} onShowAll={() => void navigate({ search: {}, replace: true })} />
            }
          />
        </div>
      </div>
      {shown === undefined ? null : (
        <EntryPanel
          entry={shown}
          all={log.entries}
          onClose={() => change({ entry: undefined })}
          onNote={() => setNoting({ about: shown })}
          onAgain={again}
        />
      )}
      {noting === null ? null : (
        <NoteDialog about={noting.about} incident={search.incident ?? null} onClose={() => setNoting(null)} />
      )}
      {exporting ? <ExportDialog search={search} matching={log.matching} onClose={() => setExporting(false)} /> : null}
    </div>
  );
}

/** The palette opens the screen and has the chain verified. */
function useStartVerify(isAsked: boolean, start: () => void): void {
  const latest = useRef(start);
  useEffect(() => {
    latest.current = start;
  });
  useEffect(() => {
    if (isAsked) latest.current();
  }, [isAsked]);
}
