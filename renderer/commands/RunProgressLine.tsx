import type { RunProgress } from '#shared/contract/live.ts';
import { formatCount } from '#shared/text/numbers.ts';

import { useProgress } from '../api/hooks.ts';
import { ProgressLine } from '../ui/ProgressLine.tsx';
import { Countdown, Time } from '../ui/Time.tsx';
import styles from './RunProgressLine.module.css';

/** What a running command is doing, and *Stop*. `since` in milliseconds since 1970. */
export function RunProgressLine({
  run,
  since,
  onStop,
}: {
  readonly run: string;
  readonly since: number;
  readonly onStop: () => void;
}) {
  const progress = useProgress(run);
  return (
    <ProgressLine since={since} onStop={onStop}>
      {progress === null ? 'Asking the service' : <Doing progress={progress} />}
    </ProgressLine>
  );
}

function Doing({ progress }: { readonly progress: RunProgress }) {
  switch (progress.kind) {
    case 'pages':
      return (
        <>{`Read page ${formatCount(progress.read)}${progress.total === null ? '' : ` of ${formatCount(progress.total)}`} · ${formatCount(progress.records)} records`}</>
      );
    case 'waiting_for_budget':
      return (
        <strong className={styles['loud']}>
          Waiting for the API limit: resumes at <Time at={progress.until} form="clock" />, in{' '}
          <Countdown to={progress.until} />
        </strong>
      );
    case 'retrying':
      return (
        <>{`Attempt ${progress.attempt} of ${progress.of} in ${Math.ceil(progress.inMs / 1000)} s: ${progress.because}`}</>
      );
    case 'polling':
      return (
        <>
          The state is {progress.state}; asks again until <Time at={progress.until} form="clock" />
        </>
      );
  }
}
