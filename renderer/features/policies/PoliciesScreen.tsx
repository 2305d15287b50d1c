import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, useRef, useState } from 'react';

import type { GroupNode, PolicyRow } from '#shared/contract/directory.ts';

import { DirectoryBanner } from '../../commands/directory/DirectoryBanner.tsx';
import { DirectoryBar } from '../../commands/directory/DirectoryBar.tsx';
import { NothingShown } from '../../commands/directory/NothingShown.tsx';
import { TableExportDialog } from '../../commands/directory/TableExportDialog.tsx';
import { isReading, useDirectoryRefresh, useGroups, usePolicies } from '../../commands/directory/use-directory.ts';
import { Button } from '../../ui/Button.tsx';
import { KeyCap } from '../../ui/KeyCap.tsx';
import type { TableHandle } from '../../ui/table/DataTable.tsx';
import { formatCount } from '../../ui/time.ts';
import { exportedMatrix, exportedPolicies } from './export-policies.ts';
import { GroupMatrix } from './GroupMatrix.tsx';
import { groupLines, productsIn, type GroupLine } from './matrix.ts';
import { PolicyPanel } from './PolicyPanel.tsx';
import { PolicyTable } from './PolicyTable.tsx';
import { answering } from './policy-facts.ts';
import { PoliciesTools } from './PoliciesTools.tsx';
import type { PoliciesSearch } from './search.ts';
import styles from './policies.module.css';
import { usePoliciesKeys } from './use-policies-keys.ts';

const noPolicies: readonly PolicyRow[] = [];
const noGroups: readonly GroupNode[] = [];
const nobody: ReadonlySet<string> = new Set();

