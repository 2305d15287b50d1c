import { useEffect, useRef } from 'react';

import { cx } from '../ui/cx.ts';
import { KeyCap } from '../ui/KeyCap.tsx';
import { spell } from '../ui/keys/match.ts';
import { isMac } from '../ui/platform.ts';
import styles from './Palette.module.css';
import { t } from './text.ts';
import type { PaletteItem } from './palette-item.ts';

interface PaletteListProps {
  readonly id: string;
  readonly items: readonly PaletteItem[];
  readonly picked: number;
  readonly onTake: (item: PaletteItem) => void;
}

export function PaletteList({ id, items, picked, onTake }: PaletteListProps) {
  const list = useRef<HTMLDivElement>(null);
  const mac = isMac();
  useEffect(() => {
    list.current?.querySelector(`[aria-selected="true"]`)?.scrollIntoView({ block: 'nearest' });
  }, [picked, items]);
  const sections = Map.groupBy(
    items.map((item, index) => ({ item, index })),
    ({ item }) => item.section,
  );
  return (
    <div ref={list} id={id} role="listbox" aria-label={t.results} className={styles['list']}>
      {items.length === 0 ? <p className={styles['none']}>{t.noMatch}</p> : null}
      {[...sections].map(([section, entries]) => (
        <div key={section} role="group" aria-label={section}>
          <div className={styles['section']} aria-hidden="true">
            {section}
          </div>
          {entries.map(({ item, index }) => (
            <div
              key={item.id}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === picked}
              className={cx(styles['item'], index === picked && styles['picked'])}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => onTake(item)}
            >
              <span className={styles['title']}>{item.title}</span>
              <span className={styles['detail']}>{item.detail}</span>
              {item.keys === undefined ? null : <KeyCap keys={spell(item.keys, mac)} />}
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}
