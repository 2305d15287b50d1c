import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';

import type { EventQuery, EventWindow } from '#shared/contract/events.ts';

import { useApi } from '../../api/ApiProvider.tsx';
import { asCordonError } from '../../api/errors.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { saveBlob } from '../../ui/chart/save.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { formatCount } from '../../ui/time.ts';
import { RadioGroup } from '../../ui/Toggle.tsx';
import styles from './EventsScreen.module.css';

interface ExportDialogProps {
  readonly question: EventQuery;
  readonly matching: EventWindow['matching'] | undefined;
  readonly onClose: () => void;
}

/** All rows that match, not only those on the screen, as a file from the local copy. */
export function ExportDialog({ question, matching, onClose }: ExportDialogProps) {
  const { client } = useApi();
  const [format, setFormat] = useState<'jsonl' | 'csv'>('csv');
  const exporting = useMutation({
    mutationFn: () => client.events.export({ ...question, format }),
    onSuccess: (file) => {
      saveBlob(new Blob([file.text], { type: file.mediaType }), file.name);
      if (!file.cut) onClose();
    },
  });
  const isCut = exporting.data?.cut === true;
  return (
    <Dialog
      title="Export the events"
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
          {matching === undefined
            ? 'All rows that match'
            : `All ${matching.exact ? '' : '≥ '}${formatCount(matching.count)} rows that match`}{' '}
          the present filter and time, newest first. No call is made for it.
        </p>
        <RadioGroup
          label="Format"
          value={format}
          onChange={setFormat}
          options={[
            { value: 'csv', label: 'CSV', detail: 'for a spreadsheet; cells cannot act as formulas' },
            { value: 'jsonl', label: 'JSON Lines', detail: "the service's records, one a line, every digit kept" },
          ]}
        />
        {isCut ? (
          <Banner tone="warning">
            The file was saved, but it is not whole: there are more rows than one file takes. Choose a shorter time for
            the older ones.
          </Banner>
        ) : null}
        {exporting.error === null ? null : <Banner tone="bad">{asCordonError(exporting.error).message}</Banner>}
      </div>
    </Dialog>
  );
}
