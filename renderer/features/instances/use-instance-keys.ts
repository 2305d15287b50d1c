import type { ForwarderStatus, InstanceRow } from '#shared/contract/instances.ts';

import { useAnnounce } from '../../ui/Announcer.tsx';
import { writeClipboard } from '../../ui/CopyButton.tsx';
import { useKey } from '../../ui/keys/KeyRegistry.tsx';
import type { InstanceAct } from './search.ts';
import { routeUrl } from './words.ts';

interface InstanceKeys {
  readonly row: InstanceRow;
  readonly server: ForwarderStatus;
  /** Opens a dialog; nothing is changed by a key. */
  act(act: InstanceAct): void;
  tab(index: number): void;
  back(): void;
}

/** What the keys of the map mean on the screen of one instance. */
export function useInstanceKeys({ row, server, act, tab, back }: InstanceKeys): void {
  const announce = useAnnounce();
  const copy = async () =>
    announce(
      (await writeClipboard(routeUrl(server, row))) ? 'Address of the route copied' : 'The address could not be copied',
    );
  useKey('instance.edit', () => act('edit'));
  useKey('instance.expose', () => act('expose'));
  useKey('instance.probe', () => act('probe'));
  useKey('instance.copy', () => void copy());
  useKey('instance.tab1', () => tab(0));
  useKey('instance.tab2', () => tab(1));
  useKey('instance.tab3', () => tab(2));
  useKey('instance.tab4', () => tab(3), row.instance.program.kind !== 'external');
  useKey('instance.back', back);
}
