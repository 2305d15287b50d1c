import type { GroupChangePreview, GroupNode, NamedReference, PolicyRow } from '#shared/contract/directory.ts';
import { counted, formatCount } from '#shared/text/numbers.ts';
import { nouns } from '#shared/text/terms.ts';

import { productTitle } from '../../commands/directory/directory-words.ts';
import { Difference } from '../../commands/move/MoveChange.tsx';
import { changed } from '../../commands/move/move-effect.ts';
import { PlainTable } from '../../ui/PlainTable.tsx';
import { changedProducts } from './assign-facts.ts';
import styles from './AssignDialog.module.css';
import { t } from './text.ts';

interface AssignPreviewProps {
  readonly preview: GroupChangePreview;
  readonly isSent: boolean;
  readonly group: GroupNode;
  /** The group and those below it. */
  readonly below: readonly GroupNode[];
  readonly policies: ReadonlyMap<string, PolicyRow>;
}

/** Before and after, product by product. */
export function AssignPreview({ preview, isSent, group, below, policies }: AssignPreviewProps) {
  const rows = changedProducts(preview);
  const change = isSent ? 'change' : 'would change';
  if (rows.length === 0) return <p className={styles['note']}>{t.groupAlready}</p>;
  return (
    <section aria-label={t.beforeAndAfter} className={styles['preview']}>
      <p>
        <b>{counted(preview.computers, nouns.computer)}</b>{' '}
        {below.length === 1 ? t.nextPolicy(group.name, change) : t.whatInherits(group.name, change)}
      </p>
      <div className={styles['scroll']} tabIndex={0} role="group" aria-label={t.whatWouldChange}>
        <PlainTable className={styles['table']}>
          <thead>
            <tr>
              {['Product', 'Before', 'After', 'Computers', 'File lists', 'Exclusions'].map((title) => (
                <th key={title} scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.product}>
                <th scope="row">{productTitle(row.product)}</th>
                <td>
                  {row.before?.name ?? t.none}
                  <Origin group={group} product={row.product} />
                </td>
                <td>
                  <b>{row.after?.name ?? t.none}</b> {t.ownTitle}
                </td>
                <td>{formatCount(row.computers)}</td>
                <td>
                  <Difference change={{ gained: row.listsGained, lost: row.listsLost }} />
                </td>
                <td>
                  <Difference change={exclusions(row.before, row.after, policies)} />
                </td>
              </tr>
            ))}
          </tbody>
        </PlainTable>
      </div>
      <p className={styles['note']}>{t.apiDoesNot}</p>
    </section>
  );
}

function Origin({ group, product }: { readonly group: GroupNode; readonly product: string }) {
  const use = group.policies?.find((each) => each.product === product);
  return use === undefined ? null : <> · {use.inherited ? t.inherited : t.ownInline}</>;
}

function exclusions(
  before: NamedReference | null,
  after: NamedReference | null,
  policies: ReadonlyMap<string, PolicyRow>,
) {
  const [had, has] = [before, after].map((reference) => policies.get(reference?.guid ?? ''));
  if (had?.fileLists == null || has?.fileLists == null) return null;
  return changed(had.exclusionSets ?? [], has.exclusionSets ?? []);
}
