import { useQuery } from '@tanstack/react-query';
import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { useCallback, useId, useMemo, useRef, useState } from 'react';

import type { ComputerWindow } from '#shared/contract/contract.ts';
import { computerFilter } from '#shared/model/computer-filter.ts';
import { describeComputer, readColumns, writeColumns, type ComputerRow } from '#shared/model/computer.ts';
import { quoteText } from '#shared/model/filter-format.ts';

import { useActiveConnection, useActiveFrame } from '../../api/active.tsx';
import { useApi } from '../../api/ApiProvider.tsx';
import { asCordonError } from '../../api/errors.ts';
import { usePaged } from '../../api/pages.ts';
import { FilterBar } from '../../commands/filter/FilterBar.tsx';
import { useCursor } from '../../commands/filter/use-cursor.ts';
import { useTypedFilter } from '../../commands/filter/use-typed-filter.ts';
import { useUi } from '../../state/ui.tsx';
import { useAnnounce } from '../../ui/Announcer.tsx';
import { Button } from '../../ui/Button.tsx';
import { DataTable, type TableHandle } from '../../ui/table/DataTable.tsx';
import { useRoom } from '../../ui/use-room.ts';
import { AskedDialog, type Asked } from './AskedDialog.tsx';
import { areDefault, columnsOf, sortOf } from './columns.tsx';
import { ColumnsDialog } from './ColumnsDialog.tsx';
import { ComputersBar } from './ComputersBar.tsx';
import styles from './ComputersScreen.module.css';
import { ExportDialog } from './ExportDialog.tsx';
import { Facets } from './Facets.tsx';
import { HygieneMenu } from './HygieneMenu.tsx';
import { ListBanner, NoRows } from './ListStates.tsx';
import { PeekPanel } from './PeekPanel.tsx';
import type { ComputersSearch } from './search.ts';
import { SeenStrip } from './SeenStrip.tsx';
import { LabelsDialog } from './selection/LabelsDialog.tsx';
import { RefreshDialog } from './selection/RefreshDialog.tsx';
import { SelectionBar } from './selection/SelectionBar.tsx';
import { useFrozenSelection } from './selection/use-frozen.ts';
import { useComputersKeys } from './use-computers-keys.ts';
import { useViews } from './views/use-views.ts';
import { ViewsLine } from './views/ViewsLine.tsx';
import { ViewsMenu } from './views/ViewsMenu.tsx';

const pageSize = 100;
/** Rows drawn as skeletons while nothing was ever read. */
const skeletonRows = 24;

/** A dialog of the list that is open. */
type Open =
  | { readonly kind: 'columns' | 'export' | 'refresh' }
  | { readonly kind: 'labels'; readonly guids: readonly string[] }
  | { readonly kind: 'asked'; readonly asked: Asked };