/** Policies as a list and as two matrices, and one of them beside. */
export function PoliciesScreen() {
  const search = useSearch({ from: '/policies' });
  const navigate = useNavigate({ from: '/policies' });
  const change = (next: Partial<PoliciesSearch>) =>
    void navigate({ search: (old) => ({ ...old, ...next }), replace: true });
  const copy = usePolicies();
  const tree = useGroups();
  const reading = useDirectoryRefresh();
  const [selection, setSelection] = useState(nobody);
  const table = useRef<TableHandle>(null);
  const searchBox = useRef<HTMLInputElement>(null);
  const refreshButton = useRef<HTMLButtonElement>(null);
  const atPolicy = useRef<PolicyRow | undefined>(undefined);
  const atGroup = useRef<GroupLine | undefined>(undefined);

  const view = search.view ?? 'list';
  const text = (search.search ?? '').trim();
  const policies = copy.items ?? noPolicies;
  const groups = tree.items ?? noGroups;
  const known = useMemo(() => new Map(groups.map((group) => [group.guid, group])), [groups]);
  const shown = useMemo(() => answering(policies, text, search.product), [policies, text, search.product]);
  const lines = useMemo(() => groupLines(groups, text, search.product), [groups, text, search.product]);
  const products = useMemo(
    () => (search.product === undefined ? productsIn(groups, policies) : [search.product]),
    [groups, policies, search.product],
  );
  const isMatrix = view === 'groups';
  const shownCopy = isMatrix ? tree : copy;
  const items = shownCopy.items ?? [];
  const waiting =
    shownCopy.items === undefined || (items.length === 0 && isReading(shownCopy.state, reading.isRefreshing));
  const count = isMatrix ? lines.length : shown.length;
  const read = isMatrix
    ? groups.filter((group) => group.policies !== null).length
    : policies.filter(({ fileLists }) => fileLists !== null).length;

  const openPolicy = (guid: string, tab?: 'used' | 'lists' | 'xml') =>
    void navigate({ to: '/policies/$guid', params: { guid }, search: tab === undefined ? {} : { tab } });
  const compare = () => {
    const [a, b] = selection.size > 0 ? [...selection] : [atPolicy.current?.guid];
    void navigate({
      to: '/policies/compare',
      search: { ...(a === undefined ? {} : { a }), ...(b === undefined ? {} : { b }) },
    });
  };
  usePoliciesKeys({
    focusSearch: () => searchBox.current?.focus(),
    focusRefresh: () => refreshButton.current?.focus(),
    exportRows: () => change({ act: 'export' }),
    view: (next) => change({ view: next === 'list' ? undefined : next, from: undefined }),
    isPeeking: search.policy !== undefined,
    close: () => {
      change({ policy: undefined });
      table.current?.focus();
    },
    policy: () => (isMatrix ? undefined : (atPolicy.current?.guid ?? search.policy)),
    group: () => (isMatrix ? atGroup.current?.group.guid : undefined),
    open: openPolicy,
    compare,
  });
  const peek = (row: PolicyRow) => change({ policy: row.guid === search.policy ? undefined : row.guid });
  const empty = waiting ? undefined : (
    <NothingShown
      copy={shownCopy}
      reading={reading}
      noun={isMatrix ? ['group', 'groups'] : ['policy', 'policies']}
      asked={text === '' ? 'this product' : `“${text}”`}
      onShowAll={() => change({ search: undefined, product: undefined })}
    >
      The service lists no {isMatrix ? 'group' : 'policy'} for this key. They are made in the web console.
    </NothingShown>
  );
  return (
    <div className={styles['screen']}>
      <DirectoryBar
        title="Policies"
        state={copy.state}
        count={waiting ? null : <Counts view={view} count={count} all={items.length} />}
        details={{ read, of: items.length }}
        reading={reading}
        refreshButton={refreshButton}
      >
        <Button onPress={compare} tooltip="Two selected ones, or the one at the cursor with another">
          Compare{selection.size === 2 ? ' the two selected' : '…'} <KeyCap keys="D" />
        </Button>
        <Button
          onPress={() => change({ act: 'export' })}
          aria-haspopup="dialog"
          reason={count === 0 ? 'There is no row to export.' : null}
        >
          Export… <KeyCap keys="e" />
        </Button>
      </DirectoryBar>
      <PoliciesTools
        search={search}
        policies={policies}
        onChange={change}
        onLeave={() => table.current?.focus()}
        searchBox={searchBox}
      />
      <DirectoryBanner
        state={shownCopy.state}
        what={isMatrix ? 'groups' : 'policies'}
        isEmpty={items.length === 0}
        onRefresh={(details) => reading.refresh(details)}
      />
      {isMatrix ? (
        <GroupMatrix
          lines={lines}
          products={products}
          waiting={waiting}
          empty={empty}
          handle={table}
          onOpen={({ group }) => void navigate({ to: '/groups', search: { group: group.guid } })}
          onCursor={(line) => {
            atGroup.current = line;
          }}
        />
      ) : (
        <PolicyTable
          view={view}
          policies={shown}
          from={search.from ?? 0}
          onFrom={(from) => change({ from: from === 0 ? undefined : from })}
          waiting={waiting}
          empty={empty}
          handle={table}
          selection={selection}
          onSelection={setSelection}
          onOpen={(row) => openPolicy(row.guid)}
          onPeek={peek}
          onCursor={(row) => {
            atPolicy.current = row;
            if (row !== undefined && search.policy !== undefined && row.guid !== search.policy)
              change({ policy: row.guid });
          }}
        >
          {search.policy === undefined || waiting ? null : (
            <PolicyPanel
              policy={policies.find(({ guid }) => guid === search.policy)}
              groups={known}
              onClose={() => change({ policy: undefined })}
            />
          )}
        </PolicyTable>
      )}
      {search.act === 'export' && !waiting ? (
        <TableExportDialog
          title={isMatrix ? 'Export the matrix' : 'Export the policies'}
          table={isMatrix ? exportedMatrix(lines, products) : exportedPolicies(shown)}
          lacks={read === items.length ? null : 'What is not read yet stands as “?”.'}
          onClose={() => change({ act: undefined })}
        />
      ) : null}
    </div>
  );
}

function Counts({ view, count, all }: { readonly view: string; readonly count: number; readonly all: number }) {
  const noun = view === 'groups' ? (all === 1 ? 'group' : 'groups') : all === 1 ? 'policy' : 'policies';
  return (
    <span>
      {count === all ? '' : `${formatCount(count)} of `}
      {formatCount(all)} {noun}
    </span>
  );
}
