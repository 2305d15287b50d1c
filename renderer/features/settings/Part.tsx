import type { ReactNode } from 'react';

import type { Settings } from '#shared/model/settings.ts';

import { useManaged } from '../../api/hooks.ts';
import { Held } from '../../ui/Held.tsx';
import styles from './Settings.module.css';

interface PartProps {
  readonly title: string;
  readonly about?: ReactNode;
  /** What it changes: locked while an administrator holds one of them. */
  readonly sets?: readonly (keyof Settings)[];
  readonly children?: ReactNode;
}

/** One setting: what it is, and its control. */
export function Part({ title, about, sets, children }: PartProps) {
  const managed = useManaged();
  return (
    <div className={styles['part']} role="group" aria-label={title}>
      <div className={styles['what']}>
        <h3 className={styles['title']}>{title}</h3>
        {about === undefined ? null : <p className={styles['about']}>{about}</p>}
      </div>
      <div className={styles['control']}>
        <Held by={sets?.some((name) => managed.settings.includes(name)) === true}>{children}</Held>
      </div>
    </div>
  );
}
