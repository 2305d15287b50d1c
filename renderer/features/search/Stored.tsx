import type { SearchResults } from '#shared/contract/search.ts';

import { Time } from '../../ui/Time.tsx';
import { formatCount } from '../../ui/time.ts';

/** What stands behind the local answer, and how old it is. */
export function Stored({ results: { computers, events } }: { readonly results: SearchResults }) {
  return (
    <>
      in {formatCount(computers.count)} {computers.count === 1 ? 'computer' : 'computers'}
      {computers.readAt === null ? null : (
        <>
          {' '}
          (<Time at={computers.readAt} form="age" focusable /> old)
        </>
      )}{' '}
      and {formatCount(events.count)} stored {events.count === 1 ? 'event' : 'events'}
      {events.readAt === null ? null : (
        <>
          {' '}
          (<Time at={events.readAt} form="age" focusable /> old)
        </>
      )}
    </>
  );
}
