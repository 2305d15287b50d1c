import { useEffect, useRef, useState } from 'react';

import { probeStages, type InstanceRow, type ProbeResult } from '#shared/contract/instances.ts';
import { formatMeasured } from '#shared/text/durations.ts';

import { useApi } from '../../api/ApiProvider.tsx';
import { each } from '../../api/each.ts';
import { asCordonError } from '../../api/errors.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { cx } from '../../ui/cx.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import styles from './ProbeDialog.module.css';
import { t } from './text.ts';

const titles: Readonly<Record<ProbeResult['stage'], string>> = {
  server: 'Server runs',
  exposed: 'Exposed',
  tcp: 'Connection',
  tls: 'TLS',
  access: 'Access',
  instance: 'Instance',
  answer: 'Answer',
};

const marks: Readonly<Record<ProbeResult['outcome'], { readonly shape: string; readonly word: string }>> = {
  ok: { shape: '✓', word: 'good' },
  warning: { shape: '!', word: 'warning' },
  failed: { shape: '✕', word: 'failed' },
  skipped: { shape: '–', word: 'skipped' },
};

/** Calls the route as a client would, and shows what the client meets on its way. */
export function ProbeDialog({ row, onClose }: { readonly row: InstanceRow; readonly onClose: () => void }) {
  const { id, name } = row.instance;
  const probe = useProbe(id);
  return (
    <Dialog
      title={t.probeOf(name)}
      isOpen
      onClose={onClose}
      footer={
        <>
          <Button onPress={probe.start} reason={probe.isRunning ? t.probeRunning : null}>
            {t.probeAgain}
          </Button>
          <Button tone="primary" autoFocus onPress={onClose}>
            {t.close}
          </Button>
        </>
      }
    >
      <p className={styles['what']}>{t.getComputer(row.route)}</p>
      <ol className={styles['stages']} aria-label={t.resultProbe} aria-live="polite" aria-busy={probe.isRunning}>
        {probeStages.map((stage) => (
          <Stage
            key={stage}
            title={titles[stage]}
            result={probe.results.find((result) => result.stage === stage)}
            isRunning={probe.isRunning}
          />
        ))}
      </ol>
      {probe.failure === null ? null : (
        <Banner tone="bad">
          {t.couldNotRun} {probe.failure}
        </Banner>
      )}
    </Dialog>
  );
}

interface StageProps {
  readonly title: string;
  readonly result: ProbeResult | undefined;
  readonly isRunning: boolean;
}

function Stage({ title, result, isRunning }: StageProps) {
  const mark = result === undefined ? null : marks[result.outcome];
  return (
    <li className={styles['stage']}>
      <span
        className={cx(styles['mark'], result !== undefined && styles[result.outcome])}
        {...(mark === null ? { 'aria-hidden': true } : { role: 'img', 'aria-label': mark.word })}
      >
        {mark?.shape ?? '·'}
      </span>
      <b>{title}</b>
      <span className={styles['said']}>
        {result === undefined ? isRunning ? <Skeleton width="50%" /> : t.skippedInline : result.message}
      </span>
      <span className={styles['time']}>{result?.durationMs == null ? '' : formatMeasured(result.durationMs)}</span>
    </li>
  );
}

/** Runs at once, and stops when the dialog goes. */
function useProbe(id: string) {
  const { client } = useApi();
  const [results, setResults] = useState<readonly ProbeResult[]>([]);
  const [isRunning, setRunning] = useState(true);
  const [failure, setFailure] = useState<string | null>(null);
  const [attempt, setAttempt] = useState(0);
  const seen = useRef<readonly ProbeResult[]>([]);
  useEffect(() => {
    const stop = new AbortController();
    const run = async () => {
      seen.current = [];
      setResults([]);
      setFailure(null);
      setRunning(true);
      try {
        for await (const result of each(await client.instances.probe({ id }, { signal: stop.signal }))) {
          if (stop.signal.aborted) return;
          seen.current = [...seen.current, result];
          setResults(seen.current);
        }
      } catch (thrown) {
        if (!stop.signal.aborted) setFailure(asCordonError(thrown).message);
      }
      if (!stop.signal.aborted) setRunning(false);
    };
    void run();
    return () => stop.abort();
  }, [client, id, attempt]);
  return { results, isRunning, failure, start: () => setAttempt((old) => old + 1) };
}
