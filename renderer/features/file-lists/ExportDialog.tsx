import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';

import type { FileListRow } from '#shared/contract/directory.ts';

import { useActiveConnection } from '../../api/active.tsx';
import { useApi } from '../../api/ApiProvider.tsx';
import { asCordonError } from '../../api/errors.ts';
import { useAnnounce } from '../../ui/Announcer.tsx';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { saveBlob } from '../../ui/chart/save.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { formatCount } from '../../ui/time.ts';
import { RadioGroup } from '../../ui/Toggle.tsx';
import styles from './FileLists.module.css';
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
  const announce = useAnnounce();
  const [format, setFormat] = useState<'csv' | 'json'>('csv');
  const exporting = useMutation({
    mutationFn: () => client.directory.fileLists.export({ connection, guid: list.guid, ...question, format }),
    onSuccess: ({ name, mediaType, text, cut }) => {
      saveBlob(new Blob([text], { type: mediaType }), name);
      announce(`${name} saved`);
      if (!cut) onClose();
    },
  });
  const isCut = exporting.data?.cut === true;
  return (
    <Dialog
      title={`Export ${list.name}`}
      size="small"
      isOpen
      onClose={onClose}
      footer={
        <>
          <Button onPress={onClose}>{isCut ? 'Close' : 'Cancel'}</Button>
          <Button
            tone="primary"
            onPress={() => exporting.mutate()}
            reason={exporting.isPending ? 'It is being written.' : null}
          >
            Export
          </Button>
        </>
      }
    >
      <div className={styles['form']}>
        <p>
          All{' '}
          {question.search === ''
            ? `${formatCount(list.itemsRead.read)} hashes`
            : `hashes that match “${question.search}”`}
          , in the order of the table. No call is made for it.
        </p>
        {itemsKnown(list) === 'whole' ? null : (
          <Banner tone="warning">The list was not read to its end: the file has {countWords(list)} hashes.</Banner>
        )}
        <RadioGroup
          label="Format"
          value={format}
          onChange={setFormat}
          options={[
            { value: 'csv', label: 'CSV', detail: 'for a spreadsheet; cells cannot act as formulas' },
            { value: 'json', label: 'JSON', detail: 'one array of records' },
          ]}
        />
        {isCut ? (
          <Banner tone="warning">
            The file was saved, but it is not whole: there are more hashes than one file takes. Narrow them by a search.
          </Banner>
        ) : null}
        {exporting.error === null ? null : <Banner tone="bad">{asCordonError(exporting.error).message}</Banner>}
      </div>
    </Dialog>
  );
}
