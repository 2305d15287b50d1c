import { useUi } from '../../state/ui.tsx';
import { useKey } from '../../ui/keys/KeyRegistry.tsx';
import { isAboutEvidence } from './EntryPanel.tsx';
import type { OpenLogDialogs } from './LogDialogs.tsx';
import { lineBehind } from './replay.ts';
import type { Shown } from './LogPanel.tsx';

interface LogKeys {
  readonly shown: Shown;
  readonly dialogs: OpenLogDialogs;
  readonly verify: () => void;
  readonly handOver: () => void;
}

/** Keys of the log: they show, and open dialogs and the command line. None of them sends or writes anything. */
export function useLogKeys({ shown, dialogs, verify, handOver }: LogKeys) {
  const setDrawer = useUi((ui) => ui.setDrawer);
  const again = (line: string) => setDrawer(true, line);
  const { row, all } = shown;
  const entry = row?.kind === 'own' ? row.entry : null;
  const line = entry === null ? null : lineBehind(entry, all);
  const canPin = row !== null && (entry === null || !isAboutEvidence(entry));
  useKey('log.note', () => dialogs.open({ kind: 'note', about: entry }));
  useKey('log.mention', () => dialogs.open({ kind: 'note', about: entry, text: '@' }));
  useKey('log.pin', () => (row === null ? undefined : dialogs.open({ kind: 'pin', row })), canPin);
  useKey('log.export', () => dialogs.open({ kind: 'export' }));
  useKey('log.handover', handOver);
  useKey('log.verify', verify);
  useKey('log.again', () => (line === null ? undefined : again(line)), line !== null);
  return { again };
}
