import type { EventStoreState } from '#shared/contract/events.ts';
import { errorFromReport, type CordonError } from '#shared/contract/errors.ts';
import { formatCount } from '#shared/text/numbers.ts';

import { Button } from '../../ui/Button.tsx';
import { EmptyState, ErrorState, ScreenErrorState } from '../../ui/EmptyState.tsx';
import { FailureBanner } from '../../ui/FailureBanner.tsx';
import { Reason } from '../../ui/Reason.tsx';
import { Time } from '../../ui/Time.tsx';
import { callsOf } from './state-words.ts';

interface StateProps {
  readonly state: EventStoreState | undefined;
  readonly onRefresh: () => void;
}

/** Tells when the rows are not the whole truth: a reading that stopped early, or did not come at all. */
export function StateBanner({ state, onRefresh }: StateProps) {
  if (state === undefined || state.stored === 0) return null;
  if (state.phase !== 'partial' && state.phase !== 'failed') return null;
  // A reading that fails at once is partial as well when there are rows of earlier ones.
  const failed = state.phase === 'failed' || (state.error !== null && state.read === 0);
  return (
    <FailureBanner
      error={state.error}
      action={
        <Button size="small" onPress={onRefresh}>
          {failed ? 'Try again' : 'Read on'}
        </Button>
      }
    >
      {failed ? 'Could not refresh the events: ' : 'Not all of the events could be loaded: '}
      <Reason error={state.error} otherwise={failed ? 'no answer' : 'there are more than one refresh loads'} /> You see
      local data. The newest event is <Time at={state.newest} form="age" focusable /> old.
    </FailureBanner>
  );
}

interface NoEventsProps extends StateProps {
  /** Of the local copy, not of the service. */
  readonly error: CordonError | null;
  readonly onRetry: () => void;
  readonly filter: string;
  /** Whether a span or a chosen time restricts the rows. */
  readonly isTimed: boolean;
  readonly onShowAll: () => void;
  /** The same filter, without a span or a chosen time. */
  readonly onAllTime: () => void;
}

/** Why there is no row: it failed, nothing matches, nothing was read, or there is nothing at all. */
export function NoEvents({ state, onRefresh, error, onRetry, filter, isTimed, onShowAll, onAllTime }: NoEventsProps) {
  if (error !== null) return <ErrorState error={error} title="Could not load local data" onRetry={onRetry} />;
  if (state === undefined) return null;
  if (state.stored > 0) {
    const all = formatCount(state.stored);
    return (
      <EmptyState
        title="No event matches"
        action={
          <>
            {filter !== '' && isTimed ? <Button onPress={onAllTime}>Look in all of the time</Button> : null}
            <Button onPress={onShowAll}>Show all {all}</Button>
          </>
        }
      >
        None of the {all} stored events matches {filter === '' ? 'the chosen time' : `“${filter}”`}
        {filter !== '' && isTimed ? ' in the chosen time' : ''}.
      </EmptyState>
    );
  }
  if (state.error !== null)
    return (
      <ScreenErrorState error={errorFromReport(state.error)} title="Could not load the events" onRetry={onRefresh} />
    );
  if (state.phase === 'empty')
    return (
      <EmptyState
        title="Events have not been loaded yet"
        action={<Button onPress={onRefresh}>Read events · {callsOf(state)}</Button>}
      >
        Load the events of the last few days. Filters and charts use local data only.
      </EmptyState>
    );
  return (
    <EmptyState title="No events" action={<Button onPress={onRefresh}>Refresh · {callsOf(state)}</Button>}>
      The service has no events in the loaded period.
    </EmptyState>
  );
}
