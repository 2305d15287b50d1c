import type { PolicyRow } from '#shared/contract/directory.ts';

import type { ExportedTable } from '../../commands/directory/table-export.ts';
import type { GroupLine } from './matrix.ts';

/** Policies as a table. What is not read stands as `?`. */
export function exportedPolicies(policies: readonly PolicyRow[]): ExportedTable {
  const names = (things: readonly { readonly name: string }[] | null) =>
    things === null ? '?' : things.map(({ name }) => name).join('; ');
  return {
    name: 'policies',
    columns: [
      ...['Product', 'Name', 'GUID', 'Default', 'Serial', 'Computers', 'Groups', 'File lists', 'Exclusion sets'],
      ...['IP lists', 'Description', 'Gone since'],
    ],
    rows: policies.map((policy) => [
      ...[policy.product, policy.name, policy.guid, policy.isDefault ? 'yes' : 'no', String(policy.serial ?? '')],
      ...[String(policy.computers), names(policy.groups), names(policy.fileLists), names(policy.exclusionSets)],
      ...[names(policy.ipLists), policy.description, policy.vanishedAt ?? ''],
    ]),
    records: policies,
  };
}

/** The matrix of groups and products: own policies by name, inherited ones in brackets. */
export function exportedMatrix(lines: readonly GroupLine[], products: readonly string[]): ExportedTable {
  return {
    name: 'policies-of-groups',
    columns: ['Group', 'GUID', ...products],
    rows: lines.map(({ group, uses }) => [
      group.name,
      group.guid,
      ...products.map((product) => {
        if (uses === null) return '?';
        const use = uses.get(product);
        return use === undefined ? '' : use.inherited ? `(${use.name})` : use.name;
      }),
    ]),
    records: lines.map(({ group }) => ({ guid: group.guid, name: group.name, policies: group.policies })),
  };
}
