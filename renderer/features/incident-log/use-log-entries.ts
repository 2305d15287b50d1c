import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';

import type { CordonError } from '#shared/contract/errors.ts';
import type { JoinedCursor, JoinedRow } from '#shared/contract/log.ts';
import type { LogEntry, LogQuery, Pin } from '#shared/model/incident.ts';

import { useApi } from '../../api/ApiProvider.tsx';
import { asCordonError } from '../../api/errors.ts';
import { useFromNow } from '../../ui/Clock.tsx';
import { ownEntries } from './rows.ts';
import { sinceOf, type IncidentLogSearch } from './search.ts';

const pageSize = 200;

export interface LogRows {
  /** Newest first. */
  readonly rows: readonly JoinedRow[];
  /** Our own among them. */
  readonly entries: readonly LogEntry[];
  readonly matching: number | undefined;
  readonly elsewhere: number;
  readonly isFirstLoad: boolean;
  readonly error: CordonError | null;
  more(): void;
  retry(): void;
}

type Question = Omit<Partial<LogQuery>, 'limit' | 'before' | 'after'>;

/** What of the address is a question to the log. */
export function questionOf(search: IncidentLogSearch, now: number): Question {
  return {
    ...(search.text === undefined ? {} : { text: search.text }),
    ...(search.incident === undefined ? {} : { incident: search.incident }),
    ...(search.target === undefined ? {} : { target: search.target }),
    ...(search.kind === undefined ? {} : { kinds: [search.kind] }),
    ...(search.connection === undefined ? {} : { connection: search.connection }),
    ...(search.surface === undefined ? {} : { surface: search.surface }),
    ...(search.person === undefined ? {} : { operator: search.person }),
    ...(search.hash === undefined ? {} : { hash: search.hash }),
    ...(search.pinned === true ? { pinned: true } : {}),
    ...timesOf(search, now),
    ...(search.writes === true ? { writesOnly: true } : {}),
  };
}

/** A time that was chosen in a picture stands before the last so many hours. */
function timesOf({ from, to, within }: IncidentLogSearch, now: number): Pick<Question, 'since' | 'until'> {
  if (from !== undefined || to !== undefined)
    return { ...(from === undefined ? {} : { since: from }), ...(to === undefined ? {} : { until: to }) };
  return within === undefined ? {} : { since: sinceOf(within, now) };
}

/** To the minute: a question that changed with every render would never be answered. */
export function useQuestion(search: IncidentLogSearch): Question {
  const minute = useFromNow((now) => Math.floor(now / 60_000));
  return questionOf(search, minute * 60_000);
}

/** Rows page by page, backwards in time; the live stream brings the new ones. `connection`: whose audit log is joined. */
export function useLogRows(search: IncidentLogSearch, connection: string | null): LogRows {
  const { queries } = useApi();
  const query = useQuestion(search);
  const { data, error, isPending, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = useInfiniteQuery(
    queries.log.joined.infiniteOptions({
      input: (cursor: JoinedCursor | null) => ({ query, connection, cursor, limit: pageSize }),
      initialPageParam: null as JoinedCursor | null, // the newest page has no cursor
      getNextPageParam: (last) => last.next,
      placeholderData: (old) => old,
    }),
  );
  return useMemo(() => {
    const rows = data?.pages.flatMap((page) => page.rows) ?? [];
    return {
      rows,
      entries: ownEntries(rows),
      matching: data?.pages[0]?.matching,
      elsewhere: data?.pages[0]?.elsewhere ?? 0,
      isFirstLoad: isPending,
      error: error === null ? null : asCordonError(error),
      more: () => {
        if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
      },
      retry: () => void refetch(),
    };
  }, [data, error, isPending, hasNextPage, isFetchingNextPage, fetchNextPage, refetch]);
}

const nothing: readonly LogEntry[] = [];

/** An entry that a link names, with what is about it: it may be older than all that is loaded. */
export function useNamedEntries(id: string | undefined): readonly LogEntry[] {
  const { queries } = useApi();
  const { data } = useQuery({
    ...queries.log.query.queryOptions({ input: { text: id ?? '', limit: 50 } }),
    enabled: id !== undefined && /^[0-9A-HJKMNP-TV-Z]{26}$/.test(id),
  });
  return data?.entries ?? nothing;
}

/** What is pinned, by the id of its entry. */
export function usePins(): ReadonlyMap<string, Pin> {
  const { queries } = useApi();
  const { data } = useQuery(queries.log.pins.queryOptions());
  return useMemo(() => new Map((data ?? []).map((pin) => [pin.about, pin])), [data]);
}
