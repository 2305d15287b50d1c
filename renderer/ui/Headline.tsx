import type { ReactNode } from 'react';

import styles from './Headline.module.css';
import { Link } from './Link.tsx';

interface HeadlineProps {
  /** Where it is listed, such as `Groups`, and the address of that. */
  readonly list: string;
  readonly href: string;
  readonly name: string;
  /** Tags behind the name. */
  readonly children?: ReactNode;
}

/** First line of a screen about one object. */
export function Headline({ list, href, name, children }: HeadlineProps) {
  return (
    <div className={styles['headline']}>
      <Link href={href} aria-label={`Back to the ${list.toLowerCase()}`}>
        {list}
      </Link>
      <span aria-hidden="true"> ▸ </span>
      <h1 className={styles['name']}>{name}</h1>
      {children}
    </div>
  );
}