export function ComputersScreen() {
  const { queries, client } = useApi();
  const connection = useActiveConnection();
  const frame = useActiveFrame();
  const announce = useAnnounce();
  const facetsId = useId();
  const search = useSearch({ from: '/computers' });
  const navigate = useNavigate({ from: '/computers' });
  const selection = useFrozenSelection(connection.id);
  const setLastCommand = useUi((ui) => ui.setLastCommand);
  const filterBox = useRef<HTMLInputElement>(null);
  const table = useRef<TableHandle>(null);
  const selectionBar = useRef<HTMLDivElement>(null);
  const [opened, setOpened] = useState<Open | null>(null);
  const [chosenFacets, setFacets] = useState<boolean | null>(null);

  const change = (next: Partial<ComputersSearch>) =>
    void navigate({ search: (old) => ({ ...old, ...next }), replace: true });
  const { history } = useRouter();
  const filter = useTypedFilter(computerFilter, search.filter ?? '', (text) => {
    // On the way to another screen the address is no longer this one's.
    if (history.location.pathname === '/computers') change({ filter: text === '' ? undefined : text });
  });
  const views = useViews({ search, filter: filter.text, setFilter: filter.set, change });
  const sort = { column: search.sort ?? 'hostname', descending: search.desc ?? false } as const;
  const question = { connection: connection.id, filter: filter.applied, sort };
  const rows = usePaged<ComputerRow, ComputerWindow>({
    pageSize,
    question: JSON.stringify(question),
    page: (offset, limit) => queries.computers.query.queryOptions({ input: { ...question, offset, limit } }),
  });
  const facets = useQuery({
    ...queries.computers.facets.queryOptions({
      input: { connection: connection.id, filter: filter.applied },
      placeholderData: (old) => old,
    }),
    // Rows come first: counts follow them.
    enabled: !rows.isPrevious && !rows.isFirstLoad,
  });
  const locate = useCallback(
    (asked: typeof question, guid: string, signal: AbortSignal) =>
      client.computers.position({ ...asked, guid }, { signal }),
    [client],
  );
  const revision = rows.isPrevious ? undefined : rows.newest?.revision;
  const cursor = useCursor({ question, revision, table, locate });
  // Beside the side panel, and as long as nobody chose them, columns give way; chosen ones can be scrolled to.
  const yielding = search.peek !== undefined || areDefault(views.columns);
  const columns = useMemo(() => columnsOf(views.columns, yielding), [views.columns, yielding]);
  // Without being asked for, they stand beside the rows as long as there is room for both.
  const room = useRoom(search.peek === undefined ? 1200 : 1560);
  const hasFacets = chosenFacets ?? room;

  const openScreen = (guid: string, act?: 'isolate' | 'release' | 'move' | 'trajectory') => {
    filter.settle();
    const next = act === undefined ? {} : act === 'trajectory' ? ({ tab: act } as const) : { act };
    void navigate({ to: '/computers/$guid', params: { guid }, search: next });
  };
  const peek = (guid: string | undefined) => change({ peek: guid });
  const ask = (guid: string, what: Asked['what']) => setOpened({ kind: 'asked', asked: { guid, what } });
  const close = () => setOpened(null);
  const label = () => {
    const current = cursor.current();
    const guids = selection.size > 0 ? selection.guids : current === undefined ? [] : [current];
    if (guids.length === 0) announce('Move to a computer first');
    else setOpened({ kind: 'labels', guids });
  };
  const duplicates = async (guid: string) => {
    const detail = await client.computers.detail({ connection: connection.id, guid }).catch(() => null);
    if (detail === null) return announce('This computer is not in the local copy');
    const { hostname, macs } = detail.row;
    const shared = macs[0] === undefined ? [] : await countOf(`mac=${macs[0]}`);
    filter.set(shared.length > 1 ? `mac=${macs[0] ?? ''}` : `name=${quoteText(hostname)}`);
  };
  const countOf = (text: string) => client.computers.guids({ ...question, filter: text }).catch(() => []);
  useComputersKeys({
    focusFilter: () => filterBox.current?.focus(),
    isPeeking: search.peek !== undefined,
    closePeek: () => peek(undefined),
    current: cursor.current,
    act: openScreen,
    ask,
    label,
    duplicates: (guid) => void duplicates(guid),
    toggleFacets: () => setFacets(!hasFacets),
    exportRows: () => setOpened({ kind: 'export' }),
    focusSelection: () => selectionBar.current?.querySelector('button')?.focus(),
    hasSelection: selection.size > 0,
  });
  const sortBy = (column: string) => {
    const next = sortOf(column);
    if (next === null) return;
    change({ sort: next, desc: next === sort.column ? !sort.descending : false });
  };
  const isWhole = frame?.inventory.phase === 'complete' || frame?.inventory.phase === 'failed';
  const refusal = isWhole ? null : 'The list is not whole yet: all that match cannot be told.';
  const selectAll = async () => {
    if (refusal !== null) return announce(refusal);
    const guids = await client.computers.guids(question);
    selection.replace([...selection.guids, ...guids]);
  };

  const waiting = rows.isFirstLoad || (rows.newest?.all === 0 && frame?.inventory.phase === 'loading');
  const source = useMemo(
    () => (waiting ? { count: skeletonRows, row: () => undefined, want: () => undefined } : rows),
    [waiting, rows],
  );
  const matching = rows.newest?.matching ?? 0;
  const shownView = () => ({
    ...{ id: crypto.randomUUID(), name: '', filter: filter.text.trim(), pinned: true, isDefault: false },
    ...{ sort: sort.column, descending: sort.descending, columns: [...views.columns] },
  });
  return (
    <div className={styles['screen']}>
      <ComputersBar
        matching={rows.newest?.matching}
        all={rows.newest?.all}
        filtered={filter.applied !== ''}
        onColumns={() => setOpened({ kind: 'columns' })}
        onExport={() => setOpened({ kind: 'export' })}
      >
        <ViewsMenu views={views} shown={shownView} />
        <HygieneMenu filter={filter.text.trim()} onFilter={filter.set} />
      </ComputersBar>
      <ViewsLine views={views} onSave={(view) => views.save({ ...shownView(), ...namesOf(view) })} />
      <div className={styles['filterLine']}>
        <Button aria-expanded={hasFacets} aria-controls={facetsId} onPress={() => setFacets(!hasFacets)}>
          Facets
        </Button>
        <FilterBar
          filter={filter}
          what="the computers"
          example="a name or address, or group:Finance  last_seen<7d  isolation:pending*  tag:loaner"
          inputRef={filterBox}
          onLeave={() => table.current?.focus()}
        />
      </div>
      {selection.size === 0 ? null : (
        <SelectionBar
          selection={selection}
          matching={matching}
          refusal={refusal}
          onAll={() => void selectAll()}
          onLabel={() => setOpened({ kind: 'labels', guids: selection.guids })}
          onRefresh={() => setOpened({ kind: 'refresh' })}
          onExport={() => setOpened({ kind: 'export' })}
          buttons={selectionBar}
        />
      )}
      <ListBanner />
      <div className={styles['body']}>
        {hasFacets ? (
          <Facets
            id={facetsId}
            filter={filter}
            facets={facets.data?.facets}
            error={facets.error === null ? null : asCordonError(facets.error)}
            onRetry={() => void facets.refetch()}
          />
        ) : null}
        <div className={styles['main']}>
          <SeenStrip counts={facets.data?.facets.seen} filter={filter} />
          <div className={styles['table']} data-shown={rows.isPrevious ? undefined : JSON.stringify(question)}>
            <DataTable
              key={views.current?.id ?? ''}
              label="Computers"
              source={source}
              columns={columns}
              rowKey={(row) => row.guid}
              describe={describeComputer}
              sort={sort}
              onSort={sortBy}
              selection={selection.asSet}
              onSelectionChange={selection.replace}
              onSelectAll={() => void selectAll()}
              onOpen={(row) => openScreen(row.guid)}
              onPeek={(row) => peek(row.guid === search.peek ? undefined : row.guid)}
              onCursor={(row) => {
                cursor.set(row?.guid);
                if (row === undefined) return;
                setLastCommand(`svc_get_computer_by_connector connector_guid=${row.guid}`);
                if (search.peek !== undefined) peek(row.guid);
              }}
              onWidths={(widths) => views.setColumns(withWidths(views.columns, widths))}
              rowTone={(row) => (row.vanishedAt === null ? undefined : 'struck')}
              isBusy={rows.isPrevious || waiting}
              empty={<NoRows error={rows.error} onRetry={rows.retry} filter={filter} all={rows.newest?.all ?? 0} />}
              handle={table}
            />
          </div>
        </div>
        {search.peek === undefined ? null : (
          <PeekPanel
            guid={search.peek}
            onClose={() => peek(undefined)}
            onOpen={(row, act) => openScreen(row.guid, act)}
            onAsk={(row, what) => ask(row.guid, what)}
            onLabel={(row) => setOpened({ kind: 'labels', guids: [row.guid] })}
          />
        )}
      </div>
      {opened?.kind === 'asked' ? <AskedDialog asked={opened.asked} onClose={close} /> : null}
      {opened?.kind === 'labels' ? <LabelsDialog guids={opened.guids} onClose={close} /> : null}
      {opened?.kind === 'refresh' ? <RefreshDialog guids={selection.guids} onClose={close} /> : null}
      {opened?.kind === 'columns' ? (
        <ColumnsDialog
          columns={views.columns}
          view={views.current?.name ?? null}
          onChange={views.setColumns}
          onClose={close}
        />
      ) : null}
      {opened?.kind === 'export' ? (
        <ExportDialog
          question={question}
          matching={matching}
          columns={views.columns}
          selected={selection.guids}
          onClose={close}
        />
      ) : null}
    </div>
  );
}

/** What saving the list into a view keeps of it. */
function namesOf<T extends { id: string; name: string; pinned: boolean; isDefault: boolean }>({
  id,
  name,
  pinned,
  isDefault,
}: T) {
  return { id, name, pinned, isDefault };
}

function withWidths(columns: readonly string[], widths: Readonly<Record<string, number>>): readonly string[] {
  return writeColumns(readColumns(columns).map(({ column, width }) => ({ column, width: widths[column] ?? width })));
}
