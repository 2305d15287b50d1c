import { useQuery } from '@tanstack/react-query';
import { useMemo, type Ref } from 'react';

import { eventSeverities, type EventHistogram, type EventStoreState } from '#shared/contract/events.ts';

import { useActiveConnection } from '../../api/active.tsx';
import { useApi } from '../../api/ApiProvider.tsx';
import { asCordonError } from '../../api/errors.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { Histogram, type HistogramHandle } from '../../ui/chart/Histogram.tsx';
import { useTimeZone } from '../../ui/Clock.tsx';
import { Link } from '../../ui/Link.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { formatCount, formatExact } from '../../ui/time.ts';
import styles from './EventsScreen.module.css';
import { eventSpans, type EventSpan } from './search.ts';
import { spanSpecs, type Times } from './span.ts';
import { missingCalls } from './state-words.ts';

const tones = { critical: 'bad', high: 'warn', medium: 'accent', low: 'dim', none: 'faint' } as const;
const unit = ['event', 'events'] as const;

interface EventsPictureProps {
  readonly filter: string;
  readonly span: EventSpan;
  readonly pictured: Times;
  readonly brush: { readonly from: string; readonly to: string } | null;
  readonly onSpan: (span: EventSpan) => void;
  readonly onBrush: (range: EventsPictureProps['brush']) => void;
  /** Enter on a chosen time: to its rows. */
  readonly onOpen: () => void;
  readonly state: EventStoreState | undefined;
  /** Reads what is missing of so many days. */
  readonly onReadMissing: (days: number) => void;
  readonly handle: Ref<HistogramHandle>;
}

/** Matching events over time by severity. A time chosen in it is the time of the rows. */
export function EventsPicture(props: EventsPictureProps) {
  const { filter, span, pictured, brush, onSpan, onBrush, onOpen, handle } = props;
  const { queries } = useApi();
  const { id: connection } = useActiveConnection();
  const { data, error, refetch } = useQuery(
    queries.events.histogram.queryOptions({
      input: { connection, filter, ...pictured, steps: spanSpecs[span].steps },
      placeholderData: (old) => old,
    }),
  );
  const series = useMemo(
    () =>
      data === undefined ? [] : eventSeverities.map((name) => ({ name, tone: tones[name], values: data.counts[name] })),
    [data],
  );
  if (data === undefined && error !== null)
    return (
      <Banner
        tone="warning"
        action={
          <Button size="small" onPress={() => void refetch()}>
            Try again
          </Button>
        }
      >
        The picture could not be drawn: {asCordonError(error).message}
      </Banner>
    );
  if (data === undefined) return <Skeleton width="100%" height={170} />;
  return (
    <div className={styles['picture']}>
      <Histogram
        title="Events by severity"
        from={data.from}
        stepMs={data.stepMs}
        series={series}
        unit={unit}
        brush={brush}
        onBrush={onBrush}
        onOpen={(range) => {
          onBrush(range);
          onOpen();
        }}
        gaps={data.gaps}
        height={104}
        empty={`No event ${filter === '' ? 'in' : 'matches in'} ${spanSpecs[span].words}.`}
        fileName="events-by-severity"
        handle={handle}
        controls={<SpanSwitch span={span} onSpan={onSpan} />}
      />
      <Note {...props} countedFrom={data.exact ? null : data.countedFrom} gaps={gapWords(data)} />
    </div>
  );
}

/** Where nothing is drawn, nothing is hatched either. */
function gapWords({ gaps, counts }: Pick<EventHistogram, 'gaps' | 'counts'>): string | null {
  if (gaps.length === 0) return null;
  const isDrawn = eventSeverities.some((name) => counts[name].some((count) => count > 0));
  return isDrawn ? 'Hatched times were never read.' : 'Parts of this time were never read.';
}

type NoteProps = EventsPictureProps & { readonly countedFrom: string | null; readonly gaps: string | null };

function Note({ brush, onBrush, countedFrom, gaps, state, onReadMissing }: NoteProps) {
  const zone = useTimeZone();
  const calls = state === undefined || state.phase === 'loading' ? null : missingCalls(state);
  return (
    <p className={styles['hint']} role="status">
      {brush === null ? null : (
        <span>
          Chosen: {formatExact(brush.from, zone)} to {formatExact(brush.to, zone)}{' '}
          <Link onPress={() => onBrush(null)}>Choose none</Link>
        </span>
      )}
      {countedFrom === null ? null : <span>Counted back to {formatExact(countedFrom, zone)} only.</span>}
      {gaps === null ? null : (
        <span>
          {gaps}{' '}
          {calls === null || state === undefined ? null : (
            <Link onPress={() => onReadMissing(state.keptDays)}>
              Read what is missing of {state.keptDays} days, about {formatCount(calls)} {calls === 1 ? 'call' : 'calls'}
            </Link>
          )}
        </span>
      )}
    </p>
  );
}

function SpanSwitch({ span, onSpan }: { readonly span: EventSpan; readonly onSpan: (span: EventSpan) => void }) {
  return (
    <span className={styles['switch']} role="group" aria-label="Time span">
      {eventSpans.map((each) => (
        <button key={each} type="button" aria-pressed={each === span} onClick={() => onSpan(each)}>
          {spanSpecs[each].title}
        </button>
      ))}
    </span>
  );
}
