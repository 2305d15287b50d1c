import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo, useRef, useState } from 'react';

import type { ComputerWindow } from '#shared/contract/contract.ts';
import { computerFilter } from '#shared/model/computer-filter.ts';
import { describeComputer, type ComputerRow } from '#shared/model/computer.ts';

import { useActiveConnection, useActiveFrame } from '../../api/active.tsx';
import { useApi } from '../../api/ApiProvider.tsx';
import { useSettings } from '../../api/hooks.ts';
import { usePaged } from '../../api/pages.ts';
import { FilterBar } from '../../commands/filter/FilterBar.tsx';
import { useCursor } from '../../commands/filter/use-cursor.ts';
import { useTypedFilter } from '../../commands/filter/use-typed-filter.ts';
import { useSelection, useUi } from '../../state/ui.tsx';
import { DataTable, type TableHandle } from '../../ui/table/DataTable.tsx';
import { AskedDialog, type Asked } from './AskedDialog.tsx';
import { areDefault, columnsOf, sortOf } from './columns.tsx';
import { ComputersBar } from './ComputersBar.tsx';
import styles from './ComputersScreen.module.css';
import { ListBanner, NoRows } from './ListStates.tsx';
import { PeekPanel } from './PeekPanel.tsx';
import type { ComputersSearch } from './search.ts';
import { SelectionBar } from './SelectionBar.tsx';
import { useComputersKeys } from './use-computers-keys.ts';

const pageSize = 100;
/** Rows drawn as skeletons while nothing was ever read. */
const skeletonRows = 24;

export function ComputersScreen() {
  const { queries, client } = useApi();
  const connection = useActiveConnection();
  const frame = useActiveFrame();
  const search = useSearch({ from: '/computers' });
  const navigate = useNavigate({ from: '/computers' });
  const settings = useSettings();
  const [selection, setSelection] = useSelection(connection.id);
  const setLastCommand = useUi((ui) => ui.setLastCommand);
  const filterBox = useRef<HTMLInputElement>(null);
  const table = useRef<TableHandle>(null);

  const [asked, setAsked] = useState<Asked | null>(null);

  const change = (next: Partial<ComputersSearch>) =>
    void navigate({ search: (old) => ({ ...old, ...next }), replace: true });
  const { history } = useRouter();
  const filter = useTypedFilter(computerFilter, search.filter ?? '', (text) => {
    // On the way to another screen the address is no longer this one's.
    if (history.location.pathname === '/computers') change({ filter: text === '' ? undefined : text });
  });
  const sort = { column: search.sort ?? 'hostname', descending: search.desc ?? false } as const;
  const question = { connection: connection.id, filter: filter.applied, sort };
  const rows = usePaged<ComputerRow, ComputerWindow>({
    pageSize,
    question: JSON.stringify(question),
    page: (offset, limit) => queries.computers.query.queryOptions({ input: { ...question, offset, limit } }),
  });
  const locate = useCallback(
    (asked: typeof question, guid: string, signal: AbortSignal) =>
      client.computers.position({ ...asked, guid }, { signal }),
    [client],
  );
  const revision = rows.isPrevious ? undefined : rows.newest?.revision;
  const cursor = useCursor({ question, revision, table, locate });
  // Beside the side panel, and as long as nobody chose them, columns give way; chosen ones can be scrolled to.
  const yielding = search.peek !== undefined || areDefault(settings.computerColumns);
  const columns = useMemo(() => columnsOf(settings.computerColumns, yielding), [settings.computerColumns, yielding]);

  const openScreen = (guid: string, act?: 'isolate' | 'release' | 'move') => {
    filter.settle();
    void navigate({ to: '/computers/$guid', params: { guid }, search: act === undefined ? {} : { act } });
  };
  const open = (row: ComputerRow, act?: 'isolate' | 'release' | 'move') => openScreen(row.guid, act);
  const peek = (guid: string | undefined) => change({ peek: guid });
  useComputersKeys({
    focusFilter: () => filterBox.current?.focus(),
    isPeeking: search.peek !== undefined,
    closePeek: () => peek(undefined),
    current: cursor.current,
    act: openScreen,
    copyAs: (guid) => setAsked({ what: 'copy', guid }),
    note: (guid) => setAsked({ what: 'note', guid }),
  });
  const sortBy = (column: string) => {
    const next = sortOf(column);
    if (next === null) return;
    change({ sort: next, desc: next === sort.column ? !sort.descending : false });
  };
  const selectAll = async () => setSelection(new Set(await client.computers.guids(question)));

  const waiting = rows.isFirstLoad || (rows.newest?.all === 0 && frame?.inventory.phase === 'loading');
  const source = useMemo(
    () => (waiting ? { count: skeletonRows, row: () => undefined, want: () => undefined } : rows),
    [waiting, rows],
  );
  return (
    <div className={styles['screen']}>
      <div className={styles['main']}>
        <ComputersBar matching={rows.newest?.matching} all={rows.newest?.all} filtered={filter.applied !== ''} />
        <FilterBar
          filter={filter}
          what="the computers"
          example="a name or address, or group:Finance  last_seen<7d  isolation:pending*"
          inputRef={filterBox}
          onLeave={() => table.current?.focus()}
        />
        {selection.size === 0 ? null : <SelectionBar selection={selection} onClear={() => setSelection(new Set())} />}
        <ListBanner />
        <div className={styles['table']} data-shown={rows.isPrevious ? undefined : JSON.stringify(question)}>
          <DataTable
            label="Computers"
            source={source}
            columns={columns}
            rowKey={(row) => row.guid}
            describe={describeComputer}
            sort={sort}
            onSort={sortBy}
            selection={selection}
            onSelectionChange={setSelection}
            onSelectAll={() => void selectAll()}
            onOpen={open}
            onPeek={(row) => peek(row.guid === search.peek ? undefined : row.guid)}
            onCursor={(row) => {
              cursor.set(row?.guid);
              if (row === undefined) return;
              setLastCommand(`svc_get_computer_by_connector connector_guid=${row.guid}`);
              if (search.peek !== undefined) peek(row.guid);
            }}
            rowTone={(row) => (row.vanishedAt === null ? undefined : 'struck')}
            isBusy={rows.isPrevious || waiting}
            empty={<NoRows error={rows.error} onRetry={rows.retry} filter={filter} all={rows.newest?.all ?? 0} />}
            handle={table}
          />
        </div>
      </div>
      {search.peek === undefined ? null : (
        <PeekPanel guid={search.peek} onClose={() => peek(undefined)} onOpen={open} />
      )}
      {asked === null ? null : <AskedDialog asked={asked} onClose={() => setAsked(null)} />}
    </div>
  );
}
