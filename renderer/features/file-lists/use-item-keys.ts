import type { FileListItemRow } from '#shared/contract/directory.ts';

import { useAnnounce } from '../../ui/Announcer.tsx';
import { writeClipboard } from '../../ui/CopyButton.tsx';
import { useKey } from '../../ui/keys/KeyRegistry.tsx';

interface ItemKeys {
  focusSearch(): void;
  /** The item at the cursor; `undefined` where there is none. */
  current(): FileListItemRow | undefined;
  remove(item: FileListItemRow): void;
  copyAs(item: FileListItemRow): void;
  readonly isPeeking: boolean;
  closePeek(): void;
}

/** What the keys of the map mean for the item at the cursor. */
export function useItemKeys(keys: ItemKeys): void {
  const announce = useAnnounce();
  const withItem = (act: (item: FileListItemRow) => void) => () => {
    const item = keys.current();
    if (item === undefined) announce('Move to a hash first');
    else act(item);
  };
  const copy = async ({ sha256 }: FileListItemRow) =>
    announce((await writeClipboard(sha256)) ? 'Hash copied' : 'The hash could not be copied');
  useKey('list.filter', keys.focusSearch);
  useKey('fileList.remove', withItem(keys.remove));
  useKey(
    'fileList.copy',
    withItem((item) => void copy(item)),
  );
  useKey('fileList.copyAs', withItem(keys.copyAs));
  useKey('fileList.close', keys.closePeek, keys.isPeeking);
}
