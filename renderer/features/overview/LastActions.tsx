import type { Overview } from '#shared/contract/sight.ts';

import { Link } from '../../ui/Link.tsx';
import { Time } from '../../ui/Time.tsx';
import { Card } from '../../ui/Toolbar.tsx';
import { unseen } from '../../ui/unseen.ts';
import styles from './OverviewScreen.module.css';

/** What was changed last, from the incident log. */
export function LastActions({ actions }: { readonly actions: Overview['lastActions'] }) {
  return (
    <Card title="Last actions" aside={<Link href="/log?writes=true">All changes</Link>}>
      {actions.length === 0 ? (
        <p className={styles['hint']}>Nothing was changed from this console yet.</p>
      ) : (
        <ul className={styles['actions']}>
          {actions.map((action) => (
            <li key={action.open} className={styles['action']}>
              <span className={action.ok ? styles['fine'] : styles['wrong']}>
                <span aria-hidden="true">{action.ok ? '✓' : '✕'}</span>
                <span className={unseen}>{action.ok ? 'went well:' : 'failed or unknown:'}</span>
              </span>
              <Link href={action.open} className={styles['actionText']}>
                {action.text}
              </Link>
              <span className={styles['since']}>
                <Time at={action.at} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
