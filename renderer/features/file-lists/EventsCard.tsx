import { useQuery } from '@tanstack/react-query';

import type { EventRow } from '#shared/contract/events.ts';
import { counted, formatCount } from '#shared/text/numbers.ts';
import { nouns } from '#shared/text/terms.ts';

import { useActiveConnection } from '../../api/active.tsx';
import { useApi } from '../../api/ApiProvider.tsx';
import { asCordonError } from '../../api/errors.ts';
import { ErrorState } from '../../ui/EmptyState.tsx';
import { Link } from '../../ui/Link.tsx';
import { SkeletonLines } from '../../ui/Skeleton.tsx';
import { Time } from '../../ui/Time.tsx';
import { Card } from '../../ui/Toolbar.tsx';
import { ComputerNames } from './ComputerNames.tsx';
import styles from './FileLists.module.css';
import { computersOf } from './seen-computers.ts';
import { t } from './text.ts';

const [mostEvents, shownEvents, shownComputers] = [500, 12, 25];

/** Stored events that name it, and the computers of the newest of them. */
export function EventsCard({ sha256 }: { readonly sha256: string }) {
  const { queries } = useApi();
  const { id: connection } = useActiveConnection();
  const filter = `hash:${sha256}`;
  const { data, error, refetch } = useQuery(
    queries.events.query.queryOptions({ input: { connection, filter, offset: 0, limit: mostEvents } }),
  );
  const title = 'Events that name it';
  if (data === undefined)
    return (
      <div className={styles['wide']}>
        <Card title={title}>
          {error === null ? (
            <SkeletonLines lines={4} label={t.loadingTheEvents} />
          ) : (
            <ErrorState error={asCordonError(error)} onRetry={() => void refetch()} />
          )}
        </Card>
      </div>
    );
  const { count, exact } = data.matching;
  const computers = computersOf(data.rows);
  return (
    <div className={styles['wide']}>
      <Card
        title={title}
        aside={
          count === 0 ? null : (
            <Link href={`/events?filter=${encodeURIComponent(filter)}&span=all`}>
              {t.allInEvents(exact ? '' : '≥ ', formatCount(count))}
            </Link>
          )
        }
      >
        {count === 0 ? <p className={styles['dim']}>{t.noStoredEvent}</p> : <Events rows={data.rows} />}
        {computers.length === 0 ? null : (
          <div className={styles['answer']}>
            <p className={styles['dim']}>
              {t.inColon(
                counted(computers.length, nouns.computer),
                count > mostEvents || !exact ? t.newestThem(mostEvents) : t.them,
              )}
            </p>
            <ComputerNames computers={computers.slice(0, shownComputers)} more={computers.length - shownComputers} />
          </div>
        )}
      </Card>
    </div>
  );
}

function Events({ rows }: { readonly rows: readonly EventRow[] }) {
  return (
    <table className={styles['rows']}>
      <thead>
        <tr>
          <th scope="col">{t.time}</th>
          <th scope="col">{t.typeTitle}</th>
          <th scope="col">{t.computer}</th>
          <th scope="col">{t.file}</th>
          <th scope="col">{t.disposition}</th>
        </tr>
      </thead>
      <tbody>
        {rows.slice(0, shownEvents).map((row) => (
          <tr key={row.key}>
            <td>
              <Time at={row.at} form="exact" />
            </td>
            <td>{row.type}</td>
            <td>{row.guid === null ? row.hostname : <Link href={`/computers/${row.guid}`}>{row.hostname}</Link>}</td>
            <td title={row.filePath ?? undefined}>{row.fileName ?? ''}</td>
            <td>{row.disposition ?? ''}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
