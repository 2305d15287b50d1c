import type { GroupNode } from '#shared/contract/directory.ts';

import { inProductOrder, productTitle } from '../../commands/directory/directory-words.ts';
import styles from './GroupTree.module.css';
import { t } from './text.ts';

/** Own policies by name, and how many are inherited; `?` while the details are not read. */
export function PolicyCell({ node }: { readonly node: GroupNode }) {
  if (node.problem !== null)
    return (
      <span className={styles['problem']} title={node.problem.message}>
        {t.notReadable}
      </span>
    );
  if (node.policies === null)
    return (
      <span className={styles['unknown']} title={t.detailsNotLoaded}>
        ?
      </span>
    );
  const own = node.policies.filter(({ inherited }) => !inherited);
  const inherited = node.policies.length - own.length;
  const order = inProductOrder(own.map(({ product }) => product));
  const names = order.flatMap((product) => own.filter((use) => use.product === product));
  const text = names.map((use) => `${productTitle(use.product)}: ${use.name}`).join(' · ');
  const rest = inherited === 0 ? '' : `${inherited} inherited`;
  return (
    <span className={styles['policies']} title={[text, rest].filter((part) => part !== '').join(' · ')}>
      {text}
      {rest === '' ? null : (
        <span className={styles['inherited']}>
          {text === '' ? '' : ' · '}
          {rest}
        </span>
      )}
      {node.policies.length === 0 ? t.none : null}
    </span>
  );
}
