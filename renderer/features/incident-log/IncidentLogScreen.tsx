import { useMutation } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { memo, useCallback, useEffect, useMemo, useRef } from 'react';

import { useActiveConnection } from '../../api/active.tsx';
import { useApi } from '../../api/ApiProvider.tsx';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { ChainStatus } from './ChainStatus.tsx';
import { ClockNote } from './ClockNote.tsx';
import { describeRow, logColumns } from './columns.tsx';
import { ElsewhereBar, useAudit } from './ElsewhereBar.tsx';
import styles from './IncidentLogScreen.module.css';
import { LogBar } from './LogBar.tsx';
import { LogDialogs, useLogDialogs, type OpenLogDialogs } from './LogDialogs.tsx';
import { LogPictures } from './LogPictures.tsx';
import { NoEntries } from './NoEntries.tsx';
import { keyOf } from './rows.ts';
import { allTenants, type IncidentLogSearch } from './search.ts';
import { LogPanel, usePanelRow } from './LogPanel.tsx';
import { t } from './text.ts';
import { useLogKeys } from './use-log-keys.ts';
import { useReadingPlace } from './use-reading-place.ts';
import { Waiting } from './Waiting.tsx';
import { useLogRows, usePins, type LogRows } from './use-log-entries.ts';

const skeletonRows = 20;

// They answer to the conditions alone: the cursor, which writes itself into the address, passes them by.
const Bar = memo(LogBar);
const Pictures = memo(LogPictures);
const Elsewhere = memo(ElsewhereBar);

/** What was done, by whom, from where, and what came of it, with what was done elsewhere between. Nothing here is ever changed. */
export function IncidentLogScreen() {
  const { entry, search } = useConditions(useSearch({ from: '/log' }));
  const navigate = useNavigate({ from: '/log' });
  const change = useCallback(
    (next: Partial<IncidentLogSearch>) => void navigate({ search: (old) => ({ ...old, ...next }), replace: true }),
    [navigate],
  );
  const showAll = () => void navigate({ search: {}, replace: true });
  const active = useActiveConnection();
  const connection =
    search.connection === undefined || search.connection === allTenants ? active.id : search.connection;
  const isJoined = search.elsewhere !== false;
  const audit = useAudit(connection);
  const { key, shown, show } = usePanelRow(entry, connection, (next) => change({ entry: next }));
  const place = useReadingPlace(search, key !== undefined);
  const log = useLogRows(search, isJoined ? connection : null, place.upTo);
  const { newest } = log;
  useEffect(() => place.keep(log.isPrevious ? null : (newest ?? null)), [place, log.isPrevious, newest]);
  const pins = usePins();
  const dialogs = useLogDialogs();
  const { client } = useApi();
  const verifying = useMutation({ mutationFn: () => client.log.verify() });
  const acts = useActs(dialogs, verifying.mutate, search.incident);
  const showElsewhere = useCallback((is: boolean) => change({ elsewhere: is ? undefined : false }), [change]);
  const { again } = useLogKeys({ shown, dialogs, verify: acts.onVerify, handOver: acts.onHandover });
  useStartVerify(search.act === 'verify', () => {
    change({ act: undefined });
    verifying.mutate();
  });
  const columns = useMemo(() => logColumns(pins, active), [pins, active]);
  const source = useSource(log);
  return (
    <div className={styles['screen']}>
      <div className={styles['main']}>
        <Bar search={search} matching={log.isPrevious ? undefined : newest?.own} onChange={change} {...acts} />
        <Elsewhere audit={audit} isShown={isJoined} matching={newest?.elsewhere ?? 0} onShow={showElsewhere} />
        <ClockNote />
        <ChainStatus verifying={verifying} onShowAll={showAll} onShow={(id) => change({ entry: id })} />
        {search.pictures === true ? <Pictures search={search} onChange={change} /> : null}
        <div className={styles['table']} onScrollCapture={place.onScroll}>
          {newest === undefined || log.isPrevious ? null : (
            <Waiting count={newest.newer} onShow={() => place.showNewest(newest)} />
          )}
          <DataTable
            handle={place.table}
            label={t.incidentLog}
            source={source}
            columns={columns}
            rowKey={keyOf}
            describe={describeRow}
            onOpen={show}
            onPeek={(row) => show(keyOf(row) === key ? undefined : row)}
            onCursor={(row, index) => {
              place.onCursor(index);
              if (row !== undefined && key !== undefined) show(row);
            }}
            isBusy={log.isFirstLoad || log.isPrevious}
            empty={<NoEntries log={log} search={search} onShowAll={showAll} />}
          />
        </div>
      </div>
      <LogPanel
        shown={shown}
        pins={pins}
        onClose={() => show(undefined)}
        onOnly={change}
        onAgain={again}
        dialogs={dialogs}
      />
      <LogDialogs dialogs={dialogs} search={search} matching={newest?.own} pins={pins} connection={connection} />
    </div>
  );
}

/** The address without the row at the cursor: the same object as long as it says the same. */
function useConditions({ entry, ...conditions }: IncidentLogSearch) {
  const said = JSON.stringify(conditions);
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- `said` stands for the conditions, which are new on every render
  const search: IncidentLogSearch = useMemo(() => conditions, [said]);
  return { entry, search };
}

/** What the buttons of the bar do; the same functions as long as they do the same. */
function useActs({ open }: OpenLogDialogs, verify: () => void, incident: string | undefined) {
  const navigate = useNavigate();
  return useMemo(
    () => ({
      onNote: () => open({ kind: 'note', about: null }),
      onExport: () => open({ kind: 'export' }),
      onHandover: () => void navigate({ to: '/log/handover', search: incident === undefined ? {} : { incident } }),
      onVerify: () => verify(),
    }),
    [open, verify, navigate, incident],
  );
}

function useSource(log: LogRows) {
  return useMemo(
    () => (log.isFirstLoad ? { count: skeletonRows, row: () => undefined, want: () => undefined } : log),
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
