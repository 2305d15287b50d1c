import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';

import type { GroupNode, PolicyRow } from '#shared/contract/directory.ts';
import { formatCount } from '#shared/text/numbers.ts';

import { EmptyState } from '../../ui/EmptyState.tsx';
import { DataTable } from '../../ui/table/DataTable.tsx';
import type { TableColumn } from '../../ui/table/types.ts';
import { groupsUsing, type UsingGroup } from './policy-facts.ts';
import { originMark } from './PolicyPanel.tsx';
import { ReadPolicy } from './PolicyParts.tsx';
import styles from './policies.module.css';
import { t } from './text.ts';

const nothing = () => undefined;

/** As high as its rows, up to what a window has room for. */
function rowsHigh(count: number): string {
  return `min(${(count + 1) * 28 + 4}px, max(320px, calc(100vh - 340px)))`;
}

/** The groups that use a policy, their own or from above. */
export function UsedByTab({ policy, groups }: { readonly policy: PolicyRow; readonly groups: readonly GroupNode[] }) {
  const navigate = useNavigate();
  const using = useMemo(
    () => groupsUsing(policy, new Map(groups.map((group) => [group.guid, group]))),
    [policy, groups],
  );
  const source = useMemo(
    () => ({ count: using?.length ?? 0, row: (index: number) => using?.[index], want: nothing }),
    [using],
  );
  if (using === null)
    return (
      <EmptyState title={t.notLoadedYet2} action={<ReadPolicy policy={policy} />}>
        {t.groupsUsePolicy}
      </EmptyState>
    );
  return (
    <div className={styles['part']}>
      <div className={styles['usedBy']} style={{ height: using.length === 0 ? undefined : rowsHigh(using.length) }}>
        <DataTable
          label={t.groupsUse}
          source={source}
          columns={columns}
          rowKey={(row) => row.guid}
          describe={(row) => `${row.name}, ${originMark(row.origin)}`}
          onOpen={(row) => void navigate({ to: '/groups', search: { group: row.guid } })}
          empty={<EmptyState title={t.noGroupUsesIt}>{t.assignUnder}</EmptyState>}
        />
      </div>
    </div>
  );
}

const columns: readonly TableColumn<UsingGroup>[] = [
  { id: 'name', title: 'Group', width: 260, look: 'name', cell: (row) => <span title={row.name}>{row.name}</span> },
  { id: 'origin', title: 'Own or inherited', width: 150, cell: (row) => originMark(row.origin) },
  {
    id: 'computers',
    title: 'Computers of the group',
    width: 150,
    align: 'end',
    cell: (row) => (row.computers === null ? '?' : formatCount(row.computers)),
  },
];
