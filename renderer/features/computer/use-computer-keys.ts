import { useConsoleKey } from '../../commands/use-console-key.ts';
import { useAnnounce } from '../../ui/Announcer.tsx';
import { writeClipboard } from '../../ui/CopyButton.tsx';
import { useKey } from '../../ui/keys/KeyRegistry.tsx';
import { computerPage } from '../../ui/web-console.ts';
import type { ComputerSearch } from './search.ts';

interface ComputerKeys {
  readonly guid: string;
  /** Opens a dialog; nothing is sent by a key. */
  act(act: ComputerSearch['act']): void;
  tab(tab: NonNullable<ComputerSearch['tab']>): void;
  back(): void;
}

/** What the keys of the map mean on the screen of one computer. */
export function useComputerKeys({ guid, act, tab, back }: ComputerKeys): void {
  const announce = useAnnounce();
  const copy = async () => announce((await writeClipboard(guid)) ? 'GUID copied' : 'The GUID could not be copied');
  useKey('computer.isolate', () => act('isolate'));
  useKey('computer.release', () => act('release'));
  useKey('computer.move', () => act('move'));
  useKey('computer.copy', () => void copy());
  useKey('computer.copyAs', () => act('copy'));
  useKey('computer.note', () => act('note'));
  useKey('computer.labels', () => act('labels'));
  useConsoleKey(computerPage(guid));
  useKey('computer.tab1', () => tab('activity'));
  useKey('computer.tab2', () => tab('trajectory'));
  useKey('computer.tab3', () => tab('log'));
  useKey('computer.tab4', () => tab('vulnerabilities'));
  useKey('computer.tab5', () => tab('record'));
  useKey('computer.back', back);
}
