import { useNavigate, useSearch } from '@tanstack/react-router';
import { useRef, useState } from 'react';

import type { PolicyRow } from '#shared/contract/directory.ts';
import { formOf, formatCount } from '#shared/text/numbers.ts';
import { nouns } from '#shared/text/terms.ts';

import { DirectoryBanner } from '../../commands/directory/DirectoryBanner.tsx';
import { DirectoryBar } from '../../commands/directory/DirectoryBar.tsx';
import { NothingShown } from '../../commands/directory/NothingShown.tsx';
import { TableExportDialog } from '../../commands/directory/TableExportDialog.tsx';
import { useDirectoryRefresh, type DirectoryRefresh } from '../../commands/directory/use-directory.ts';
import { Button } from '../../ui/Button.tsx';
import { KeyCap } from '../../ui/KeyCap.tsx';
import { Screen } from '../../ui/Screen.tsx';
import { exportedMatrix, exportedPolicies } from './export-policies.ts';
import { GroupMatrix } from './GroupMatrix.tsx';
import type { GroupLine } from './matrix.ts';
import { PolicyPanel } from './PolicyPanel.tsx';
import { PolicyTable } from './PolicyTable.tsx';
import { PoliciesTools } from './PoliciesTools.tsx';
import type { PoliciesSearch } from './search.ts';
import { t } from './text.ts';
import { usePoliciesKeys } from './use-policies-keys.ts';
import { useShownPolicies, type ShownPolicies } from './use-shown-policies.ts';
import type { TableHandle } from '../../ui/table/types.ts';

const nobody: ReadonlySet<string> = new Set();

/** Policies as a list and as two matrices, and one of them beside. */
export function PoliciesScreen() {
  const search = useSearch({ from: '/policies' });
  const navigate = useNavigate({ from: '/policies' });
  const change = (next: Partial<PoliciesSearch>) =>
    void navigate({ search: (old) => ({ ...old, ...next }), replace: true });
  const reading = useDirectoryRefresh();
  const [selection, setSelection] = useState(nobody);
  const table = useRef<TableHandle>(null);
  const searchBox = useRef<HTMLInputElement>(null);
  const refreshButton = useRef<HTMLButtonElement>(null);
  const atPolicy = useRef<PolicyRow | undefined>(undefined);
  const atGroup = useRef<GroupLine | undefined>(undefined);

  const shown = useShownPolicies(search, reading.isRefreshing);
  const { isMatrix, waiting } = shown;

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
  const nothing = (
    <NoRows
      shown={shown}
      reading={reading}
      text={(search.search ?? '').trim()}
      onShowAll={() => change({ search: undefined, product: undefined })}
    />
  );
  return (
    <Screen scrolls>
      <DirectoryBar
        title={t.policies}
        state={shown.policiesState}
        count={waiting ? null : <Counts isMatrix={isMatrix} count={shown.count} all={shown.all} />}
        details={{ read: shown.read, of: shown.all }}
        reading={reading}
        refreshButton={refreshButton}
      >
        <Button onPress={compare} tooltip={t.selectTwoCompare}>
          {t.compare(selection.size === 2 ? t.theTwoSelected : '…')} <KeyCap keys="D" />
        </Button>
        <Button
          onPress={() => change({ act: 'export' })}
          aria-haspopup="dialog"
          reason={shown.count === 0 ? t.noRowsExport : null}
        >
          {t.exportMore} <KeyCap keys="e" />
        </Button>
      </DirectoryBar>
      <PoliciesTools
        search={search}
        policies={shown.policies}
        onChange={change}
        onLeave={() => table.current?.focus()}
        searchBox={searchBox}
      />
      <DirectoryBanner
        state={shown.copy.state}
        what={isMatrix ? 'groups' : 'policies'}
        isEmpty={shown.all === 0}
        onRefresh={(details) => reading.refresh(details)}
      />
      {isMatrix ? (
        <GroupMatrix
          lines={shown.lines}
          products={shown.products}
          hasAny={shown.all > 0}
          waiting={waiting}
          empty={waiting ? undefined : nothing}
          handle={table}
          onOpen={({ group }) => void navigate({ to: '/groups', search: { group: group.guid } })}
          onCursor={(line) => {
            atGroup.current = line;
          }}
        />
      ) : (
        <PolicyTable
          view={search.view === 'lists' ? 'lists' : 'list'}
          policies={shown.rows}
          from={search.from ?? 0}
          onFrom={(from) => change({ from: from === 0 ? undefined : from })}
          waiting={waiting}
          hasAny={shown.all > 0}
          empty={waiting ? undefined : nothing}
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
              policy={shown.policies.find(({ guid }) => guid === search.policy)}
              groups={shown.known}
              onClose={() => change({ policy: undefined })}
            />
          )}
        </PolicyTable>
      )}
      {search.act === 'export' && !waiting ? (
        <ExportDialog shown={shown} onClose={() => change({ act: undefined })} />
      ) : null}
    </Screen>
  );
}

function Counts({ isMatrix, count, all }: Pick<ShownPolicies, 'isMatrix' | 'count' | 'all'>) {
  const noun = formOf(all, isMatrix ? nouns.group : nouns.policy);
  return (
    <span>
      {count === all ? '' : t.of(formatCount(count))}
      {formatCount(all)} {noun}
    </span>
  );
}

interface NoRowsProps {
  readonly shown: ShownPolicies;
  readonly reading: DirectoryRefresh;
  readonly text: string;
  readonly onShowAll: () => void;
}

function NoRows({ shown, reading, text, onShowAll }: NoRowsProps) {
  return (
    <NothingShown
      copy={shown.copy}
      reading={reading}
      noun={shown.isMatrix ? ['group', 'groups'] : ['policy', 'policies']}
      asked={text === '' ? t.thisProduct : `“${text}”`}
      onShowAll={onShowAll}
    >
      {t.serviceLists(shown.isMatrix ? t.group : t.policy)}
    </NothingShown>
  );
}

function ExportDialog({ shown, onClose }: { readonly shown: ShownPolicies; readonly onClose: () => void }) {
  const { isMatrix, lines, products, rows, read, all } = shown;
  return (
    <TableExportDialog
      title={isMatrix ? t.exportTheMatrix : t.exportThePolicies}
      table={isMatrix ? exportedMatrix(lines, products) : exportedPolicies(rows)}
      lacks={read === all ? null : t.whatNotLoaded}
      onClose={onClose}
    />
  );
}
