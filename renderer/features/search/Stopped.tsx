import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { Reason } from '../../ui/Reason.tsx';
import type { Activity } from './use-activity.ts';

/** Why an answer stopped, and the way on. */
export function Stopped({ activity }: { readonly activity: Activity }) {
  const { answer, isAsking, ask, error } = activity;
  if (isAsking) return null;
  if (error !== null)
    return (
      <Banner
        tone={error.code === 'rate_limited' ? 'warning' : 'bad'}
        action={
          <Button size="small" onPress={() => ask(false)}>
            Try again
          </Button>
        }
      >
        The service could not be asked: <Reason error={error} />
      </Banner>
    );
  if (answer === null || answer === undefined || answer.phase !== 'partial') return null;
  const left =
    answer.callsLeft === null ? '1 call or more' : `${answer.callsLeft} ${answer.callsLeft === 1 ? 'call' : 'calls'}`;
  return (
    <Banner
      tone="warning"
      action={
        <Button size="small" onPress={() => ask(true)}>
          Go on · {left}
        </Button>
      }
    >
      {answer.error === null ? 'It was stopped.' : <Reason error={answer.error} />}{' '}
      {answer.computers.length === 0
        ? 'Nothing came yet.'
        : `These are the first ${answer.computers.length}${answer.total === null ? '' : ` of ${answer.total}`} computers.`}
    </Banner>
  );
}
