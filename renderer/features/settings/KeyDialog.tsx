import { useState, type KeyboardEvent } from 'react';

import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { KeyCap } from '../../ui/KeyCap.tsx';
import { conflictOf, refusalOf, writtenKeys, type ChosenKeys } from '../../ui/keys/chosen-keys.ts';
import { keyMap, type KeyId } from '../../ui/keys/key-map.ts';
import { spell } from '../../ui/keys/match.ts';
import { isMac } from '../../ui/platform.ts';
import styles from './Settings.module.css';
import { t } from './text.ts';

interface KeyDialogProps {
  readonly id: KeyId;
  readonly chosen: ChosenKeys;
  readonly onClose: () => void;
  /** `null` goes back to the usual keys. */
  readonly onChoose: (keys: string | null) => void;
}

/** Takes the next key that is pressed. Tab and Escape stay what they are, so that nobody is caught here. */
export function KeyDialog({ id, chosen, onClose, onChoose }: KeyDialogProps) {
  const [keys, setKeys] = useState<string | null>(null);
  const mac = isMac();
  const conflict = keys === null ? null : conflictOf(id, keys, chosen);
  const problem =
    keys === null
      ? 'Press a key first.'
      : (refusalOf(keys) ?? (conflict === null ? null : `It belongs to “${keyMap[conflict].title}” already.`));
  const press = (event: KeyboardEvent) => {
    const pressed = writtenKeys({
      key: event.key,
      ctrl: event.ctrlKey,
      meta: event.metaKey,
      alt: event.altKey,
      shift: event.shiftKey,
    });
    if (pressed === null || ['Tab', 'Shift+Tab', 'Escape'].includes(pressed)) return;
    event.preventDefault();
    event.stopPropagation();
    setKeys(pressed);
  };
  return (
    <Dialog
      title={t.shortcutFor(keyMap[id].title)}
      size="small"
      isOpen
      onClose={onClose}
      footer={
        <>
          <Button onPress={onClose}>{t.cancel}</Button>
          {chosen[id] === undefined ? null : <Button onPress={() => onChoose(null)}>{t.defaultShortcut}</Button>}
          <Button tone="primary" reason={problem} onPress={() => (keys === null ? undefined : onChoose(keys))}>
            {t.doUseThisShortcut}
          </Button>
        </>
      }
    >
      <div className={styles['stack']}>
        <p>{t.default(keyMap[id].section, keyMap[id].keys.map((usual) => spell(usual, mac)).join(' or '))}</p>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it takes the key that is pressed */}
        <div
          className={styles['catch']}
          role="application"
          aria-label={t.pressNewShortcut}
          tabIndex={0}
          ref={(element) => element?.focus()}
          onKeyDown={press}
        >
          {keys === null ? t.pressNewShortcutTitle : <KeyCap keys={spell(keys, mac)} />}
        </div>
        {keys !== null && problem !== null ? <Banner tone="warning">{problem}</Banner> : null}
      </div>
    </Dialog>
  );
}
