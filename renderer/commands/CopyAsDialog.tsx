import type { ComputerRow } from '#shared/model/computer.ts';

import { useSettings } from '../api/hooks.ts';
import { copyForms } from './copy-as.ts';
import { CopyDialog } from './CopyDialog.tsx';
import { t } from './text.ts';

/** A computer; the CSV has the columns of the table. */
export function CopyAsDialog({ row, onClose }: { readonly row: ComputerRow; readonly onClose: () => void }) {
  const { computerColumns } = useSettings();
  return <CopyDialog title={t.copyAs(row.hostname)} forms={copyForms(row, computerColumns)} onClose={onClose} />;
}
