import type { RequestEntry } from '#shared/contract/instances.ts';
import { formatMeasured } from '#shared/text/durations.ts';
import { formatBytes } from '#shared/text/numbers.ts';

import type { TableColumn } from '../../ui/table/types.ts';
import { cx } from '../../ui/cx.ts';
import { Time } from '../../ui/Time.tsx';
import { Tag } from '../../ui/Tag.tsx';
import { PhaseBar } from './PhaseBar.tsx';
import { isCut, isFailure, totalMs } from './request-log.ts';
import styles from './RequestsTab.module.css';
import { t } from './text.ts';
import { endWords, sourceWords } from './words.ts';

export const requestColumns: readonly TableColumn<RequestEntry>[] = [
  { id: 'at', title: 'Time', width: 94, look: 'dim', cell: ({ at }) => <Time at={at} form="clock" /> },
  { id: 'status', title: 'Status', width: 60, cell: (entry) => <Status entry={entry} /> },
  { id: 'method', title: 'Method', width: 66, look: 'mono', cell: ({ method }) => method },
  { id: 'path', title: 'Path', width: 170, look: 'mono', cell: (entry) => <Path entry={entry} /> },
  { id: 'phases', title: 'Phases', width: 96, yields: 1, cell: (entry) => <PhaseBar entry={entry} /> },
  { id: 'took', title: 'Duration', width: 70, align: 'end', cell: (entry) => formatMeasured(totalMs(entry)) },
  { id: 'sent', title: 'Sent', width: 70, yields: 2, align: 'end', look: 'dim', cell: ({ sent }) => formatBytes(sent) },
  { id: 'end', title: 'Result', width: 84, cell: (entry) => <Ended entry={entry} /> },
  { id: 'client', title: 'Client', width: 110, yields: 3, look: 'mono', cell: ({ client }) => client },
];

function Status({ entry }: { readonly entry: RequestEntry }) {
  const { status } = entry;
  const tone = status >= 500 ? 'bad' : status >= 400 ? 'warn' : 'ok';
  return <span className={cx(styles['code'], styles[tone])}>{status === 0 ? '–' : status}</span>;
}

function Path({ entry }: { readonly entry: RequestEntry }) {
  const word = sourceWords[entry.source];
  return (
    <span className={styles['path']} title={entry.path}>
      <span className={styles['cut']}>{restOf(entry.path)}</span>
      {word === '' || entry.source === 'cordon' ? null : <Tag tone="hold">{word}</Tag>}
      {entry.alias === null ? null : <Tag tone="warn">{t.oldName}</Tag>}
    </span>
  );
}

/** What the instance is asked for: every request of its log has the part before it. */
function restOf(path: string): string {
  const rest = /\/instance\/execute\/[^/]*(.*)$/.exec(path)?.[1];
  return rest === undefined ? path : rest === '' ? '/' : rest;
}

function Ended({ entry }: { readonly entry: RequestEntry }) {
  return (
    <span className={isCut(entry) ? styles['bad'] : styles['dim']} title={entry.reason ?? undefined}>
      {endWords[entry.endedBy]}
    </span>
  );
}

/** A request in words, as it is announced. */
export function describeRequest(entry: RequestEntry): string {
  const end = isCut(entry) ? `, cut short by ${endWords[entry.endedBy]}` : '';
  const reason = entry.reason === null ? '' : `, ${entry.reason}`;
  const failed = isFailure(entry) ? 'failed: ' : '';
  return `${failed}${entry.method} ${entry.path}, ${entry.status}, ${formatMeasured(totalMs(entry))}${end}${reason}`;
}
