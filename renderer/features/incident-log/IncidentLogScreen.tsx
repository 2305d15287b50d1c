import { useMutation } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useMemo, useRef } from 'react';

import { useActiveConnection } from '../../api/active.tsx';
import { useApi } from '../../api/ApiProvider.tsx';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { ChainStatus } from './ChainStatus.tsx';
import { ClockNote } from './ClockNote.tsx';
import { describeRow, logColumns } from './columns.tsx';
import { ElsewhereBar, useAudit } from './ElsewhereBar.tsx';
import styles from './IncidentLogScreen.module.css';
import { LogBar } from './LogBar.tsx';
import { LogDialogs, useLogDialogs } from './LogDialogs.tsx';
import { LogPictures } from './LogPictures.tsx';
import { NoEntries } from './NoEntries.tsx';
import { keyOf } from './rows.ts';
import type { IncidentLogSearch } from './search.ts';
import { LogPanel, useShown } from './LogPanel.tsx';
import { useLogKeys } from './use-log-keys.ts';
import { useLogRows, usePins, type LogRows } from './use-log-entries.ts';

const skeletonRows = 20;

/** What was done, by whom, from where, and what came of it, with what was done elsewhere between. Nothing here is ever changed. */
export function IncidentLogScreen() {
  const search = useSearch({ from: '/log' });
  const navigate = useNavigate({ from: '/log' });
  const change = (next: Partial<IncidentLogSearch>) =>
    void navigate({ search: (old) => ({ ...old, ...next }), replace: true });
  const showAll = () => void navigate({ search: {}, replace: true });
  const active = useActiveConnection();
  const connection = search.connection ?? active.id;
  const isJoined = search.elsewhere !== false;
  const audit = useAudit(connection);
  const log = useLogRows(search, isJoined ? connection : null);
  const pins = usePins();
  const shown = useShown(search.entry, log);
  const dialogs = useLogDialogs();
  const { client } = useApi();
  const verifying = useMutation({ mutationFn: () => client.log.verify() });
  const handOver = () =>
    void navigate({ to: '/log/handover', search: search.incident === undefined ? {} : { incident: search.incident } });
  const { again } = useLogKeys({ shown, dialogs, verify: () => verifying.mutate(), handOver });
  useStartVerify(search.act === 'verify', () => {
    change({ act: undefined });
    verifying.mutate();
  });
  const columns = useMemo(() => logColumns(pins), [pins]);
  const source = useSource(log);
  return (
    <div className={styles['screen']}>
      <div className={styles['main']}>
        <LogBar
          search={search}
          matching={log.matching}
          onChange={change}
          onNote={() => dialogs.open({ kind: 'note', about: null })}
          onExport={() => dialogs.open({ kind: 'export' })}
          onHandover={handOver}
          onVerify={() => verifying.mutate()}
        />
        <ElsewhereBar
          audit={audit}
          isShown={isJoined}
          matching={log.elsewhere}
          onShow={(is) => change({ elsewhere: is ? undefined : false })}
        />
        <ClockNote />
        <ChainStatus verifying={verifying} onShowAll={showAll} />
        {search.pictures === true ? <LogPictures search={search} onChange={change} /> : null}
        <div className={styles['table']}>
          <DataTable
            label="Incident log"
            source={source}
            columns={columns}
            rowKey={keyOf}
            describe={describeRow}
            onOpen={(row) => change({ entry: keyOf(row) })}
            onPeek={(row) => change({ entry: keyOf(row) === search.entry ? undefined : keyOf(row) })}
            onCursor={(row) => {
              if (row !== undefined && search.entry !== undefined) change({ entry: keyOf(row) });
            }}
            isBusy={log.isFirstLoad}
            empty={<NoEntries log={log} search={search} onShowAll={showAll} />}
          />
        </div>
      </div>
      <LogPanel
        shown={shown}
        pins={pins}
        onClose={() => change({ entry: undefined })}
        onOnly={change}
        onAgain={again}
        dialogs={dialogs}
      />
      <LogDialogs dialogs={dialogs} search={search} matching={log.matching} pins={pins} connection={connection} />
    </div>
  );
}

function useSource(log: LogRows) {
  return useMemo(
    () =>
      log.isFirstLoad
        ? { count: skeletonRows, row: () => undefined, want: () => undefined }
        : {
            count: log.rows.length,
            row: (index: number) => log.rows[index],
            want: (_from: number, to: number) => {
              if (to >= log.rows.length) log.more();
            },
          },
    [log],
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
