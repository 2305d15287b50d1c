import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';

import type { EventRow, EventStoreState, EventWindow } from '#shared/contract/events.ts';
import type { ComputerRow } from '#shared/model/computer.ts';
import { counted, formOf, formatCount } from '#shared/text/numbers.ts';
import { nouns } from '#shared/text/terms.ts';

import { useActiveConnection } from '../../api/active.tsx';
import { useApi } from '../../api/ApiProvider.tsx';
import { usePaged } from '../../api/pages.ts';
import { Button } from '../../ui/Button.tsx';
import { EmptyState, ErrorState } from '../../ui/EmptyState.tsx';
import { Link } from '../../ui/Link.tsx';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { Time } from '../../ui/Time.tsx';
import { activityColumns, describeActivity } from './activity-columns.tsx';
import styles from './ComputerScreen.module.css';
import { UsersSeen } from './UsersSeen.tsx';
import { t } from './text.ts';

const pageSize = 100;
/** Rows drawn as skeletons while nothing was ever read. */
const skeletonRows = 8;

/** What stored events tell of this computer, one row for each detection; its users; and the ways further. */
export function ActivityTab({ row }: { readonly row: ComputerRow }) {
  const { queries, client } = useApi();
  const { id: connection } = useActiveConnection();
  const navigate = useNavigate();
  const onTrajectory = () =>
    void navigate({ to: '/computers/$guid', params: { guid: row.guid }, search: { tab: 'trajectory' } });
  const filter = `guid=${row.guid}`;
  const question = { connection, filter, from: null, to: null, grouping: 'detections' } as const;
  const { data: state } = useQuery(queries.events.state.queryOptions({ input: { connection } }));
  const rows = usePaged<EventRow, EventWindow>({
    pageSize,
    question: JSON.stringify(question),
    page: (offset, limit) => queries.events.query.queryOptions({ input: { ...question, offset, limit } }),
  });
  const waiting = rows.isFirstLoad || state === undefined || (state.stored === 0 && state.phase === 'loading');
  const source = useMemo(
    () => (waiting ? { count: skeletonRows, row: () => undefined, want: () => undefined } : rows),
    [waiting, rows],
  );
  const matching = rows.newest?.matching;
  const count = matching === undefined ? '' : `${matching.exact ? '' : '≥ '}${formatCount(matching.count)}`;
  return (
    <div className={styles['tab']}>
      <p className={styles['above']}>
        <span>
          {matching === undefined ? t.storedEvents : t.oneEachDetection(count, formOf(matching.count, nouns.row))}
          {state?.readAt == null ? null : (
            <>
              {t.loaded} <Time at={state.readAt} focusable />
            </>
          )}
        </span>
        <span className={styles['spring']} />
        <Link href={`/events?filter=${encodeURIComponent(filter)}&span=all`}>{t.openInEvents}</Link>
      </p>
      <div className={styles['events']} style={heightOf(waiting ? undefined : matching?.count)}>
        <DataTable
          label={t.eventsComputer}
          source={source}
          columns={activityColumns}
          rowKey={({ key }) => key}
          describe={describeActivity}
          onOpen={({ key }) =>
            void navigate({ to: '/events', search: { filter, span: 'all', event: key, grouping: 'detections' } })
          }
          isBusy={waiting}
          empty={
            rows.error === null ? (
              <NoEvents
                state={state}
                row={row}
                onRead={() => void client.events.refresh({ connection }).catch(() => undefined)}
              />
            ) : (
              <ErrorState error={rows.error} title={t.couldNotLoadStored} onRetry={rows.retry} />
            )
          }
        />
      </div>
      <UsersSeen row={row} />
      <p className={styles['note']}>
        {t.its} <Link onPress={() => onTrajectory()}>{t.trajectory}</Link> {t.showsWhatCreated}{' '}
        <Link href="/search">{t.searchInline}</Link> {t.showsOther}
      </p>
    </div>
  );
}

/** As high as its rows, where they are few: no empty frame below them. */
function heightOf(rows: number | undefined): { readonly height: string } | undefined {
  if (rows === undefined || rows === 0) return undefined;
  return { height: `min(clamp(220px, 46vh, 560px), var(--row) * ${rows + 2})` };
}

interface NoEventsProps {
  readonly state: EventStoreState | undefined;
  readonly row: ComputerRow;
  readonly onRead: () => void;
}

function NoEvents({ state, row, onRead }: NoEventsProps) {
  if (state === undefined) return null;
  const calls = state.refreshCalls;
  if (state.stored === 0)
    return (
      <EmptyState
        title={state.phase === 'failed' ? t.couldNotLoadEvents : t.eventsNotLoaded}
        action={
          <Button onPress={onRead}>
            {t.loadEventsOf(calls === null ? '' : t.aboutOf(counted(calls, nouns.call)))}
          </Button>
        }
      >
        {state.error?.message ?? t.loadEvents}
      </EmptyState>
    );
  return (
    <EmptyState title={t.noStoredEvent}>
      <span>
        {t.noneStored(formatCount(state.stored), row.hostname, state.oldest === null ? '' : t.theyGoBack)}
        {state.oldest === null ? null : <Time at={state.oldest} form="exact" />}.
      </span>
    </EmptyState>
  );
}
