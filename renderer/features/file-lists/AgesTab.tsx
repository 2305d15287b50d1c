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
import { t } from './text.ts';

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
    return <ErrorState error={asCordonError(error)} title={t.couldNotLoadAges} onRetry={() => void refetch()} />;
  if (data === undefined)
    return (
      <div className={styles['waiting']}>
        <SkeletonLines lines={6} label={t.loadingTheAges} />
      </div>
    );
  const newest = data.days.at(-1);
  return (
    <div className={styles['coverage']}>
      <p className={styles['dim']}>
        {t.serviceGives(
          newest === undefined ? t.noneAddedSince : t.newestAdded(newest.day.slice(0, 10)),
          data.undated === 0 ? '' : t.wereAlready(formatCount(data.undated)),
        )}
      </p>
      <StackedBars
        title={t.hashesByAge}
        bars={bars}
        series={series}
        what={t.age}
        unit={unit}
        empty={list.itemsRead.at === null ? t.hashesNotLoaded : t.listEmpty}
        fileName="ages"
      />
    </div>
  );
}
