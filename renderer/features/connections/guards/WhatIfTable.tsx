import type { WhatIf } from '#shared/contract/guards.ts';

import { Tag } from '../../../ui/Tag.tsx';
import styles from './guards.module.css';
import { t } from './text.ts';

/** The rules, told by examples, as they are typed. */
export function WhatIfTable({ rows }: { readonly rows: readonly WhatIf[] | undefined }) {
  return (
    <table className={styles['table']}>
      <caption className={styles['caption']}>{t.whatHappens}</caption>
      <thead>
        <tr>
          <th scope="col">{t.computers}</th>
          <th scope="col">{t.tier}</th>
          <th scope="col">{t.whatIsAsked}</th>
        </tr>
      </thead>
      <tbody>
        {(rows ?? []).map(({ what, answer, tier, refused }) => (
          <tr key={what}>
            <th scope="row">{what}</th>
            <td>
              {refused ? <Tag tone="bad">{t.refused}</Tag> : <Tag tone={tier === 3 ? 'warn' : 'plain'}>{tier}</Tag>}
            </td>
            <td>{answer}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
