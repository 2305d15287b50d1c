import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';

import { formatCount } from '#shared/text/numbers.ts';

import { useApi } from '../../api/ApiProvider.tsx';
import { asCordonError } from '../../api/errors.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Histogram } from '../../ui/chart/Histogram.tsx';
import { TimeLanes, type LaneKind } from '../../ui/chart/TimeLanes.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import styles from './IncidentLogScreen.module.css';
import { barsOf, lanesOf } from './picture-shapes.ts';
import type { IncidentLogSearch } from './search.ts';
import { t } from './text.ts';
import { useQuestion } from './use-log-entries.ts';

interface LogPicturesProps {
  readonly search: IncidentLogSearch;
  readonly onChange: (next: Partial<IncidentLogSearch>) => void;
}

const unit = ['change', 'changes'] as const;

/** Kinds of entries that are about hosts, as `kindWords` names them. */
const kinds: readonly LaneKind[] = [
  { name: 'requested', tone: 'dim', shape: 'emptyCircle' },
  { name: 'succeeded', tone: 'ok', shape: 'circle' },
  { name: 'failed', tone: 'bad', shape: 'triangle' },
  { name: 'unknown', tone: 'warn', shape: 'triangle' },
  { name: 'observed', tone: 'hold', shape: 'rect' },
  { name: 'revealed', tone: 'warn', shape: 'emptyRect' },
  { name: 'note', tone: 'accent', shape: 'emptyRect' },
  { name: 'pinned', tone: 'accent', shape: 'diamond' },
  { name: 'lease', tone: 'faint', shape: 'rect' },
];

/** Which hosts the matching entries are about, and how much each person changed in each hour. */
export function LogPictures({ search, onChange }: LogPicturesProps) {
  const { queries } = useApi();
  // A time that was chosen here stays a part of the picture.
  const input = useQuestion({ ...search, from: undefined, to: undefined });
  const { data, error } = useQuery(queries.log.picture.queryOptions({ input, placeholderData: (old) => old }));
  const lanes = useMemo(() => lanesOf(data?.lanes ?? []), [data]);
  const bars = useMemo(() => barsOf(data?.writes ?? [], data?.stepHours ?? 1), [data]);
  if (error !== null && data === undefined)
    return (
      <Banner tone="warning">
        {t.couldNotLoadCharts} {asCordonError(error).message}
      </Banner>
    );
  if (data === undefined) return <Skeleton width="100%" height={150} />;
  const hidden = data.hosts - lanes.length;
  const { from, to } = search;
  return (
    <div className={styles['pictures']}>
      <TimeLanes
        title={t.hostsOther}
        lanes={lanes}
        kinds={kinds}
        more={hidden > 0 ? t.furtherHosts(formatCount(hidden)) : ''}
        onMark={(entry) => onChange({ entry })}
        onLane={(target) => onChange({ target })}
        empty={t.noMatching}
        fileName="log-hosts"
      />
      <Histogram
        title={t.changesByPerson}
        from={bars.from}
        stepMs={bars.stepMs}
        series={bars.series}
        unit={unit}
        brush={from === undefined || to === undefined ? null : { from, to }}
        onBrush={(range) => onChange({ from: range?.from, to: range?.to })}
        empty={t.noChangesAmong}
        fileName="log-changes"
      />
    </div>
  );
}
