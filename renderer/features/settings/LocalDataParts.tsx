import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { copyTitles, type LocalData } from '#shared/contract/local.ts';
import { formatBytes, formatCount } from '#shared/text/numbers.ts';

import { useApi } from '../../api/ApiProvider.tsx';
import { asCordonError } from '../../api/errors.ts';
import { useSetSettings, useSettings } from '../../api/hooks.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorState } from '../../ui/EmptyState.tsx';
import { Select } from '../../ui/Select.tsx';
import { SkeletonLines } from '../../ui/Skeleton.tsx';
import { Part } from './Part.tsx';
import styles from './Settings.module.css';
import { WipeDialog } from './WipeDialog.tsx';

type Connection = LocalData['connections'][number];

const fileTitles: Readonly<Record<LocalData['files'][number]['kind'], string>> = {
  log: 'Incident log: never deleted from here',
  profile: 'Connections, settings, API limit, instances',
  other: 'Everything else in the folder',
};

/** What lies on this computer, how large it is, and deleting the copies of one connection. */
export function StoredPart() {
  const { queries } = useApi();
  const { data, error, refetch, isFetching } = useQuery(queries.local.data.queryOptions());
  const [wiping, setWiping] = useState<Connection | null>(null);
  return (
    <Part
      title="What is stored"
      about="Data from the service stored on this computer, so that lists open immediately and offline. You can load them again at any time."
    >
      {error === null ? null : (
        <ErrorState error={asCordonError(error)} title="It could not be looked up" onRetry={() => void refetch()} />
      )}
      {data === undefined ? (
        error === null ? (
          <SkeletonLines lines={6} label="Looking at the folder" />
        ) : null
      ) : (
        <>
          <div className={styles['line']}>
            <span className={styles['path']}>{data.folder}</span>
            <Button size="small" tone="quiet" onPress={() => void refetch()}>
              Look again
            </Button>
          </div>
          <table className={styles['table']} aria-busy={isFetching}>
            <thead>
              <tr>
                <th scope="col">What</th>
                <th scope="col" className={styles['number']}>
                  Records
                </th>
                <th scope="col" className={styles['number']}>
                  On the disk
                </th>
              </tr>
            </thead>
            {data.connections.map((connection) => (
              <ConnectionRows key={connection.id} connection={connection} onWipe={() => setWiping(connection)} />
            ))}
            <tbody>
              {data.files.map(({ kind, bytes, records }) => (
                <Row key={kind} title={fileTitles[kind]} bytes={bytes} records={records} />
              ))}
            </tbody>
          </table>
        </>
      )}
      {wiping === null ? null : <WipeDialog connection={wiping} onClose={() => setWiping(null)} />}
    </Part>
  );
}

function ConnectionRows({ connection, onWipe }: { readonly connection: Connection; readonly onWipe: () => void }) {
  const empty = connection.copies.every(({ bytes }) => bytes === 0);
  return (
    <tbody>
      <tr>
        <th scope="rowgroup" colSpan={2}>
          {connection.name}
        </th>
        <td className={styles['number']}>
          <Button
            size="small"
            onPress={onWipe}
            reason={empty ? 'Nothing is stored of this connection.' : null}
            aria-label={`Delete copies of ${connection.name}`}
            aria-haspopup="dialog"
          >
            Delete…
          </Button>
        </td>
      </tr>
      {connection.copies.map(({ kind, bytes, records }) => (
        <Row key={kind} title={copyTitles[kind]} bytes={bytes} records={records} />
      ))}
    </tbody>
  );
}

interface RowProps {
  readonly title: string;
  readonly bytes: number;
  readonly records: number | null;
}

function Row({ title, bytes, records }: RowProps) {
  return (
    <tr>
      <td>{title}</td>
      <td className={styles['number']}>{records === null ? '' : formatCount(records)}</td>
      <td className={styles['number']}>{formatBytes(bytes)}</td>
    </tr>
  );
}

const choices = [100_000, 500_000, 1_000_000, 2_000_000, 5_000_000];

export function KeptEventsPart() {
  const { keptEvents } = useSettings();
  const set = useSetSettings();
  return (
    <Part
      title="Events that are kept"
      sets={['keptEvents']}
      about="For each connection. When there are more, the oldest go with the next reading; the service itself keeps 30 days."
    >
      <Select
        label="Events that are kept"
        hideLabel
        value={String(keptEvents)}
        onChange={(value) => set({ keptEvents: Number(value) })}
        options={[...new Set([...choices, keptEvents])]
          .toSorted((one, other) => one - other)
          .map((count) => ({ value: String(count), label: `${formatCount(count)} events` }))}
      />
    </Part>
  );
}
