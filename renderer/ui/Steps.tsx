import type { ReactNode } from 'react';

import { cx } from './cx.ts';
import styles from './isolation/Receipt.module.css';
import { Time } from './Time.tsx';

export interface StepLine {
  readonly title: 'Requested' | 'Accepted' | 'Observed';
  readonly state: 'done' | 'waiting' | 'failed';
  readonly at: string | null;
  readonly text: ReactNode;
}

const marks = {
  done: { shape: '✓', word: 'done' },
  waiting: { shape: '◔', word: 'waiting' },
  failed: { shape: '✕', word: 'failed' },
} as const;

/** What became of a change: requested, accepted and observed are three facts, none of them guessed. */
export function Steps({ lines }: { readonly lines: readonly StepLine[] }) {
  return (
    <ol className={styles['receipt']} aria-label="What became of it" aria-live="polite">
      {lines.map(({ title, state, at, text }) => (
        <li key={title} className={styles['line']}>
          <span className={cx(styles['mark'], styles[state])} role="img" aria-label={marks[state].word}>
            {marks[state].shape}
          </span>
          <b className={styles['title']}>{title}</b>
          <span className={styles['text']}>{text}</span>
          <span className={styles['at']}>{at === null ? '—' : <Time at={at} form="clock" />}</span>
        </li>
      ))}
    </ol>
  );
}
