import type { FileListRow } from '#shared/contract/directory.ts';
import { counted } from '#shared/text/numbers.ts';
import { nouns } from '#shared/text/terms.ts';

import { useActiveConnection } from '../../api/active.tsx';
import { useApi } from '../../api/ApiProvider.tsx';
import { ExportFrame } from '../../commands/ExportFrame.tsx';
import { Banner } from '../../ui/Banner.tsx';
import { t } from './text.ts';
import type { ItemsQuestion } from './use-items.ts';
import { countWords, itemsKnown } from './words.ts';

interface ExportDialogProps {
  readonly list: FileListRow;
  readonly question: ItemsQuestion;
  readonly onClose: () => void;
}

/** All hashes that match, not only those on the screen, as a file from the local copy. */
export function ExportDialog({ list, question, onClose }: ExportDialogProps) {
  const { client } = useApi();
  const { id: connection } = useActiveConnection();
  return (
    <ExportFrame
      title={t.export(list.name)}
      formats={[
        { value: 'csv', label: 'CSV', detail: 'for a spreadsheet; cells cannot act as formulas' },
        { value: 'json', label: 'JSON', detail: 'one array of records' },
      ]}
      write={(format) => client.directory.fileLists.export({ connection, guid: list.guid, ...question, format })}
      lacks={({ cut }) => (cut ? notWhole : null)}
      onClose={onClose}
    >
      <p>
        {t.allTableOrder(
          question.search === '' ? counted(list.itemsRead.read, nouns.hash) : t.hashesThatMatch(question.search),
        )}
      </p>
      {itemsKnown(list) === 'whole' ? null : <Banner tone="warning">{t.listNotFully(countWords(list))}</Banner>}
    </ExportFrame>
  );
}

const notWhole =
  'The file was saved, but it is not whole: there are more hashes than one file takes. Narrow them by a search.';
