import type { WhatIf } from '#shared/contract/guards.ts';

import { Tag } from '../../../ui/Tag.tsx';
import styles from './guards.module.css';

/** The rules, told by examples, as they are typed. */
export function WhatIfTable({ rows }: { readonly rows: readonly WhatIf[] | undefined }) {
  return (
    <table className={styles['table']}>
      <caption className={styles['caption']}>What happens if I isolate …</caption>
      <thead>
        <tr>
          <th scope="col">Computers</th>
          <th scope="col">Tier</th>
          <th scope="col">What is asked</th>
        </tr>
      </thead>
      <tbody>
        {(rows ?? []).map(({ what, answer, tier, refused }) => (
          <tr key={what}>
            <th scope="row">{what}</th>
            <td>{refused ? <Tag tone="bad">refused</Tag> : <Tag tone={tier === 3 ? 'warn' : 'plain'}>{tier}</Tag>}</td>
            <td>{answer}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
