import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';

import type { FileListRow } from '#shared/contract/directory.ts';
import { formatCount } from '#shared/text/numbers.ts';

import { useActiveConnection } from '../../api/active.tsx';
import { useApi } from '../../api/ApiProvider.tsx';
import { asCordonError } from '../../api/errors.ts';
import { StackedBars, type BarSeries } from '../../ui/chart/StackedBars.tsx';
import { useFromNow } from '../../ui/Clock.tsx';
import { ErrorState } from '../../ui/EmptyState.tsx';
import { SkeletonLines } from '../../ui/Skeleton.tsx';
import { ageBarsOf, dayMs } from './ages.ts';
import styles from './FileLists.module.css';

const unit = ['hash', 'hashes'] as const;

/** How long the hashes of a list have been known here. */
export function AgesTab({ list }: { readonly list: FileListRow }) {
  const { queries } = useApi();
  const { id: connection } = useActiveConnection();
  const { data, error, refetch } = useQuery(
    queries.directory.fileLists.ages.queryOptions({ input: { connection, guid: list.guid } }),
  );
  // Ages change with the day, not with each second.
  const today = useFromNow((now) => Math.floor(now / dayMs));
  const { bars, series } = useMemo(() => {
    const ages = ageBarsOf(data ?? { undated: 0, days: [] }, today);
    const parts: readonly BarSeries[] = [
      { name: 'known since', tone: 'accent', values: ages.dated },
      { name: 'there before', tone: 'faint', values: ages.undated },
    ];
    return { bars: ages.bars, series: parts };
  }, [data, today]);
  if (data === undefined && error !== null)
    return <ErrorState error={asCordonError(error)} title="Could not load the ages" onRetry={() => void refetch()} />;
  if (data === undefined)
    return (
      <div className={styles['waiting']}>
        <SkeletonLines lines={6} label="Loading the ages" />
      </div>
    );
  const newest = data.days.at(-1);
  return (
    <div className={styles['coverage']}>
      <p className={styles['dim']}>
        The service gives no date for a hash: its age counts from when this console first saw it on this list.{' '}
        {newest === undefined
          ? 'None has been added since the list was first read.'
          : `The newest was added on ${newest.day.slice(0, 10)} (UTC).`}
        {data.undated === 0 ? '' : ` ${formatCount(data.undated)} were already there then.`}
      </p>
      <StackedBars
        title="Hashes by age"
        bars={bars}
        series={series}
        what="Age"
        unit={unit}
        empty={list.itemsRead.at === null ? 'The hashes have not been loaded yet.' : 'This list is empty.'}
        fileName="ages"
      />
    </div>
  );
}
