import type { FileListItemRow } from '#shared/contract/directory.ts';
import { shortHash } from '#shared/model/file-hash.ts';

import { CopyDialog } from '../../commands/CopyDialog.tsx';
import { copyForms } from './copy-item.ts';
import { t } from './text.ts';

interface CopyItemDialogProps {
  readonly item: FileListItemRow;
  /** GUID of the list; `null` for a hash of no list. */
  readonly list: string | null;
  readonly onClose: () => void;
}

/** A hash of a file list. */
export function CopyItemDialog({ item, list, onClose }: CopyItemDialogProps) {
  const forms = copyForms(item, list, window.location.href.replace(/#.*$/, ''));
  return <CopyDialog title={t.copyAs(shortHash(item.sha256))} forms={forms} onClose={onClose} />;
}
