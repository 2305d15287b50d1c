import type { FileListRow } from '#shared/contract/directory.ts';
import { errorFromReport, type CordonError } from '#shared/contract/errors.ts';
import { formatCount } from '#shared/text/numbers.ts';

import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { EmptyState, ErrorState, ScreenErrorState } from '../../ui/EmptyState.tsx';
import { KeyCap } from '../../ui/KeyCap.tsx';
import { Reason } from '../../ui/Reason.tsx';
import { Time } from '../../ui/Time.tsx';
import type { ItemsReading } from './use-lists.ts';
import { callWords, countWords, itemsKnown, kindWords, readCalls } from './words.ts';

interface StateProps {
  readonly list: FileListRow;
  readonly reading: ItemsReading;
}

/** Tells when what is shown is not the whole truth: deleted elsewhere, read in part, or a reading that failed. */
export function ListBanner({ list, reading }: StateProps) {
  const { vanishedAt, problem, itemsRead } = list;
  if (vanishedAt !== null)
    return (
      <Banner tone="warning">
        This list was deleted elsewhere at or before <Time at={vanishedAt} form="exact" focusable />. You see what was
        last known of it; nothing can be changed.
      </Banner>
    );
  if (itemsRead.at === null || itemsKnown(list) !== 'part') return null;
  return (
    <Banner tone="warning" action={<ReadAgain list={list} reading={reading} />}>
      {problem === null ? (
        'Not all hashes were loaded.'
      ) : (
        <>
          Not all hashes could be loaded: <Reason error={problem} />
        </>
      )}{' '}
      You see {countWords(list)}, read <Time at={itemsRead.at} focusable />.
    </Banner>
  );
}

function ReadAgain({ list, reading }: StateProps) {
  return (
    <Button size="small" onPress={reading.read} reason={reading.isReading ? 'Loading the hashes.' : null}>
      {itemsKnown(list) === 'never' ? 'Read them' : 'Refresh'} · {callWords(readCalls(list))}
    </Button>
  );
}

interface NoItemsProps extends StateProps {
  /** Of the local copy, not of the service. */
  readonly error: CordonError | null;
  readonly onRetry: () => void;
  readonly search: string;
  readonly onShowAll: () => void;
  readonly onAdd: () => void;
}

/** Why there is no row: it failed, nothing matches, nothing was read, or the list is empty. */
export function NoItems({ list, reading, error, onRetry, search, onShowAll, onAdd }: NoItemsProps) {
  if (error !== null) return <ErrorState error={error} title="Could not load local data" onRetry={onRetry} />;
  if (search !== '' && list.itemsRead.at !== null && list.itemsRead.read > 0) {
    const all = formatCount(list.itemsRead.read);
    return (
      <EmptyState title="No hash matches" action={<Button onPress={onShowAll}>Show all {all}</Button>}>
        None of the {all} hashes of this list begins with “{search}”, and no note has it.
      </EmptyState>
    );
  }
  if (list.problem !== null)
    return (
      <ScreenErrorState
        error={errorFromReport(list.problem)}
        title="Could not load the hashes"
        onRetry={reading.read}
      />
    );
  if (list.itemsRead.at === null)
    return (
      <EmptyState title="The hashes have not been loaded yet" action={<ReadAgain list={list} reading={reading} />}>
        {list.items === null ? 'How many there are is not known. ' : `The service has ${formatCount(list.items)}. `}
        Load them to search and sort, 500 per call.
      </EmptyState>
    );
  return (
    <EmptyState
      title="This list is empty"
      action={
        list.vanishedAt === null ? (
          <Button onPress={onAdd} aria-haspopup="dialog">
            Add a hash… <KeyCap keys="a" />
          </Button>
        ) : null
      }
    >
      {kindWords(list.type).effect}
    </EmptyState>
  );
}
