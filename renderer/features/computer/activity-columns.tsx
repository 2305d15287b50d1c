import type { EventRow } from '#shared/contract/events.ts';

import { outcomeWords, severityWords } from '../../ui/event-words.ts';
import type { TableColumn } from '../../ui/table/types.ts';
import { Tag } from '../../ui/Tag.tsx';
import { Time } from '../../ui/Time.tsx';
import styles from './ComputerScreen.module.css';

export const activityColumns: readonly TableColumn<EventRow>[] = [
  { id: 'at', title: 'Time', width: 174, isFixed: true, look: 'dim', cell: (row) => <Time at={row.at} form="exact" /> },
  { id: 'severity', title: 'Severity', width: 92, isFixed: true, yields: 1, cell: (row) => <Severity row={row} /> },
  { id: 'what', title: 'What', width: 280, look: 'name', cell: (row) => <Text value={whatOf(row)} /> },
  { id: 'outcome', title: 'Outcome', width: 126, isFixed: true, cell: (row) => <Outcome row={row} /> },
  { id: 'file', title: 'File', width: 104, yields: 2, cell: (row) => <Text value={row.fileName} /> },
  { id: 'user', title: 'User', width: 110, yields: 3, look: 'dim', cell: (row) => <Text value={row.user} /> },
];

/** An event in words, as it is announced. */
export function describeActivity(row: EventRow): string {
  return [whatOf(row), row.severity === 'none' ? null : `severity ${row.severity}`, row.outcome, row.fileName, row.at]
    .filter((part) => part !== null)
    .join(', ');
}

function whatOf({ detection, type }: EventRow): string {
  return detection === null ? type : `${detection} · ${type}`;
}

function Severity({ row }: { readonly row: EventRow }) {
  const { shape, word, tone } = severityWords[row.severity];
  return row.severity === 'none' ? (
    ''
  ) : (
    <span className={styles['severity']} data-tone={tone}>
      <span aria-hidden="true">{shape}</span> {word}
    </span>
  );
}

function Outcome({ row }: { readonly row: EventRow }) {
  if (row.outcome === null) return null;
  const { shape, word, tone } = outcomeWords[row.outcome];
  return (
    <Tag tone={tone}>
      <span aria-hidden="true">{shape}</span> {word}
    </Tag>
  );
}

function Text({ value }: { readonly value: string | null }) {
  return <span title={value ?? ''}>{value ?? ''}</span>;
}
