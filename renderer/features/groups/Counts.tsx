import type { CSSProperties } from 'react';

import { formatCount } from '../../ui/time.ts';
import { shareOf } from './group-facts.ts';
import styles from './Counts.module.css';

interface CountProps {
  readonly own: number;
  /** Own and those below. */
  readonly all: number;
  /** What a full bar stands for. */
  readonly whole: number;
  readonly tone: 'plain' | 'bad' | 'hold';
  readonly title: string;
}

/** How many of its own, and with those below, over a small bar of its share. */
export function Count({ own, all, whole, tone, title }: CountProps) {
  const style: CSSProperties = { width: `${shareOf(all, whole)}%` };
  return (
    <span className={styles['count']} data-tone={all === 0 ? 'none' : tone} title={title}>
      <span className={styles['numbers']}>
        {formatCount(own)}
        {own === all ? null : <span className={styles['all']}> / {formatCount(all)}</span>}
      </span>
      <span className={styles['bar']} aria-hidden="true">
        <span className={styles['fill']} style={style} />
      </span>
    </span>
  );
}
