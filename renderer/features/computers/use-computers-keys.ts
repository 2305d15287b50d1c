import type { ComputerRow } from '#shared/model/computer.ts';

import { useAnnounce } from '../../ui/Announcer.tsx';
import { writeClipboard } from '../../ui/CopyButton.tsx';
import { useKey } from '../../ui/keys/KeyRegistry.tsx';

interface ComputersKeys {
  focusFilter(): void;
  isPeeking: boolean;
  closePeek(): void;
  /** The row under the cursor. */
  current(): ComputerRow | undefined;
  /** Opens a dialog about a computer; nothing is sent by a key. */
  act(guid: string, act: 'isolate' | 'release' | 'move'): void;
  copyAs(row: ComputerRow): void;
  note(row: ComputerRow): void;
}

/** What the keys of the map mean on the computers screen. */
export function useComputersKeys(keys: ComputersKeys): void {
  const announce = useAnnounce();
  const onCurrent = (what: (row: ComputerRow) => void) => () => {
    const row = keys.current();
    if (row === undefined) announce('Move to a computer first');
    else what(row);
  };
  const copy = async ({ guid }: ComputerRow) =>
    announce((await writeClipboard(guid)) ? 'GUID copied' : 'The GUID could not be copied');
  useKey('list.filter', keys.focusFilter);
  useKey('computers.close', keys.closePeek, keys.isPeeking);
  useKey('computers.isolate', onCurrent((row) => keys.act(row.guid, 'isolate')));
  useKey('computers.release', onCurrent((row) => keys.act(row.guid, 'release')));
  useKey('computers.move', onCurrent((row) => keys.act(row.guid, 'move')));
  useKey(
    'computers.copy',
    onCurrent((row) => void copy(row)),
  );
  useKey('computers.copyAs', onCurrent(keys.copyAs));
  useKey('computers.note', onCurrent(keys.note));
}
