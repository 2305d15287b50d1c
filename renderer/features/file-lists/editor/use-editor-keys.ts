import type { DraftRow } from '#shared/model/list-draft.ts';

import { useAnnounce } from '../../../ui/Announcer.tsx';
import { useKey } from '../../../ui/keys/KeyRegistry.tsx';
import type { OpenDialog } from './EditorDialogs.tsx';

interface EditorKeys {
  open(dialog: OpenDialog): void;
  /** The selection, or else the row at the cursor. */
  chosen(): readonly string[];
  current(): DraftRow | undefined;
  drop(keys: readonly string[]): Promise<void>;
  pickFiles(): void;
  close(): void;
  /** `null` where nothing is selected. */
  readonly clear: (() => void) | null;
}

/** No key sends anything: keys open dialogs, and one takes rows out of the draft. */
export function useEditorKeys(keys: EditorKeys): void {
  const announce = useAnnounce();
  const withRows = (act: (chosen: readonly string[]) => void) => () => {
    const chosen = keys.chosen();
    if (chosen.length === 0) announce('Move to a row first');
    else act(chosen);
  };
  useKey('listEditor.add', () => keys.open({ kind: 'stage', name: 'typed', text: '' }));
  useKey('listEditor.files', keys.pickFiles);
  useKey('listEditor.difference', () => keys.open({ kind: 'difference' }));
  useKey(
    'listEditor.note',
    withRows((chosen) => {
      const row = keys.current();
      const isOne = chosen.length === 1 && row?.key === chosen[0];
      keys.open({ kind: 'row', keys: chosen, row: isOne ? row : undefined });
    }),
  );
  useKey(
    'listEditor.prevalence',
    withRows((chosen) => keys.open({ kind: 'prevalence', keys: chosen })),
  );
  useKey(
    'listEditor.drop',
    withRows((chosen) => void keys.drop(chosen).then(() => announce('Taken out of the draft'))),
  );
  useKey('listEditor.preview', () => keys.open({ kind: 'preview' }));
  useKey('listEditor.commit', () => keys.open({ kind: 'commit' }));
  useKey('listEditor.discard', () => keys.open({ kind: 'discard' }));
  useKey('listEditor.close', keys.clear ?? keys.close);
}
