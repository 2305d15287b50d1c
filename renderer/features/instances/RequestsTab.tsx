import { Pause, Play } from 'lucide-react';
import { useLayoutEffect, useMemo, useRef, useState } from 'react';

import type { ForwarderStatus, InstanceRow } from '#shared/contract/instances.ts';
import { formatCount } from '#shared/text/numbers.ts';

import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { EmptyState, ErrorState } from '../../ui/EmptyState.tsx';
import { TextField } from '../../ui/Field.tsx';
import { KeyCap } from '../../ui/KeyCap.tsx';
import { useKey } from '../../ui/keys/KeyRegistry.tsx';
import { Select } from '../../ui/Select.tsx';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { fits, mostRequests, statusFilters, type StatusFilter } from './request-log.ts';
import { describeRequest, requestColumns } from './request-columns.tsx';
import { RequestDetail } from './RequestDetail.tsx';
import styles from './RequestsTab.module.css';
import { t } from './text.ts';
import { useRequests, type Requests } from './use-requests.ts';
import { Address } from './Address.tsx';
import { routeUrl } from './words.ts';
import type { TableHandle } from '../../ui/table/types.ts';

const loading = { count: 8, row: () => undefined, want: () => undefined };

const statusWords: Readonly<Record<StatusFilter, string>> = {
  all: 'All statuses',
  '2xx': '2xx',
  '3xx': '3xx',
  '4xx': '4xx',
  '5xx': '5xx',
  failed: 'Failed or cut short',
};

/** The finished requests of an instance, newest first, as they come. */
export function RequestsTab({ row, server }: { readonly row: InstanceRow; readonly server: ForwarderStatus }) {
  const requests = useRequests(row.instance.id);
  const [text, setText] = useState('');
  const [status, setStatus] = useState<StatusFilter>('all');
  const [picked, setPicked] = useState<string | null>(null);
  const matching = useMemo(
    () => requests.shown.filter((entry) => fits(entry, text, status)),
    [requests.shown, text, status],
  );
  const source = useMemo(
    () =>
      requests.isLoading
        ? loading
        : { count: matching.length, row: (index: number) => matching[index], want: () => undefined },
    [requests.isLoading, matching],
  );
  // New requests push the others down: the mark stays on the one that was picked.
  const table = useRef<TableHandle>(null);
  useLayoutEffect(() => {
    if (picked !== null) table.current?.place(matching.findIndex(({ id }) => id === picked));
  }, [matching, picked]);
  const showAll = () => {
    setText('');
    setStatus('all');
  };
  return (
    <div className={styles['tab']}>
      <Bar requests={requests} text={text} onText={setText} status={status} onStatus={setStatus} />
      {requests.error === null || requests.shown.length === 0 ? null : (
        <Banner
          tone="warning"
          action={
            <Button size="small" onPress={requests.retry}>
              {t.followAgain}
            </Button>
          }
        >
          {t.noNewRequests} {requests.error.message}
        </Banner>
      )}
      <div className={styles['table']}>
        <DataTable
          label={t.requests}
          source={source}
          columns={requestColumns}
          rowKey={({ id }) => id}
          describe={describeRequest}
          onCursor={(entry) => setPicked(entry?.id ?? null)}
          onPeek={(entry) => setPicked(entry.id)}
          isBusy={requests.isLoading}
          handle={table}
          empty={
            requests.error !== null && requests.shown.length === 0 ? (
              <ErrorState error={requests.error} title={t.couldNotLoadRequests} onRetry={requests.retry} />
            ) : requests.shown.length > 0 ? (
              <EmptyState title={t.noMatchingRequests} action={<Button onPress={showAll}>{t.showAllThem}</Button>}>
                {t.noneStored(formatCount(requests.shown.length))}
              </EmptyState>
            ) : (
              <NoRequests row={row} server={server} />
            )
          }
        />
      </div>
      <RequestDetail entry={requests.shown.find(({ id }) => id === picked)} />
    </div>
  );
}

interface BarProps {
  readonly requests: Requests;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly status: StatusFilter;
  readonly onStatus: (status: StatusFilter) => void;
}

function Bar({ requests, text, onText, status, onStatus }: BarProps) {
  const box = useRef<HTMLInputElement>(null);
  useKey('instance.filter', () => box.current?.focus());
  useKey('instance.pause', () => requests.setPaused(!requests.isPaused));
  return (
    <div className={styles['bar']}>
      <TextField
        label={t.filterTheRequests}
        hideLabel
        type="search"
        value={text}
        onChange={onText}
        placeholder={t.filterPath}
        inputRef={box}
        className={styles['grow']}
      />
      <Select
        label={t.status}
        hideLabel
        value={status}
        onChange={onStatus}
        options={statusFilters.map((value) => ({ value, label: statusWords[value] }))}
        className={styles['status']}
      />
      <Button onPress={() => requests.setPaused(!requests.isPaused)} className={styles['pause']}>
        {requests.isPaused ? <Play size={13} aria-hidden="true" /> : <Pause size={13} aria-hidden="true" />}
        {requests.isPaused ? t.follow : t.pause} <KeyCap keys="p" />
      </Button>
      <span className={styles['count']} title={t.newestStored(mostRequests)}>
        {requests.isPaused
          ? t.heldBack(formatCount(requests.held.length))
          : t.stored(formatCount(requests.shown.length))}
      </span>
    </div>
  );
}

function NoRequests({ row, server }: { readonly row: InstanceRow; readonly server: ForwarderStatus }) {
  const { instance, exposure } = row;
  if (!exposure.exposed) {
    return <EmptyState title={t.noRequestYet}>{t.notExposedRequests(instance.name)}</EmptyState>;
  }
  if (server.state !== 'running') {
    return (
      <EmptyState title={t.noRequestYet}>
        {t.exposedBut(instance.name, server.state === 'failed' ? t.notRunning : server.state)}
      </EmptyState>
    );
  }
  return (
    <EmptyState title={t.noRequestYet}>
      <p>{t.callRequest}</p>
      <Address text={routeUrl(server, row)} what={t.addressRoute} />
    </EmptyState>
  );
}
