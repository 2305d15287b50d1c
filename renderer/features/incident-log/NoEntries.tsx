import { Button } from '../../ui/Button.tsx';
import { EmptyState, ErrorState } from '../../ui/EmptyState.tsx';
import type { IncidentLogSearch } from './search.ts';
import { t } from './text.ts';
import type { LogRows } from './use-log-entries.ts';

interface NoEntriesProps {
  readonly log: LogRows;
  readonly search: IncidentLogSearch;
  readonly onShowAll: () => void;
}

export function NoEntries({ log, search, onShowAll }: NoEntriesProps) {
  if (log.error !== null) return <ErrorState error={log.error} title={t.couldNotLoadLog} onRetry={log.retry} />;
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
      <EmptyState title={t.noEntryMatchesTitle} action={<Button onPress={onShowAll}>{t.showAllEntries}</Button>}>
        {t.noEntriesMatch}
      </EmptyState>
    );
  }
  return <EmptyState title={t.theLogIsEmpty}>{t.cordonRecords}</EmptyState>;
}
