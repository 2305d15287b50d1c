import { useMemo, type ReactNode } from 'react';

import type { FileListRow } from '#shared/contract/directory.ts';
import { formatCount } from '#shared/text/numbers.ts';

import { DataTable } from '../../ui/table/DataTable.tsx';
import type { TableColumn } from '../../ui/table/types.ts';
import { Time } from '../../ui/Time.tsx';
import styles from './FileLists.module.css';
import { t } from './text.ts';
import { countWords, coveredWords, itemsKnown } from './words.ts';

interface ListTableProps {
  readonly title: string;
  readonly lists: readonly FileListRow[];
  /** All computers of the local copy; `null` before they are counted. */
  readonly computers: number | null;
  readonly isWaiting: boolean;
  readonly onOpen: (list: FileListRow) => void;
  readonly onCursor: (list: FileListRow | undefined) => void;
  readonly empty: ReactNode;
}

const skeletonRows = 5;

/** The lists of one kind. */
export function ListTable({ title, lists, computers, isWaiting, onOpen, onCursor, empty }: ListTableProps) {
  const columns = useMemo(() => columnsOf(computers), [computers]);
  const source = useMemo(
    () => ({
      count: isWaiting ? skeletonRows : lists.length,
      row: (index: number) => (isWaiting ? undefined : lists[index]),
      want: () => undefined,
    }),
    [lists, isWaiting],
  );
  return (
    <section className={styles['kind']} aria-label={title}>
      <h2 className={styles['kindTitle']}>
        {title} <span className={styles['dim']}>{isWaiting ? '' : formatCount(lists.length)}</span>
      </h2>
      <div className={styles['kindTable']}>
        <DataTable
          label={title}
          source={source}
          columns={columns}
          rowKey={(list) => list.guid}
          describe={(list) => describe(list, computers)}
          onOpen={onOpen}
          onCursor={onCursor}
          rowTone={(list) => (list.vanishedAt === null ? undefined : 'struck')}
          isBusy={isWaiting}
          empty={empty}
        />
      </div>
    </section>
  );
}

function columnsOf(computers: number | null): readonly TableColumn<FileListRow>[] {
  return [
    { id: 'name', title: 'Name', width: 206, look: 'name', cell: ({ name }) => <span title={name}>{name}</span> },
    { id: 'items', title: 'Hashes', width: 70, align: 'end', cell: (list) => <Hashes list={list} /> },
    {
      id: 'policies',
      title: 'Policies',
      width: 68,
      align: 'end',
      yields: 1,
      cell: ({ policies }) => (policies === null ? '?' : formatCount(policies.length)),
    },
    {
      id: 'covered',
      title: 'Enforced on',
      width: 120,
      align: 'end',
      cell: (list) => <Covered covered={list.covered} computers={computers} />,
    },
    {
      id: 'read',
      title: 'Hashes loaded',
      width: 88,
      yields: 2,
      look: 'dim',
      cell: ({ itemsRead }) => <Time at={itemsRead.at} unknown="never" />,
    },
  ];
}

function Hashes({ list }: { readonly list: FileListRow }) {
  const known = itemsKnown(list);
  return (
    <span title={titles[known]}>
      {list.problem === null ? null : (
        <span className={styles['warn']} role="img" aria-label={t.couldNotAll} title={list.problem.message}>
          ▲{' '}
        </span>
      )}
      {countWords(list)}
    </span>
  );
}

const titles = {
  never: 'The service’s number; the hashes have not been loaded yet',
  reading: 'Loading the hashes',
  part: 'Not all hashes could be loaded',
  whole: 'All hashes were loaded',
} as const;

function Covered({ covered, computers }: { readonly covered: number | null; readonly computers: number | null }) {
  if (covered === null) return <span title={t.policiesSay}>?</span>;
  if (computers === null) return <span title={t.computersNotLoaded}>?</span>;
  return <span className={covered === 0 ? styles['warn'] : undefined}>{coveredWords(covered, computers)}</span>;
}

function describe(list: FileListRow, computers: number | null): string {
  const parts = [
    list.name,
    `hashes: ${countWords(list)}`,
    `policies: ${list.policies === null ? 'not loaded' : list.policies.length}`,
    `enforced on: ${coveredWords(list.covered, computers)} computers`,
    list.vanishedAt === null ? null : 'deleted elsewhere',
  ];
  return parts.filter((part) => part !== null).join(', ');
}
