import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';

import { useApi } from '../../api/ApiProvider.tsx';
import { asCordonError } from '../../api/errors.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { saveBlob } from '../../ui/chart/save.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { RadioGroup } from '../../ui/Toggle.tsx';
import styles from './IncidentLogScreen.module.css';
import type { IncidentLogSearch } from './search.ts';
import { questionOf } from './use-log-entries.ts';

interface ExportDialogProps {
  readonly search: IncidentLogSearch;
  readonly matching: number | undefined;
  readonly onClose: () => void;
}

/** All entries that match, not only those on the screen, as a file. */
export function ExportDialog({ search, matching, onClose }: ExportDialogProps) {
  const { client } = useApi();
  const [format, setFormat] = useState<'jsonl' | 'csv' | 'md' | 'html'>('jsonl');
  const exporting = useMutation({
    mutationFn: () => client.log.export({ query: questionOf(search, Date.now()), format }),
    onSuccess: (file) => {
      saveBlob(new Blob([file.text], { type: file.mediaType }), file.name);
      onClose();
    },
  });
  return (
    <Dialog
      title="Export the log"
      size="small"
      isOpen
      onClose={onClose}
      footer={
        <>
          <Button onPress={onClose}>Cancel</Button>
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
          {search.incident === undefined ? null : 'Of the chosen incident. '}
          {matching === undefined ? 'All entries that match' : `All ${matching} entries that match`} the present search,
          oldest first.
        </p>
        <RadioGroup
          label="Format"
          value={format}
          onChange={setFormat}
          options={[
            { value: 'jsonl', label: 'JSON Lines', detail: 'one entry a line, nothing lost' },
            { value: 'csv', label: 'CSV', detail: 'for a spreadsheet; cells cannot act as formulas' },
            { value: 'md', label: 'Markdown report', detail: 'for a ticket or a wiki' },
            { value: 'html', label: 'HTML report', detail: 'one page to read and print, without scripts' },
          ]}
        />
        {exporting.error === null ? null : <Banner tone="bad">{asCordonError(exporting.error).message}</Banner>}
      </div>
    </Dialog>
  );
}
