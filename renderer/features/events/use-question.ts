import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';

import type { EventQuery } from '#shared/contract/events.ts';
import { eventFilter } from '#shared/model/event-filter.ts';
import type { EventFilterTerm } from '#shared/model/event-filter-values.ts';

import { useActiveConnection } from '../../api/active.tsx';
import { useTypedFilter, type TypedFilter } from '../../commands/filter/use-typed-filter.ts';
import { useFromNow } from '../../ui/Clock.tsx';
import type { EventSpan, EventsSearch } from './search.ts';
import { endOf, picturedTimes, shownTimes, spanOf, type Times } from './span.ts';

export interface EventsView {
  readonly search: EventsSearch;
  /** Changes the address of the screen in its place. */
  change(next: Partial<EventsSearch>): void;
  readonly filter: TypedFilter<EventFilterTerm>;
  /** What the rows answer to. */
  readonly question: EventQuery;
  readonly span: EventSpan;
  /** The time that the picture shows. */
  readonly pictured: Times;
  /** The chosen time in it; an open end is the end of the picture. */
  readonly brush: { readonly from: string; readonly to: string } | null;
  /** Whether a span or a chosen time restricts the rows. */
  readonly isTimed: boolean;
}

/** What the screen is asked: its address and the typed filter, as a question to the store of events. */
export function useQuestion(): EventsView {
  const { id: connection } = useActiveConnection();
  const search = useSearch({ from: '/events' });
  const navigate = useNavigate({ from: '/events' });
  const { history } = useRouter();
  const change = (next: Partial<EventsSearch>) =>
    void navigate({ search: (old) => ({ ...old, ...next }), replace: true });
  const filter = useTypedFilter(eventFilter, search.filter ?? '', (text) => {
    // On the way to another screen the address is no longer this one's.
    if (history.location.pathname === '/events') change({ filter: text === '' ? undefined : text });
  });
  const span = useFromNow((now) => spanOf(search, now));
  const end = useFromNow((now) => endOf(span, now));
  const pictured = picturedTimes(span, end);
  const { from, to } = search;
  const times = shownTimes(search, span, end);
  return {
    search,
    change,
    filter,
    question: { connection, filter: filter.applied, ...times, grouping: search.grouping ?? 'none' },
    span,
    pictured,
    brush:
      from === undefined && to === undefined
        ? null
        : { from: from ?? pictured.from ?? new Date(0).toISOString(), to: to ?? new Date(end).toISOString() },
    isTimed: times.from !== null || times.to !== null,
  };
}
