import { useQuery } from '@tanstack/react-query';

import { useApi } from '../../api/ApiProvider.tsx';
import { asCordonError } from '../../api/errors.ts';
import { EmptyState, ErrorState } from '../../ui/EmptyState.tsx';
import { Link } from '../../ui/Link.tsx';
import { SkeletonLines } from '../../ui/Skeleton.tsx';
import { Time } from '../../ui/Time.tsx';
import styles from './ComputerScreen.module.css';
import { IsolationHistory } from './IsolationHistory.tsx';

const newest = 200;

/** What was done to this computer from this profile, newest first. */
export function LogTab({ guid }: { readonly guid: string }) {
  const { queries } = useApi();
  const { data, error, refetch } = useQuery(queries.log.query.queryOptions({ input: { target: guid, limit: newest } }));
  if (error !== null && data === undefined)
    return <ErrorState error={asCordonError(error)} title="Could not load the log" onRetry={() => void refetch()} />;
  if (data === undefined) return <SkeletonLines lines={6} label="Loading the log" />;
  return (
    <div className={styles['tab']}>
      <IsolationHistory guid={guid} entries={data.entries} />
      {data.entries.length === 0 ? (
        <EmptyState title="Nothing in the log yet">
          No command from this profile has concerned this computer.
        </EmptyState>
      ) : null}
      <ol className={styles['log']} aria-label="Entries about this computer">
        {data.entries.map((entry) => (
          <li key={entry.id}>
            <Time at={entry.at} form="exact" />
            <span className={styles['who']}>{entry.operator}</span>
            <span>{entry.message}</span>
          </li>
        ))}
      </ol>
      {data.more ? (
        <p className={styles['note']}>
          The newest {newest} of {data.matching} entries.
        </p>
      ) : null}
      <Link href={`/log?target=${guid}`}>Open in the incident log</Link>
    </div>
  );
}
