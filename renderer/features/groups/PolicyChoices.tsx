import type { GroupNode, PolicyRow } from '#shared/contract/directory.ts';

import { inProductOrder, productTitle } from '../../commands/directory/directory-words.ts';
import { Select } from '../../ui/Select.tsx';
import { assignable, type Chosen } from './assign-facts.ts';
import styles from './AssignDialog.module.css';

interface PolicyChoicesProps {
  readonly group: GroupNode;
  readonly policies: readonly PolicyRow[];
  readonly chosen: Chosen;
  readonly onChange: (chosen: Chosen) => void;
}

const stays = '';

/** One choice for each product that the service lets anybody set; the others are named. */
export function PolicyChoices({ group, policies, chosen, onChange }: PolicyChoicesProps) {
  const others = inProductOrder(policies.map(({ product }) => product)).filter(
    (product) => !assignable.some((each) => each === product),
  );
  return (
    <>
      <div className={styles['choices']}>
        {assignable.map((product) => (
          <Select
            key={product}
            label={productTitle(product)}
            value={chosen[product] ?? stays}
            options={optionsOf(group, policies, product)}
            onChange={(guid) => {
              const { [product]: _before, ...rest } = chosen;
              onChange(guid === stays ? rest : { ...rest, [product]: guid });
            }}
          />
        ))}
      </div>
      {others.length === 0 ? null : (
        <p className={styles['note']}>
          Policies for {others.map(productTitle).join(' and ')} cannot be set through the API: that is done in the web
          console.
        </p>
      )}
    </>
  );
}

function optionsOf(group: GroupNode, policies: readonly PolicyRow[], product: string) {
  const now = group.policies?.find((use) => use.product === product);
  const how = now === undefined ? '' : ` (${now.inherited ? 'inherited' : 'own'})`;
  const present = group.policies === null ? 'not read yet' : `${now?.name ?? 'none'}${how}`;
  return [
    { value: stays, label: `Stays: ${present}` },
    ...policies
      .filter((policy) => policy.product === product && policy.vanishedAt === null && policy.guid !== now?.guid)
      .map(({ guid, name, isDefault }) => ({ value: guid, label: name, ...(isDefault ? { detail: 'default' } : {}) })),
  ];
}
