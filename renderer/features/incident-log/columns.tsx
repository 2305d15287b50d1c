import type { LogEntry } from '#shared/model/incident.ts';

import type { TableColumn } from '../../ui/table/types.ts';
import { Tag } from '../../ui/Tag.tsx';
import { Time } from '../../ui/Time.tsx';
import { kindWords, surfaceWords } from './entry-words.ts';

export const logColumns: readonly TableColumn<LogEntry>[] = [
  { id: 'at', title: 'Time', width: 172, look: 'dim', cell: (entry) => <Time at={entry.at} form="exact" /> },
  { id: 'kind', title: 'What', width: 118, cell: (entry) => <Kind entry={entry} /> },
  { id: 'message', title: 'Message', width: 272, cell: (entry) => <span title={entry.message}>{entry.message}</span> },
  {
    id: 'target',
    title: 'Target',
    width: 132,
    yields: 1,
    cell: (entry) => <span title={entry.target?.guid}>{entry.target?.label ?? ''}</span>,
  },
  {
    id: 'command',
    title: 'Command',
    width: 168,
    yields: 3,
    look: 'mono',
    cell: (entry) => <span title={entry.command ?? ''}>{entry.command ?? ''}</span>,
  },
  { id: 'operator', title: 'By', width: 84, yields: 2, look: 'dim', cell: (entry) => entry.operator },
  { id: 'surface', title: 'From', width: 118, yields: 4, look: 'dim', cell: (entry) => surfaceWords[entry.surface] },
];

function Kind({ entry }: { readonly entry: LogEntry }) {
  const { shape, word, tone } = kindWords[entry.kind];
  return (
    <Tag tone={tone}>
      <span aria-hidden="true">{shape}</span> {word}
    </Tag>
  );
}

/** An entry in words, as it is announced. */
export function describeEntry(entry: LogEntry): string {
  return `${kindWords[entry.kind].word}: ${entry.message}`;
}
