import { useQuery } from '@tanstack/react-query';
import { Fragment } from 'react';

import type { CordonError } from '#shared/contract/errors.ts';
import { errorFromReport } from '#shared/contract/errors.ts';
import { formatCount } from '#shared/text/numbers.ts';

import { useActiveConnection, useActiveFrame } from '../../api/active.tsx';
import { useApi } from '../../api/ApiProvider.tsx';
import type { TypedFilter } from '../../commands/filter/use-typed-filter.ts';
import { useReadComputers } from '../../commands/use-read-computers.ts';
import { Button } from '../../ui/Button.tsx';
import { EmptyState, ErrorState, ScreenErrorState } from '../../ui/EmptyState.tsx';
import { FailureBanner } from '../../ui/FailureBanner.tsx';
import { Link } from '../../ui/Link.tsx';
import { Reason } from '../../ui/Reason.tsx';
import { Time } from '../../ui/Time.tsx';
import { meantInstead } from './did-you-mean.ts';
import { t } from './text.ts';

/** Tells when the rows are not the whole truth: pages that failed, or a listing that did not come at all. */
export function ListBanner() {
  const read = useReadComputers();
  const inventory = useActiveFrame()?.inventory;
  if (inventory === undefined || inventory.rows === 0) return null;
  if (inventory.phase === 'partial') {
    const one = inventory.missing.length === 1;
    const pages = inventory.missing.map((offset) => offset / 500 + 1).join(', ');
    return (
      <FailureBanner
        error={inventory.error}
        action={
          <Button size="small" onPress={read.missing}>
            {t.reload(one ? t.thisPage : t.thesePages)}
          </Button>
        }
      >
        {t.couldNotLoadedColon(one ? t.page : t.pages, pages)} <Reason error={inventory.error} />{' '}
        {inventory.rows < (inventory.total ?? 0) ? t.listIncomplete : t.olderRowsShown}
      </FailureBanner>
    );
  }
  if (inventory.phase !== 'failed') return null;
  return (
    <FailureBanner
      error={inventory.error}
      action={
        <Button size="small" onPress={read.again}>
          {t.tryAgain}
        </Button>
      }
    >
      {t.couldNotRefresh} <Reason error={inventory.error} /> {t.youSeeLocal}{' '}
      <Time at={inventory.readAt} form="age" focusable /> {t.oldAtEnd}
    </FailureBanner>
  );
}

interface NoRowsProps {
  readonly error: CordonError | null;
  readonly onRetry: () => void;
  readonly filter: Pick<TypedFilter, 'applied' | 'set'>;
  /** Rows of the local copy, filter apart. */
  readonly all: number;
}

/** Why there is no row: it failed, nothing matches, or there is nothing at all. */
export function NoRows({ error, onRetry, filter, all }: NoRowsProps) {
  const read = useReadComputers().again;
  const inventory = useActiveFrame()?.inventory;
  if (error !== null) return <ErrorState error={error} title={t.couldNotLoadLocalData} onRetry={onRetry} />;
  if (all > 0) return <NothingMatches filter={filter} all={all} />;
  if (inventory?.error != null)
    return <ScreenErrorState error={errorFromReport(inventory.error)} title={t.couldNotLoadComputers} onRetry={read} />;
  return (
    <EmptyState title={t.noComputersYet} action={<Button onPress={read}>{t.loadTheList}</Button>}>
      {t.serviceLists}
    </EmptyState>
  );
}

/** No value of the local copy answers: the filter, and what was probably meant. */
function NothingMatches({ filter, all }: Pick<NoRowsProps, 'filter' | 'all'>) {
  const { queries } = useApi();
  const { id: connection } = useActiveConnection();
  const { data } = useQuery(queries.computers.facets.queryOptions({ input: { connection, filter: '' } }));
  const meant = data === undefined ? [] : meantInstead(filter.applied, data.facets);
  return (
    <EmptyState
      title={t.noComputerMatches}
      action={<Button onPress={() => filter.set('')}>{t.showAllOf(formatCount(all))}</Button>}
    >
      <p>
        {t.noneComputers(formatCount(all), filter.applied)}
        {meant.length === 0 ? null : t.didYouMean}
        {meant.map(({ term, filter: whole }, index) => (
          <Fragment key={term}>
            {index === 0 ? '' : t.or}
            <Link onPress={() => filter.set(whole)}>{term}</Link>
          </Fragment>
        ))}
        {meant.length === 0 ? '' : '?'}
      </p>
    </EmptyState>
  );
}
