import type { SearchResults } from '#shared/contract/search.ts';
import { counted, formOf, formatCount } from '#shared/text/numbers.ts';
import { nouns } from '#shared/text/terms.ts';

import { Time } from '../../ui/Time.tsx';

/** What stands behind the local answer, and how old it is. */
export function Stored({ results: { computers, events } }: { readonly results: SearchResults }) {
  return (
    <>
      in {counted(computers.count, nouns.computer)}
      {computers.readAt === null ? null : (
        <>
          {' '}
          (<Time at={computers.readAt} form="age" focusable /> old)
        </>
      )}{' '}
      and {formatCount(events.count)} stored {formOf(events.count, nouns.event)}
      {events.readAt === null ? null : (
        <>
          {' '}
          (<Time at={events.readAt} form="age" focusable /> old)
        </>
      )}
    </>
  );
}
