import { useAnnounce } from '../../ui/Announcer.tsx';
import { writeClipboard } from '../../ui/CopyButton.tsx';
import { useKey } from '../../ui/keys/KeyRegistry.tsx';
import type { GroupView } from './search.ts';
import type { PickedGroups } from './use-picked.ts';

interface GroupsKeys {
  focusSearch(): void;
  focusRefresh(): void;
  view(view: GroupView): void;
  exportRows(): void;
  /** Closes the panel, or with the focus in its members leads back to the tree first. */
  back(): void;
  canGoBack: boolean;
  /** GUID of the group at the cursor. */
  current(): string | undefined;
  readonly picked: PickedGroups;
  assign(): void;
  compare(): void;
  open(): void;
  computers(): void;
  note(): void;
  /** Opens the dialog that moves the computer at the cursor of the members; `false` when there is none. */
  move(): boolean;
}

/** What the keys of the map mean on the screen of groups. Keys open dialogs; none sends anything. */
export function useGroupsKeys(keys: GroupsKeys): void {
  const announce = useAnnounce();
  const onCurrent = (what: (guid: string) => void) => () => {
    const guid = keys.current();
    if (guid === undefined) announce('Move to a group first');
    else what(guid);
  };
  const copy = async (guid: string) =>
    announce((await writeClipboard(guid)) ? 'GUID copied' : 'The GUID could not be copied');
  useKey('list.filter', keys.focusSearch);
  useKey('groups.refresh', keys.focusRefresh);
  useKey('groups.export', keys.exportRows);
  useKey('groups.view1', () => keys.view('tree'));
  useKey('groups.view2', () => keys.view('icicle'));
  useKey('groups.view3', () => keys.view('policies'));
  useKey('groups.close', keys.back, keys.canGoBack);
  const assign = onCurrent(keys.assign);
  useKey('groups.assign', () => {
    if (!keys.picked.isInView || !keys.picked.assign()) assign();
  });
  const toPicked = () => keys.picked.buttons.current?.querySelector('button')?.focus();
  useKey('groups.selection', toPicked, keys.picked.guids.length > 0);
  useKey('groups.diff', keys.compare);
  useKey('groups.open', onCurrent(keys.open));
  useKey('groups.computers', onCurrent(keys.computers));
  useKey('groups.note', onCurrent(keys.note));
  useKey(
    'groups.copy',
    onCurrent((guid) => void copy(guid)),
  );
  useKey('groups.move', () => {
    if (keys.move()) return;
    announce('Move to a computer of the members first. A group is moved under another in the web console.');
  });
}
