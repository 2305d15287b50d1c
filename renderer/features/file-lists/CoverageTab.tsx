import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useMemo } from 'react';

import type { Coverage, FileListRow } from '#shared/contract/directory.ts';
import { formatCount } from '#shared/text/numbers.ts';

import { useActiveConnection, useActiveFrame, useComputersCount } from '../../api/active.tsx';
import { useApi } from '../../api/ApiProvider.tsx';
import { asCordonError } from '../../api/errors.ts';
import { useDirectoryRefresh } from '../../commands/directory/use-directory.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { Flow } from '../../ui/chart/Flow.tsx';
import { EmptyState, ErrorState } from '../../ui/EmptyState.tsx';
import { Link } from '../../ui/Link.tsx';
import { SkeletonLines } from '../../ui/Skeleton.tsx';
import { unseen } from '../../ui/unseen.ts';
import { flowOf, policyName, wayFilter } from './coverage-flow.ts';
import styles from './FileLists.module.css';
import { t } from './text.ts';
import { partTones, percentOf } from './words.ts';

/** Which computers enforce the list, which do not, and why. No call is made for it. */
export function CoverageTab({ list }: { readonly list: FileListRow }) {
  const { queries } = useApi();
  const { id: connection } = useActiveConnection();
  const { data, error, refetch } = useQuery(
    queries.directory.fileLists.coverage.queryOptions({ input: { connection, guid: list.guid } }),
  );
  const isComing = useActiveFrame()?.inventory.phase === 'loading';
  if (useComputersCount() === null && !isComing)
    return (
      <EmptyState title={t.computersNotLoaded} action={<Link href="/computers">{t.toTheComputers}</Link>}>
        {t.beforeUnknown(list.name)}
      </EmptyState>
    );
  if (data === undefined && error !== null)
    return <ErrorState error={asCordonError(error)} title={t.couldNotCalculate} onRetry={() => void refetch()} />;
  if (data === undefined)
    return (
      <div className={styles['waiting']}>
        <SkeletonLines lines={8} label={t.calculatingTheCoverage} />
      </div>
    );
  return (
    <div className={styles['coverage']}>
      {data.uncertain === null ? null : <Uncertain text={data.uncertain} />}
      <p className={styles['headline']}>
        {t.enforcedOn} <b>{formatCount(data.enforced)}</b> {t.ofComputers(formatCount(data.computers))}{' '}
        <span className={styles['dim']}>{t.changeTakes(list.vanishedAt === null ? '' : t.listDeleted)}</span>
      </p>
      <Parts coverage={data} />
      <Ways coverage={data} />
      <p className={styles['dim']}>
        <Link href={`/groups?view=policies&list=${list.guid}`}>{t.groupsDoes}</Link>
      </p>
    </div>
  );
}

function Uncertain({ text }: { readonly text: string }) {
  const { refresh, isRefreshing } = useDirectoryRefresh();
  return (
    <Banner
      tone="warning"
      action={
        <Button
          size="small"
          onPress={() => refresh(true)}
          reason={isRefreshing ? t.loadingNow : null}
          tooltip={t.loadsGroups}
        >
          {t.loadAllDetails}
        </Button>
      }
    >
      {text}
    </Banner>
  );
}

/** All computers in parts; each number opens its computers. */
function Parts({ coverage: { parts, computers } }: { readonly coverage: Coverage }) {
  return (
    <table className={styles['parts']}>
      <caption className={unseen}>{t.allComputers}</caption>
      <thead>
        <tr>
          <th scope="col">{t.computersThat}</th>
          <th scope="col">{t.number}</th>
          <th scope="col">{t.share}</th>
        </tr>
      </thead>
      <tbody>
        {parts.map(({ kind, title, computers: count, filter }) => (
          <tr key={kind}>
            <th scope="row">{title}</th>
            <td className={styles['number']}>
              {filter === null || count === 0 ? (
                <span title={count === 0 ? undefined : t.noFilterList}>{formatCount(count)}</span>
              ) : (
                <Link
                  href={`/computers?filter=${encodeURIComponent(filter)}`}
                  aria-label={t.computersOf(formatCount(count), title)}
                >
                  {formatCount(count)}
                </Link>
              )}
            </td>
            <td className={styles['share']}>
              {percentOf(count, computers)}
              <span className={styles['meter']} aria-hidden="true">
                <span
                  data-tone={partTones[kind] ?? 'dim'}
                  style={{ width: `${computers === 0 ? 0 : (count / computers) * 100}%` }}
                />
              </span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const unit = ['computer', 'computers'] as const;
const [rowHeight, leastHeight, mostHeight] = [30, 140, 460];

/** How the list reaches its computers: through which policies, in which groups. */
function Ways({ coverage }: { readonly coverage: Coverage }) {
  const { history } = useRouter();
  const open = (filter: string | undefined) => {
    if (filter !== undefined) history.push(`/computers?filter=${encodeURIComponent(filter)}`);
  };
  const flow = useMemo(() => flowOf(coverage), [coverage]);
  const widest = Math.max(...[1, 2].map((column) => flow.nodes.filter((node) => node.column === column).length));
  return (
    <Flow
      title={t.listComputers}
      summary={t.reachesComputers(
        coverage.list.name,
        formatCount(coverage.enforced),
        formatCount(coverage.ways.length),
      )}
      nodes={flow.nodes}
      links={flow.links}
      unit={unit}
      onOpenNode={(key) => open(flow.filters.get(key))}
      onOpenLink={({ to }) => open(flow.filters.get(to))}
      height={Math.min(mostHeight, Math.max(leastHeight, widest * rowHeight))}
      empty={coverage.enforced === 0 ? t.noComputer : null}
      fileName="coverage"
      table={{
        columns: ['Policy', 'Group', 'Computers'],
        rows: coverage.ways.map((way) => ({
          key: wayFilter(way),
          cells: [policyName(way), way.group.name, formatCount(way.computers)],
          onPress: () => open(wayFilter(way)),
        })),
      }}
    />
  );
}
