import { useState } from 'react';

import { useAnnounce } from '../../ui/Announcer.tsx';
import { Button } from '../../ui/Button.tsx';
import { saveBlob } from '../../ui/chart/save.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { formatCount } from '../../ui/time.ts';
import { RadioGroup } from '../../ui/Toggle.tsx';
import { fileOf, type ExportedTable } from './table-export.ts';

interface TableExportDialogProps {
  readonly title: string;
  readonly table: ExportedTable;
  /** What the file lacks, in a sentence; `null` when it is whole. */
  readonly lacks: string | null;
  readonly onClose: () => void;
}

/** Rows of a screen as a file, from the local copy. */
export function TableExportDialog({ title, table, lacks, onClose }: TableExportDialogProps) {
  const announce = useAnnounce();
  const [format, setFormat] = useState<'csv' | 'json'>('csv');
  const save = () => {
    const { name, mediaType, text } = fileOf(table, format, new Date());
    saveBlob(new Blob([text], { type: mediaType }), name);
    announce(`${name} saved`);
    onClose();
  };
  return (
    <Dialog
      title={title}
      size="small"
      isOpen
      onClose={onClose}
      footer={
        <>
          <Button onPress={onClose}>Cancel</Button>
          <Button tone="primary" onPress={save}>
            Export
          </Button>
        </>
      }
    >
      <p>
        All {formatCount(table.rows.length)} rows as they are shown. No call is made for it. {lacks}
      </p>
      <RadioGroup
        label="Format"
        value={format}
        onChange={setFormat}
        options={[
          { value: 'csv', label: 'CSV', detail: 'for a spreadsheet; cells cannot act as formulas' },
          { value: 'json', label: 'JSON', detail: 'records with GUIDs' },
        ]}
      />
    </Dialog>
  );
}
