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
import { DataTable, type TableHandle } from '../../ui/table/DataTable.tsx';
import { fits, mostRequests, statusFilters, type StatusFilter } from './request-log.ts';
import { describeRequest, requestColumns } from './request-columns.tsx';
import { RequestDetail } from './RequestDetail.tsx';
import styles from './RequestsTab.module.css';
import { useRequests, type Requests } from './use-requests.ts';
import { Address } from './Address.tsx';
import { routeUrl } from './words.ts';

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
              Follow again
            </Button>
          }
        >
          No new requests come in: {requests.error.message}
        </Banner>
      )}
      <div className={styles['table']}>
        <DataTable
          label="Requests"
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
              <ErrorState error={requests.error} title="Could not load the requests" onRetry={requests.retry} />
            ) : requests.shown.length > 0 ? (
              <EmptyState title="No request matches" action={<Button onPress={showAll}>Show all of them</Button>}>
                None of the {formatCount(requests.shown.length)} requests that are kept answers to this filter.
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
        label="Filter the requests"
        hideLabel
        type="search"
        value={text}
        onChange={onText}
        placeholder="Filter by path, client, method, reason"
        inputRef={box}
        className={styles['grow']}
      />
      <Select
        label="Status"
        hideLabel
        value={status}
        onChange={onStatus}
        options={statusFilters.map((value) => ({ value, label: statusWords[value] }))}
        className={styles['status']}
      />
      <Button onPress={() => requests.setPaused(!requests.isPaused)} className={styles['pause']}>
        {requests.isPaused ? <Play size={13} aria-hidden="true" /> : <Pause size={13} aria-hidden="true" />}
        {requests.isPaused ? 'Follow' : 'Pause'} <KeyCap keys="p" />
      </Button>
      <span className={styles['count']} title={`The newest ${mostRequests} are kept here.`}>
        {requests.isPaused
          ? `${formatCount(requests.held.length)} held back`
          : `${formatCount(requests.shown.length)} kept`}
      </span>
    </div>
  );
}

function NoRequests({ row, server }: { readonly row: InstanceRow; readonly server: ForwarderStatus }) {
  const { instance, exposure } = row;
  if (!exposure.exposed) {
    return (
      <EmptyState title="No request yet">
        {instance.name} is not exposed. Requests get 404, as if it did not exist. Requests appear here once it is
        exposed and in use.
      </EmptyState>
    );
  }
  if (server.state !== 'running') {
    return (
      <EmptyState title="No request yet">
        {instance.name} is exposed, but the forwarding server is{' '}
        {server.state === 'failed' ? 'not running' : server.state}: it is not reachable.
      </EmptyState>
    );
  }
  return (
    <EmptyState title="No request yet">
      <p>Call it, and the request appears here at once:</p>
      <Address text={routeUrl(server, row)} what="address of the route" />
    </EmptyState>
  );
}
