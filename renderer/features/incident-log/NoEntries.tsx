import { Button } from '../../ui/Button.tsx';
import { EmptyState, ErrorState } from '../../ui/EmptyState.tsx';
import type { IncidentLogSearch } from './search.ts';
import type { LogRows } from './use-log-entries.ts';

interface NoEntriesProps {
  readonly log: LogRows;
  readonly search: IncidentLogSearch;
  readonly onShowAll: () => void;
}

export function NoEntries({ log, search, onShowAll }: NoEntriesProps) {
  if (log.error !== null) return <ErrorState error={log.error} title="Could not load the log" onRetry={log.retry} />;
  const filtered = [
    search.text,
    search.incident,
    search.kind,
    search.person,
    search.hash,
    search.pinned,
    search.target,
    search.writes,
    search.connection,
    search.surface,
    search.within,
    search.from,
    search.to,
  ].some((each) => each !== undefined);
  if (filtered) {
    return (
      <EmptyState title="No entry matches" action={<Button onPress={onShowAll}>Show all entries</Button>}>
        No entries match this search.
      </EmptyState>
    );
  }
  return (
    <EmptyState title="The log is empty">
      Cordon records each command before sending it, and again when its outcome is known. Cordon never changes or
      removes entries. Use Verify to check that nobody else has.
    </EmptyState>
  );
}
