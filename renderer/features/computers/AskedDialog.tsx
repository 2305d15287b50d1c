import { useQuery } from '@tanstack/react-query';

import { useActiveConnection } from '../../api/active.tsx';
import { useApi } from '../../api/ApiProvider.tsx';
import { CopyAsDialog } from '../../commands/CopyAsDialog.tsx';
import { NoteDialog } from '../../commands/NoteDialog.tsx';

/** What a key asked for about the computer at the cursor. */
export interface Asked {
  readonly what: 'copy' | 'note';
  readonly guid: string;
}

/** Shown once the computer is read from the local copy. */
export function AskedDialog({ asked, onClose }: { readonly asked: Asked; readonly onClose: () => void }) {
  const { queries } = useApi();
  const { id: connection } = useActiveConnection();
  const { data } = useQuery(queries.computers.detail.queryOptions({ input: { connection, guid: asked.guid } }));
  if (data === undefined || data === null) return null;
  const { row } = data;
  if (asked.what === 'copy') return <CopyAsDialog row={row} onClose={onClose} />;
  return <NoteDialog target={{ guid: row.guid, label: row.hostname }} onClose={onClose} />;
}
