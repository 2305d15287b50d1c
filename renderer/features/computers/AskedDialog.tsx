import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { useActiveConnection } from '../../api/active.tsx';
import { useApi } from '../../api/ApiProvider.tsx';
import { CopyAsDialog } from '../../commands/CopyAsDialog.tsx';
import { MoveComputerDialog } from '../../commands/move/MoveComputerDialog.tsx';
import type { MoveRequest } from '../../commands/move/types.ts';
import { NoteDialog } from '../../commands/NoteDialog.tsx';

/** What a key asked for about the computer at the cursor. */
export interface Asked {
  readonly what: 'copy' | 'note' | 'move';
  readonly guid: string;
}

/** Shown once the computer is read from the local copy. */
export function AskedDialog({ asked, onClose }: { readonly asked: Asked; readonly onClose: () => void }) {
  const { queries } = useApi();
  const { id: connection } = useActiveConnection();
  const [back, setBack] = useState<MoveRequest | null>(null);
  const { data } = useQuery(queries.computers.detail.queryOptions({ input: { connection, guid: asked.guid } }));
  if (data === undefined || data === null) return null;
  const { row } = data;
  if (asked.what === 'copy') return <CopyAsDialog row={row} onClose={onClose} />;
  if (asked.what === 'note') return <NoteDialog target={{ guid: row.guid, label: row.hostname }} onClose={onClose} />;
  const request = back ?? { guid: row.guid, hostname: row.hostname };
  return (
    <MoveComputerDialog key={back === null ? 'there' : 'back'} request={request} onClose={onClose} onUndo={setBack} />
  );
}
