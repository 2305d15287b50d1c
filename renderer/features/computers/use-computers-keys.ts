import { useAnnounce } from '../../ui/Announcer.tsx';
import { writeClipboard } from '../../ui/CopyButton.tsx';
import { useKey } from '../../ui/keys/KeyRegistry.tsx';

interface ComputersKeys {
  focusFilter(): void;
  isPeeking: boolean;
  closePeek(): void;
  /** GUID under the cursor. */
  current(): string | undefined;
  /** Opens a dialog about a computer; nothing is sent by a key. */
  act(guid: string, act: 'isolate' | 'release' | 'move'): void;
  copyAs(guid: string): void;
  note(guid: string): void;
}

/** What the keys of the map mean on the computers screen. */
export function useComputersKeys(keys: ComputersKeys): void {
  const announce = useAnnounce();
  const onCurrent = (what: (guid: string) => void) => () => {
    const guid = keys.current();
    if (guid === undefined) announce('Move to a computer first');
    else what(guid);
  };
  const copy = async (guid: string) =>
    announce((await writeClipboard(guid)) ? 'GUID copied' : 'The GUID could not be copied');
  useKey('list.filter', keys.focusFilter);
  useKey('computers.close', keys.closePeek, keys.isPeeking);
  useKey(
    'computers.isolate',
    onCurrent((guid) => keys.act(guid, 'isolate')),
  );
  useKey(
    'computers.release',
    onCurrent((guid) => keys.act(guid, 'release')),
  );
  useKey(
    'computers.move',
    onCurrent((guid) => keys.act(guid, 'move')),
  );
  useKey(
    'computers.copy',
    onCurrent((guid) => void copy(guid)),
  );
  useKey('computers.copyAs', onCurrent(keys.copyAs));
  useKey('computers.note', onCurrent(keys.note));
}
