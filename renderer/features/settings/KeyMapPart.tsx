import { useState } from 'react';

import { useSetSettings, useSettings } from '../../api/hooks.ts';
import { Button } from '../../ui/Button.tsx';
import { Folded } from './Folded.tsx';
import { KeyCap } from '../../ui/KeyCap.tsx';
import { isFixed, keysOf, type ChosenKeys } from '../../ui/keys/chosen-keys.ts';
import { keyEntries, type KeyEntry, type KeyId } from '../../ui/keys/key-map.ts';
import { spell } from '../../ui/keys/match.ts';
import { isMac } from '../../ui/platform.ts';
import { KeyDialog } from './KeyDialog.tsx';
import { Part } from './Part.tsx';
import styles from './Settings.module.css';
import { t } from './text.ts';

/** Every key, and another one in its place. What a key does stays: no key changes anything. */
export function KeyMapPart() {
  const { keys: chosen } = useSettings();
  const set = useSetSettings();
  const [changing, setChanging] = useState<KeyId | null>(null);
  const sections = [...Map.groupBy(keyEntries, ([, entry]) => entry.section)];
  const count = Object.keys(chosen).length;
  return (
    <Part title={t.keyboardShortcuts} sets={['keys']} isLong about={t.shortcutsMove}>
      {count === 0 ? null : <Button onPress={() => set({ keys: {} })}>{t.resetShortcutsChanged(count)}</Button>}
      <div className={styles['wide']}>
        {sections.map(([section, entries]) => (
          <Folded key={section} title={section}>
            {entries.map(([id, entry]) => (
              <KeyRow key={id} id={id} entry={entry} chosen={chosen} onChange={() => setChanging(id)} />
            ))}
          </Folded>
        ))}
      </div>
      {changing === null ? null : (
        <KeyDialog
          id={changing}
          chosen={chosen}
          onClose={() => setChanging(null)}
          onChoose={(keys) => {
            const { [changing]: _old, ...others } = chosen;
            set({ keys: keys === null ? others : { ...others, [changing]: [keys] } });
            setChanging(null);
          }}
        />
      )}
    </Part>
  );
}

interface KeyRowProps {
  readonly id: KeyId;
  readonly entry: KeyEntry;
  readonly chosen: ChosenKeys;
  readonly onChange: () => void;
}

function KeyRow({ id, entry, chosen, onChange }: KeyRowProps) {
  const mac = isMac();
  const fixed = isFixed(id) ? 'Tables and charts always use this shortcut.' : null;
  return (
    <div className={styles['keyRow']}>
      <span>{entry.title}</span>
      <span className={styles['caps']}>
        {keysOf(id, chosen).map((keys) => (
          <KeyCap key={keys} keys={spell(keys, mac)} />
        ))}
      </span>
      <Button
        size="small"
        tone="quiet"
        reason={fixed}
        onPress={onChange}
        aria-label={t.changeShortcut(entry.title)}
        aria-haspopup="dialog"
      >
        {t.changeMore}
      </Button>
    </div>
  );
}
