import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';

import type { exportFormats } from '#shared/contract/computer-list.ts';
import type { ComputerSort } from '#shared/contract/contract.ts';

import { useApi } from '../../api/ApiProvider.tsx';
import { asCordonError } from '../../api/errors.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { saveBlob } from '../../ui/chart/save.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { formatCount } from '../../ui/time.ts';
import { RadioGroup } from '../../ui/Toggle.tsx';
import styles from './ComputersScreen.module.css';

interface ExportDialogProps {
  readonly question: {
    readonly connection: string;
    readonly filter: string;
    readonly sort: { readonly column: ComputerSort; readonly descending: boolean };
  };
  readonly matching: number;
  readonly columns: readonly string[];
  readonly selected: readonly string[];
  readonly onClose: () => void;
}

type Format = (typeof exportFormats)[number];

/** All rows that match, or the selected ones, as a file from the local copy. */
export function ExportDialog({ question, matching, columns, selected, onClose }: ExportDialogProps) {
  const { client } = useApi();
  const [format, setFormat] = useState<Format>('csv');
  const [scope, setScope] = useState<'matching' | 'selected'>(selected.length > 0 ? 'selected' : 'matching');
  const exporting = useMutation({
    mutationFn: () =>
      client.computers.export({
        ...question,
        format,
        columns: [...columns],
        guids: scope === 'selected' ? [...selected] : null,
      }),
    onSuccess: (file) => {
      saveBlob(new Blob([file.text], { type: file.mediaType }), file.name);
      if (file.partial === null) onClose();
    },
  });
  const partial = exporting.data?.partial ?? null;
  return (
    <Dialog
      title="Export the computers"
      size="small"
      isOpen
      onClose={onClose}
      footer={
        <>
          <Button onPress={onClose}>{partial === null ? 'Cancel' : 'Close'}</Button>
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
        {selected.length === 0 ? (
          <p>All {formatCount(matching)} rows that match the present filter, in their order.</p>
        ) : (
          <RadioGroup
            label="Rows"
            value={scope}
            onChange={setScope}
            options={[
              { value: 'selected', label: `The ${formatCount(selected.length)} selected` },
              { value: 'matching', label: `All ${formatCount(matching)} that match the filter` },
            ]}
          />
        )}
        <RadioGroup
          label="Format"
          value={format}
          onChange={setFormat}
          options={[
            { value: 'csv', label: 'CSV', detail: 'the columns of the table; no cell acts as a formula' },
            { value: 'jsonl', label: 'JSON Lines', detail: "the service's records, one a line, every digit kept" },
            { value: 'json', label: 'JSON', detail: 'the same as one document' },
          ]}
        />
        <p className={styles['hint']}>
          The first line says what the file holds: filter, time, number of rows, and whether it is complete. No call is
          made for it.
        </p>
        {partial === null ? null : (
          <Banner tone="warning">The file was saved, but it is not whole, and its name says so: {partial}</Banner>
        )}
        {exporting.error === null ? null : <Banner tone="bad">{asCordonError(exporting.error).message}</Banner>}
      </div>
    </Dialog>
  );
}
