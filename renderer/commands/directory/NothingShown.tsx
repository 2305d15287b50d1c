import type { ReactNode } from 'react';

import { errorFromReport } from '#shared/contract/errors.ts';
import { formatCount } from '#shared/text/numbers.ts';

import { Button } from '../../ui/Button.tsx';
import { EmptyState, ErrorState, ScreenErrorState } from '../../ui/EmptyState.tsx';
import { refreshPrice } from './directory-words.ts';
import type { Copy, DirectoryRefresh } from './use-directory.ts';

export interface NothingShownProps {
  readonly copy: Copy<unknown>;
  readonly reading: DirectoryRefresh;
  /** One and several, such as `group` and `groups`. */
  readonly noun: readonly [string, string];
  /** What restricts the rows, in words; `null` when nothing does. */
  readonly asked: string | null;
  readonly onShowAll: () => void;
  /** Why there may be none at all. */
  readonly children: ReactNode;
}

/** Why there is no row: it failed, nothing matches, it has not been loaded yet, or there is nothing at all. */
export function NothingShown({ copy, reading, noun, asked, onShowAll, children }: NothingShownProps) {
  const { items, state, error, retry } = copy;
  const [one, many] = noun;
  if (error !== null) return <ErrorState error={error} title="Could not load local data" onRetry={retry} />;
  if (items === undefined || state === undefined) return null;
  if (items.length > 0) {
    const all = formatCount(items.length);
    return (
      <EmptyState title={`No ${one} matches`} action={<Button onPress={onShowAll}>Show all {all}</Button>}>
        None of the {all} {many} answers to {asked ?? 'what is asked'}.
      </EmptyState>
    );
  }
  const read = () => reading.refresh();
  if (state.error !== null)
    return (
      <ScreenErrorState error={errorFromReport(state.error)} title={`Could not load the ${many}`} onRetry={read} />
    );
  return (
    <EmptyState
      title={state.phase === 'empty' ? `No ${one} was read yet` : `No ${many}`}
      action={<Button onPress={read}>Read them · {refreshPrice(state, false)}</Button>}
    >
      {children}
    </EmptyState>
  );
}
