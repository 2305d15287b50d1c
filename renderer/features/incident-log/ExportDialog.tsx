import { useActiveConnection } from '../../api/active.tsx';
import { useApi } from '../../api/ApiProvider.tsx';
import { ExportFrame } from '../../commands/ExportFrame.tsx';
import type { IncidentLogSearch } from './search.ts';
import { t } from './text.ts';
import { questionOf } from './use-log-entries.ts';

interface ExportDialogProps {
  readonly search: IncidentLogSearch;
  readonly matching: number | undefined;
  readonly onClose: () => void;
}

/** All entries that match, not only those on the screen, as a file. */
export function ExportDialog({ search, matching, onClose }: ExportDialogProps) {
  const { client } = useApi();
  const { id: tenant } = useActiveConnection();
  return (
    <ExportFrame
      title={t.exportTheLog}
      formats={[
        { value: 'jsonl', label: 'JSON Lines', detail: 'one entry a line, nothing lost' },
        { value: 'csv', label: 'CSV', detail: 'for a spreadsheet; cells cannot act as formulas' },
        { value: 'md', label: 'Markdown report', detail: 'for a ticket or a wiki' },
        { value: 'html', label: 'HTML report', detail: 'one page to read and print, without scripts' },
      ]}
      write={(format) => client.log.export({ query: questionOf(search, Date.now(), tenant), format })}
      lacks={({ cut }) =>
        cut
          ? 'The file holds the oldest entries only: there are more than one file can take. Choose a shorter time, or use cordon log export, which has no limit.'
          : null
      }
      onClose={onClose}
    >
      <p>
        {search.incident === undefined ? null : t.chosenIncident}
        {t.currentSearch(matching === undefined ? t.allMatchingEntries : t.allEntriesMatch(matching))}
      </p>
    </ExportFrame>
  );
}
