import { useEffect, useRef } from 'react';

import { testStages, testStageTitles, type TestResult } from '#shared/model/connection.ts';

import { Banner } from '../../ui/Banner.tsx';
import { cx } from '../../ui/cx.ts';
import { Skeleton } from '../../ui/Skeleton.tsx';
import styles from './connections.module.css';
import type { ConnectionTest } from './use-test.ts';

const marks = {
  ok: { shape: '✓', word: 'good' },
  warning: { shape: '!', word: 'warning' },
  failed: { shape: '✕', word: 'failed' },
  skipped: { shape: '–', word: 'not tried' },
} as const;

/** Each stage of *Test* with its result, from the address to the budget. */
export function TestResults({ test }: { readonly test: ConnectionTest }) {
  const end = useRef<HTMLOListElement>(null);
  // In a long form they come in below what is in view.
  useEffect(() => {
    if (test.isRunning || test.results.length > 0) end.current?.scrollIntoView({ block: 'nearest' });
  }, [test.isRunning, test.results.length]);
  if (test.failure !== null) return <Banner tone="bad">The test could not be run: {test.failure}</Banner>;
  if (test.results.length === 0 && !test.isRunning) return null;
  return (
    <ol
      ref={end}
      className={styles['stages']}
      aria-label="Result of the test"
      aria-live="polite"
      aria-busy={test.isRunning}
    >
      {testStages.map((stage) => (
        <Stage key={stage} title={testStageTitles[stage]} result={test.results.find((each) => each.stage === stage)} />
      ))}
    </ol>
  );
}

function Stage({ title, result }: { readonly title: string; readonly result: TestResult | undefined }) {
  const mark = result === undefined ? null : marks[result.verdict];
  return (
    <li className={styles['stage']}>
      <span
        className={cx(styles['mark'], result !== undefined && styles[result.verdict])}
        {...(mark === null ? { 'aria-hidden': true } : { role: 'img', 'aria-label': mark.word })}
      >
        {mark?.shape ?? '·'}
      </span>
      <b>{title}</b>
      <span className={styles['said']}>
        {result === undefined ? <Skeleton width="50%" /> : result.message}
        {result?.certificate === undefined ? null : <Certificate certificate={result.certificate} />}
      </span>
    </li>
  );
}

function Certificate({ certificate }: { readonly certificate: NonNullable<TestResult['certificate']> }) {
  return (
    <details className={styles['certificate']}>
      <summary>Show the certificate</summary>
      <dl>
        <dt>Issued to</dt>
        <dd>{certificate.subject}</dd>
        <dt>Issued by</dt>
        <dd>{certificate.issuer}</dd>
        <dt>Valid</dt>
        <dd>
          {certificate.validFrom} to {certificate.validTo}
        </dd>
        <dt>SHA-256</dt>
        <dd className={styles['mono']}>{certificate.fingerprint256}</dd>
      </dl>
    </details>
  );
}
