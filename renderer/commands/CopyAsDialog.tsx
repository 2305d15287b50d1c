import type { ComputerRow } from '#shared/model/computer.ts';

import { useSettings } from '../api/hooks.ts';
import { copyForms } from './copy-as.ts';
import { CopyDialog } from './CopyDialog.tsx';

/** A computer; the CSV has the columns of the table. */
export function CopyAsDialog({ row, onClose }: { readonly row: ComputerRow; readonly onClose: () => void }) {
  const { computerColumns } = useSettings();
  return <CopyDialog title={`Copy ${row.hostname} as`} forms={copyForms(row, computerColumns)} onClose={onClose} />;
}
