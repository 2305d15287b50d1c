import type { EventRow } from '#shared/contract/events.ts';

import type { TableColumn } from '../../ui/table/types.ts';
import { Tag } from '../../ui/Tag.tsx';
import { Time } from '../../ui/Time.tsx';
import { outcomeWords, severityWords } from '../../ui/event-words.ts';
import styles from './EventsScreen.module.css';
import { gatheredInWords } from './grouping.ts';

export const eventColumns: readonly TableColumn<EventRow>[] = [
  { id: 'at', title: 'Time', width: 158, look: 'dim', cell: (row) => <Time at={row.at} form="exact" /> },
  { id: 'severity', title: 'Severity', width: 88, cell: (row) => <Severity row={row} /> },
  { id: 'type', title: 'Type', width: 162, look: 'name', cell: (row) => <Text value={row.type} /> },
  { id: 'detection', title: 'Detection', width: 140, yields: 1, cell: (row) => <Text value={row.detection} /> },
  { id: 'outcome', title: 'Outcome', width: 122, cell: (row) => <Outcome row={row} /> },
  { id: 'computer', title: 'Computer', width: 122, cell: (row) => <Text value={row.hostname} /> },
  { id: 'user', title: 'User', width: 100, yields: 4, cell: (row) => <Text value={row.user} /> },
  { id: 'file', title: 'File', width: 130, yields: 2, cell: (row) => <File row={row} /> },
  {
    id: 'remote',
    title: 'Remote, URL',
    width: 130,
    yields: 3,
    look: 'mono',
    cell: (row) => <Text value={row.url ?? row.remote} />,
  },
];

/** Where rows are gathered by a value: how much each stands for is beside its time. */
export const gatheredColumns: readonly TableColumn<EventRow>[] = eventColumns.flatMap((column) =>
  column.id === 'at'
    ? [column, { id: 'gathered', title: 'Stands for', width: 156, cell: (row) => <Gathered row={row} /> }]
    : [column],
);

function Gathered({ row: { gathered } }: { readonly row: EventRow }) {
  if (gathered === undefined) return null;
  return <span title={`${gatheredInWords(gathered)} since ${gathered.since}`}>{gatheredInWords(gathered)}</span>;
}

export function Severity({ row }: { readonly row: Pick<EventRow, 'severity'> }) {
  const { shape, word, tone } = severityWords[row.severity];
  return (
    <span className={styles['severity']} data-tone={tone}>
      <span aria-hidden="true">{shape}</span> {word}
    </span>
  );
}

export function Outcome({ row }: { readonly row: Pick<EventRow, 'outcome'> }) {
  if (row.outcome === null) return null;
  const { shape, word, tone } = outcomeWords[row.outcome];
  return (
    <Tag tone={tone}>
      <span aria-hidden="true">{shape}</span> {word}
    </Tag>
  );
}

function File({ row }: { readonly row: EventRow }) {
  return <span title={row.filePath ?? row.fileName ?? ''}>{row.fileName ?? ''}</span>;
}

/** A text that may be cut: the whole of it is its title. */
function Text({ value }: { readonly value: string | null }) {
  return <span title={value ?? ''}>{value ?? ''}</span>;
}
