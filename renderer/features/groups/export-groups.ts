import type { GroupNode } from '#shared/contract/directory.ts';

import type { ExportedTable } from '../../commands/directory/table-export.ts';
import { byGuid, pathOf } from './tree-model.ts';

const columns = [
  'Path',
  'Name',
  'GUID',
  'Parent GUID',
  'Description',
  'Computers',
  'Computers with subgroups',
  'Compromised',
  'Compromised with subgroups',
  'Isolated',
  'Isolated with subgroups',
  'Own policies',
  'Inherited policies',
  'Gone since',
];

/** Groups as a table, `shown` of `all`. Where details are not read, the policies are `?`. */
export function exportedGroups(all: readonly GroupNode[], shown: readonly GroupNode[]): ExportedTable {
  const known = byGuid(all);
  return {
    name: 'groups',
    columns,
    rows: shown.map((group) => [
      pathOf(known, group.guid)
        .map(({ name }) => name)
        .join(' ▸ '),
      ...[group.name, group.guid, group.parent ?? '', group.description],
      ...[group.computers, group.below.computers, group.compromised, group.below.compromised].map(String),
      ...[group.isolated, group.below.isolated].map(String),
      ...[policies(group, false), policies(group, true), group.vanishedAt ?? ''],
    ]),
    records: shown,
  };
}

function policies(group: GroupNode, inherited: boolean): string {
  if (group.policies === null) return '?';
  return group.policies
    .filter((use) => use.inherited === inherited)
    .map(({ product, name }) => `${product}: ${name}`)
    .join('; ');
}
