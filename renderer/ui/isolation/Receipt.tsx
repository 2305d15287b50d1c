import type { ReactNode } from 'react';

import { glanceOf, isolationGlances, type IsolationReceipt } from '#shared/model/isolation.ts';

import { Time } from '../Time.tsx';
import { cx } from '../cx.ts';
import styles from './Receipt.module.css';

type Step = 'done' | 'waiting' | 'failed' | 'none';

const marks: Readonly<Record<Step, { readonly shape: string; readonly word: string }>> = {
  done: { shape: '✓', word: 'done' },
  waiting: { shape: '◔', word: 'waiting' },
  failed: { shape: '✕', word: 'failed' },
  none: { shape: '–', word: 'not yet' },
};

/** Requested, accepted and observed: three facts with three times, none of them guessed. */
export function Receipt({ receipt }: { readonly receipt: IsolationReceipt }) {
  const { requested, accepted, refused, observed, checked } = receipt;
  return (
    <ol className={styles['receipt']}>
      <Line step="done" title="Requested" at={requested.at}>
        by {requested.by}
        {requested.reason === '' ? '' : `: “${requested.reason}”`}
      </Line>
      {refused === undefined ? (
        <Line step={accepted === undefined ? 'waiting' : 'done'} title="Accepted" at={accepted?.at ?? null}>
          {accepted === undefined ? 'waiting for the service' : acceptedText(accepted)}
        </Line>
      ) : (
        <Line step="failed" title={refused.unknown ? 'Unknown' : 'Refused'} at={refused.at}>
          {refused.message}
        </Line>
      )}
      <Line step={observedStep(receipt)} title="Observed" at={observed?.at ?? null}>
        {observed !== undefined
          ? observedText(receipt.action, observed.state)
          : refused !== undefined && !refused.unknown
            ? 'nothing was changed'
            : 'waiting for the agent'}
        {checked === undefined ? null : (
          <span className={styles['checked']}>
            {' '}
            · last seen {wordOf(checked.state)}, <Time at={checked.at} />
          </span>
        )}
      </Line>
    </ol>
  );
}

function observedStep({ action, observed, refused }: IsolationReceipt): Step {
  const wanted = action === 'isolate' ? 'isolated' : 'not_isolated';
  if (observed !== undefined) return observed.state === wanted ? 'done' : 'failed';
  return refused !== undefined && !refused.unknown ? 'none' : 'waiting';
}

function acceptedText({ status, requestId }: NonNullable<IsolationReceipt['accepted']>): string {
  const parts = [
    status === undefined ? null : `HTTP ${status}`,
    requestId === undefined ? null : `request ${requestId.slice(0, 8)}…`,
  ];
  return parts.filter((part) => part !== null).join(' · ') || 'by the service';
}

function observedText(action: IsolationReceipt['action'], state: string): string {
  if (action === 'isolate' && state === 'not_isolated')
    return 'isolation did not start: the agent reported not isolated';
  if (action === 'release' && state === 'isolated') return 'the release did not happen: the agent reported isolated';
  return wordOf(state);
}

/** A state in words; what the service says beyond the four is shown as it is. */
function wordOf(status: string): string {
  const glance = glanceOf({ available: true, status });
  return glance === 'unknown' ? status : isolationGlances[glance].word;
}

function Line({
  step,
  title,
  at,
  children,
}: {
  readonly step: Step;
  readonly title: string;
  readonly at: string | null;
  readonly children: ReactNode;
}) {
  return (
    <li className={styles['line']}>
      <span className={cx(styles['mark'], styles[step])} role="img" aria-label={marks[step].word}>
        {marks[step].shape}
      </span>
      <b className={styles['title']}>{title}</b>
      <span className={styles['text']}>{children}</span>
      <span className={styles['at']}>{at === null ? '—' : <Time at={at} form="clock" />}</span>
    </li>
  );
}
