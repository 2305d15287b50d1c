import { useState } from 'react';

import styles from './Chart.module.css';
import { axisTop, barsOf, foldTo, lineOf } from './chart-shapes.ts';
import { cx } from './cx.ts';
import { Time } from './Time.tsx';

export interface ChartSeries {
  readonly name: string;
  /** One value per step, oldest first; `null` where there is none. */
  readonly values: readonly (number | null)[];
  readonly form: 'bars' | 'line';
  readonly tone: 'accent' | 'bad' | 'dim';
  /** How steps become one row of the table: counts are added, times take the worst. */
  readonly fold: 'sum' | 'max';
}

export interface ChartProps {
  readonly title: string;
  /** What the picture says, in a sentence: its accessible name. */
  readonly summary: string;
  readonly series: readonly ChartSeries[];
  /** ISO 8601 of the first step, and the length of one in seconds. */
  readonly from: string;
  readonly stepS: number;
  readonly format: (value: number) => string;
  /** Shown in place of the picture while there is nothing to draw. */
  readonly empty: string;
}

/** Rows of the table are this long, in seconds. */
const rowS = 300;

/** Values over time as a small picture, or as a table with the same values. */
export function Chart(props: ChartProps) {
  const [isTable, setTable] = useState(false);
  const { title, series } = props;
  return (
    <figure className={styles['chart']}>
      <figcaption className={styles['head']}>
        <span className={styles['title']}>{title}</span>
        {series.map(({ name, tone, form }) => (
          <span key={name} className={styles['legend']}>
            <span className={cx(styles['swatch'], styles[tone], styles[form])} aria-hidden="true" />
            {name}
          </span>
        ))}
        <button
          type="button"
          className={styles['switch']}
          aria-pressed={isTable}
          aria-label={`${title} as a table`}
          onClick={() => setTable(!isTable)}
        >
          table
        </button>
      </figcaption>
      {isTable ? <Twin {...props} /> : <Picture {...props} />}
    </figure>
  );
}

function Picture({ summary, series, from, stepS, format, empty }: ChartProps) {
  const steps = Math.max(1, ...series.map(({ values }) => values.length));
  const top = axisTop(Math.max(0, ...series.flatMap(({ values }) => values.map((value) => value ?? 0))));
  const isEmpty = series.every(({ values }) => values.every((value) => value === null || value === 0));
  const start = Date.parse(from);
  const at = (share: number) => new Date(start + share * steps * stepS * 1000).toISOString();
  return (
    <>
      <div className={styles['plot']}>
        <span className={styles['top']} aria-hidden="true">
          {isEmpty ? '' : format(top)}
        </span>
        <svg viewBox={`0 0 ${steps} 100`} preserveAspectRatio="none" role="img" aria-label={summary}>
          {series.map(({ name, values, form, tone }) => (
            <path
              key={name}
              className={cx(styles[form], styles[tone])}
              d={form === 'bars' ? barsOf(values, top) : lineOf(values, top)}
            />
          ))}
        </svg>
        {isEmpty ? <span className={styles['empty']}>{empty}</span> : null}
      </div>
      <div className={styles['axis']} aria-hidden="true">
        <Time at={at(0)} form="clock" />
        <Time at={at(0.5)} form="clock" />
        <span>now</span>
      </div>
    </>
  );
}

function Twin({ title, series, from, stepS, format }: ChartProps) {
  const each = Math.round(rowS / stepS);
  const folded = series.map(({ values, fold }) => foldTo(values, each, fold));
  const start = Date.parse(from);
  const rows = Array.from({ length: folded[0]?.length ?? 0 }, (_, index) => index).toReversed();
  return (
    <div className={styles['scroll']} tabIndex={0} role="region" aria-label={`${title}, as a table`}>
      <table className={styles['table']}>
        <thead>
          <tr>
            <th scope="col">From</th>
            {series.map(({ name }) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row}>
              <th scope="row">
                <Time at={new Date(start + row * rowS * 1000).toISOString()} form="clock" />
              </th>
              {series.map(({ name }, index) => {
                const value = folded[index]?.[row] ?? null;
                return <td key={name}>{value === null ? '–' : format(value)}</td>;
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
