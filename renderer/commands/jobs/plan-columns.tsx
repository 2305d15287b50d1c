/** Targets of a plan as a table: as they were seen, and where it matters what they would be afterwards. */
import type { JobAction, PlanTarget } from '#shared/model/job.ts';
import { formatCount } from '#shared/text/numbers.ts';

import type { TableColumn } from '../../ui/table/types.ts';
import { inProductOrder, productTitle } from '../directory/directory-words.ts';
import { observedWords } from './job-words.ts';
import styles from './jobs.module.css';

type Names = (guid: string) => string;
type Columns = readonly TableColumn<PlanTarget>[];

/** `computers` of a group and its subgroups; `undefined` where nobody knows. */
export function planColumns(action: JobAction, names: Names, computers: (guid: string) => number | undefined): Columns {
  return [labelColumn(action), ...stateColumns(action, names, computers), warnings];
}

function labelColumn({ kind }: JobAction): TableColumn<PlanTarget> {
  const isHash = /hashes/.test(kind);
  return {
    id: 'label',
    title: isHash ? 'SHA-256' : kind === 'policies' ? 'Group' : 'Computer',
    width: isHash ? 300 : kind === 'policies' ? 150 : 180,
    look: isHash ? 'mono' : 'name',
    cell: ({ id, label }) => <span title={id}>{label}</span>,
  };
}

function stateColumns(action: JobAction, names: Names, computers: (guid: string) => number | undefined): Columns {
  const column = (id: string, title: string, cell: (target: PlanTarget) => string): TableColumn<PlanTarget> => ({
    ...{ id, title, width: 130 },
    cell: (target) => <span title={cell(target)}>{cell(target)}</span>,
  });
  const now = (target: PlanTarget): string => stateOf(action, target, names);
  switch (action.kind) {
    case 'move':
      return [column('observed', 'From', now), column('to', 'To', () => names(action.group))];
    case 'policies':
      return [
        {
          ...column('computers', 'Computers', ({ id }) => countWords(computers(id))),
          width: 90,
          align: 'end',
          yields: 1,
        },
        column('observed', 'Before', now),
        column('to', 'After', () => policiesAfter(action.policies, names)),
      ];
    default:
      return [column('observed', 'Now', now)];
  }
}

const warnings: TableColumn<PlanTarget> = {
  id: 'warnings',
  title: 'Warnings',
  width: 400,
  cell: ({ warnings: found, note }) =>
    found.length === 0 ? (
      (note ?? '')
    ) : (
      <span className={styles['warn']} title={found.join(' ')}>
        ▲ {found.join(' ')}
      </span>
    ),
};

/** A row in words, as it is announced. */
export function describeTarget(action: JobAction, target: PlanTarget, names: Names): string {
  const after = action.kind === 'policies' ? `then ${policiesAfter(action.policies, names)}` : '';
  const parts = [target.label, stateOf(action, target, names), after, ...target.warnings];
  return parts.filter((part) => part !== '').join(', ');
}

function stateOf(action: JobAction, { observed }: PlanTarget, names: Names): string {
  if (action.kind === 'policies') return policiesBefore(action.policies, observed, names);
  return observedWords(named(observed, names)).replace(/^group: /, '');
}

/** `Audit · inherited`; of several products `Windows: Audit · inherited, Linux: none`. */
export function policiesBefore(
  policies: Readonly<Record<string, string>>,
  observed: PlanTarget['observed'],
  names: Names,
): string {
  return byProduct(policies, (product) => {
    const guid = observed[product];
    const how = observed[`${product} inherited`] === true ? ' · inherited' : ' · own';
    return typeof guid === 'string' ? `${names(guid)}${how}` : 'none';
  });
}

export function policiesAfter(policies: Readonly<Record<string, string>>, names: Names): string {
  return byProduct(policies, (product) => `${names(policies[product] ?? '')} · own`);
}

function byProduct(policies: Readonly<Record<string, string>>, words: (product: string) => string): string {
  const products = inProductOrder(Object.keys(policies));
  const named = (product: string): string => `${productTitle(product)}: ${words(product)}`;
  return products.map((product) => (products.length === 1 ? words(product) : named(product))).join(', ');
}

function countWords(count: number | undefined): string {
  return count === undefined ? '?' : formatCount(count);
}

function named(observed: PlanTarget['observed'], names: Names): PlanTarget['observed'] {
  return Object.fromEntries(
    Object.entries(observed).map(([name, value]) => [name, typeof value === 'string' ? names(value) : value]),
  );
}
