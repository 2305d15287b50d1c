import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';

import type { CordonError } from '#shared/contract/errors.ts';
import type { LogEntry, LogQuery } from '#shared/model/incident.ts';

import { useApi } from '../../api/ApiProvider.tsx';
import { asCordonError } from '../../api/errors.ts';
import { useFromNow } from '../../ui/Clock.tsx';
import { sinceOf, type IncidentLogSearch } from './search.ts';

const pageSize = 200;

export interface LogEntries {
  /** Newest first. */
  readonly entries: readonly LogEntry[];
  readonly matching: number | undefined;
  readonly isFirstLoad: boolean;
  readonly error: CordonError | null;
  more(): void;
  retry(): void;
}

/** What of the address is a question to the log. */
export function questionOf(search: IncidentLogSearch, now: number): Partial<LogQuery> {
  return {
    ...(search.text === undefined ? {} : { text: search.text }),
    ...(search.incident === undefined ? {} : { incident: search.incident }),
    ...(search.target === undefined ? {} : { target: search.target }),
    ...(search.kind === undefined ? {} : { kinds: [search.kind] }),
    ...(search.connection === undefined ? {} : { connection: search.connection }),
    ...(search.surface === undefined ? {} : { surface: search.surface }),
    ...(search.within === undefined ? {} : { since: sinceOf(search.within, now) }),
    ...(search.writes === true ? { writesOnly: true } : {}),
  };
}

/** Entries page by page, backwards in time; the live stream brings the new ones. */
export function useLogEntries(search: IncidentLogSearch): LogEntries {
  const { queries } = useApi();
  // To the minute: a question that changed with every render would never be answered.
  const minute = useFromNow((now) => Math.floor(now / 60_000));
  const question = questionOf(search, minute * 60_000);
  const { data, error, isPending, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = useInfiniteQuery(
    queries.log.query.infiniteOptions({
      input: (before: number | null) => ({ ...question, limit: pageSize, ...(before === null ? {} : { before }) }),
      initialPageParam: null as number | null, // the newest page has no cursor
      getNextPageParam: (last) => (last.more ? (last.entries.at(-1)?.seq ?? null) : null),
      placeholderData: (old) => old,
    }),
  );
  return useMemo(
    () => ({
      entries: data?.pages.flatMap((page) => page.entries) ?? [],
      matching: data?.pages[0]?.matching,
      isFirstLoad: isPending,
      error: error === null ? null : asCordonError(error),
      more: () => {
        if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
      },
      retry: () => void refetch(),
    }),
    [data, error, isPending, hasNextPage, isFetchingNextPage, fetchNextPage, refetch],
  );
}
