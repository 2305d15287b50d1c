import type { RunProgress } from '#shared/contract/live.ts';

import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { Countdown } from '../../ui/Time.tsx';
import type { CommandRun } from './use-command.ts';

/** What became of a command: waiting, refused, failed, or nobody knows. Success closes the dialog. */
export function OutcomeNote({ run }: { readonly run: CommandRun }) {
  const { outcome, progress } = run;
  if (outcome.kind === 'running') {
    return (
      <Banner
        action={
          <Button size="small" onPress={run.stop}>
            Stop
          </Button>
        }
      >
        <Progress progress={progress} />
      </Banner>
    );
  }
  if (outcome.kind !== 'failed') return null;
  const { error } = outcome;
  return (
    <Banner tone={error.code === 'outcome_unknown' ? 'warning' : 'bad'}>
      {error.message}
      {error.details.fix === undefined ? '' : ` ${error.details.fix}`}
      {error.details.service === undefined || error.message.includes(error.details.service)
        ? ''
        : ` The service said: ${error.details.service}`}
    </Banner>
  );
}

function Progress({ progress }: { readonly progress: RunProgress | null }) {
  if (progress?.kind === 'waiting_for_budget') {
    return (
      <>
        The request budget is spent; it is sent in <Countdown to={progress.until} />.
      </>
    );
  }
  if (progress?.kind === 'retrying')
    return `No good answer (${progress.because}); attempt ${progress.attempt} of ${progress.of}.`;
  return 'Waiting for the service…';
}
