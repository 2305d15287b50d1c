import type { ReactNode } from 'react';

import styles from './Settings.module.css';

interface PartProps {
  readonly title: string;
  readonly about?: ReactNode;
  readonly children?: ReactNode;
}

/** One setting: what it is, and its control. */
export function Part({ title, about, children }: PartProps) {
  return (
    <div className={styles['part']} role="group" aria-label={title}>
      <div className={styles['what']}>
        <h3 className={styles['title']}>{title}</h3>
        {about === undefined ? null : <p className={styles['about']}>{about}</p>}
      </div>
      <div className={styles['control']}>{children}</div>
    </div>
  );
}
