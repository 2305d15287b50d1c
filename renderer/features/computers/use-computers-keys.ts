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
}

/** What the keys of the map mean on the computers screen. */
export function useComputersKeys(keys: ComputersKeys): void {
  const announce = useAnnounce();
  const act = (what: 'isolate' | 'release' | 'move') => {
    const guid = keys.current();
    if (guid === undefined) announce('Move to a computer first');
    else keys.act(guid, what);
  };
  const copy = async () => {
    const guid = keys.current();
    if (guid === undefined) announce('Move to a computer first');
    else announce((await writeClipboard(guid)) ? 'GUID copied' : 'The GUID could not be copied');
  };
  useKey('list.filter', keys.focusFilter);
  useKey('computers.close', keys.closePeek, keys.isPeeking);
  useKey('computers.isolate', () => act('isolate'));
  useKey('computers.release', () => act('release'));
  useKey('computers.move', () => act('move'));
  useKey('computers.copy', () => void copy());
}
