import { useQuery } from '@tanstack/react-query';

import { useApi } from '../../api/ApiProvider.tsx';
import { asCordonError } from '../../api/errors.ts';
import { EmptyState, ErrorState } from '../../ui/EmptyState.tsx';
import { Link } from '../../ui/Link.tsx';
import { SkeletonLines } from '../../ui/Skeleton.tsx';
import { Time } from '../../ui/Time.tsx';
import styles from './ComputerScreen.module.css';
import { IsolationHistory } from './IsolationHistory.tsx';
import { t } from './text.ts';

const newest = 200;

/** What was done to this computer from this profile, newest first. */
export function LogTab({ guid }: { readonly guid: string }) {
  const { queries } = useApi();
  const { data, error, refetch } = useQuery(queries.log.query.queryOptions({ input: { target: guid, limit: newest } }));
  if (error !== null && data === undefined)
    return <ErrorState error={asCordonError(error)} title={t.couldNotLoadLog} onRetry={() => void refetch()} />;
  if (data === undefined) return <SkeletonLines lines={6} label={t.loadingTheLog} />;
  return (
    <div className={styles['tab']}>
      <IsolationHistory guid={guid} entries={data.entries} />
      {data.entries.length === 0 ? <EmptyState title={t.nothingLog}>{t.noCommandProfile}</EmptyState> : null}
      <ol className={styles['log']} aria-label={t.entriesAbout}>
        {data.entries.map((entry) => (
          <li key={entry.id}>
            <Time at={entry.at} form="exact" />
            <span className={styles['who']}>{entry.operator}</span>
            <span>{entry.message}</span>
          </li>
        ))}
      </ol>
      {data.more ? <p className={styles['note']}>{t.newestEntries(newest, data.matching)}</p> : null}
      <Link href={`/log?target=${guid}`}>{t.openIncident}</Link>
    </div>
  );
}
