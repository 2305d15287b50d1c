import { useNavigate } from '@tanstack/react-router';
import { useId, useRef, useState } from 'react';

import { quoteText } from '#shared/model/filter-format.ts';

import { useApi } from '../../api/ApiProvider.tsx';
import { asCordonError } from '../../api/errors.ts';
import { FilterBar } from '../../commands/filter/FilterBar.tsx';
import { useUi } from '../../state/ui.tsx';
import { useAnnounce } from '../../ui/Announcer.tsx';
import { Screen, ScreenBody, ScreenMain } from '../../ui/Screen.tsx';
import { useRoom } from '../../ui/use-room.ts';
import type { Asked } from './AskedDialog.tsx';
import { ComputersBar } from './ComputersBar.tsx';
import { ComputersTable } from './ComputersTable.tsx';
import { Facets } from './Facets.tsx';
import { HygieneMenu } from './HygieneMenu.tsx';
import { ListDialogs, type Open } from './ListDialogs.tsx';
import { ListBanner } from './ListStates.tsx';
import { PeekPanel } from './PeekPanel.tsx';
import { SeenStrip } from './SeenStrip.tsx';
import { BulkActions } from './selection/BulkActions.tsx';
import { SelectionBar } from './selection/SelectionBar.tsx';
import { t } from './text.ts';
import { useComputersKeys } from './use-computers-keys.ts';
import { useList, type ComputersList } from './use-list.ts';
import { ViewsLine } from './views/ViewsLine.tsx';
import { ViewsMenu } from './views/ViewsMenu.tsx';

/** All computers of the local copy: views, filter, facets, ages, rows, and one of them beside the list. */
export function ComputersScreen() {
  const list = useList();
  const { search, change, filter, views, rows, facets, matching, selection } = list;
  const facetsId = useId();
  const filterBox = useRef<HTMLInputElement>(null);
  const selectionBar = useRef<HTMLDivElement>(null);
  const [opened, setOpened] = useState<Open | null>(null);
  const [chosenFacets, setFacets] = useState<boolean | null>(null);
  // Without being asked for, they stand beside the rows as long as there is room for both.
  const room = useRoom(search.peek === undefined ? 1200 : 1560);
  const hasFacets = chosenFacets ?? room;
  const openScreen = useOpenScreen(list);
  const duplicates = useDuplicates(list);
  const announce = useAnnounce();
  const { client } = useApi();
  const ask = (guid: string, what: Asked['what']) => setOpened({ kind: 'asked', asked: { guid, what } });
  const toExport = () => setOpened({ kind: 'export' });
  const openBulk = useUi((ui) => ui.openBulk);
  const closePeek = () => change({ peek: undefined });
  const label = () => {
    const current = list.cursor.current();
    const acted = list.acted();
    const guids = acted.length > 0 ? acted : current === undefined ? [] : [current];
    if (guids.length === 0) announce(moveFirst(selection.size));
    else setOpened({ kind: 'labels', guids });
  };
  /** The first of them, among all computers. */
  const showSelected = async () => {
    const [first] = selection.guids;
    if (first === undefined) return;
    filter.set('');
    const asked = { ...list.question, filter: '', guid: first };
    const index = await client.computers.position(asked).catch(() => -1);
    if (index < 0) announce('None of the selected computers is in the list');
    else list.table.current?.goTo(index);
  };
  useComputersKeys({
    focusFilter: () => filterBox.current?.focus(),
    isPeeking: search.peek !== undefined,
    closePeek,
    current: list.cursor.current,
    act: openScreen,
    ask,
    bulk: (kind) => openBulk(kind, selection.guids),
    label,
    duplicates: (guid) => void duplicates(guid),
    toggleFacets: () => setFacets(!hasFacets),
    exportRows: toExport,
    focusSelection: () => selectionBar.current?.querySelector('button')?.focus(),
    hasSelection: selection.size > 0,
    actsOnSelection: () => list.acted().length > 0,
    moveFirst: () => moveFirst(selection.size),
  });
  return (
    <Screen>
      <ComputersBar
        matching={rows.newest?.matching}
        all={rows.newest?.all}
        isPrevious={rows.isPrevious}
        filtered={filter.applied !== ''}
        onColumns={() => setOpened({ kind: 'columns' })}
        onExport={toExport}
      >
        <ViewsMenu views={views} shown={list.asView} />
        <HygieneMenu filter={filter.text.trim()} onFilter={filter.set} />
      </ComputersBar>
      <ViewsLine views={views} onSave={(view) => views.save(list.asView(view))} />
      <FilterBar
        facets={{ id: facetsId, isOpen: hasFacets, toggle: () => setFacets(!hasFacets) }}
        filter={filter}
        what={t.theComputers}
        example={t.nameAddress}
        inputRef={filterBox}
        onLeave={() => list.table.current?.focus()}
      />
      <ListBanner />
      <ScreenBody>
        {hasFacets ? (
          <Facets
            id={facetsId}
            filter={filter}
            facets={list.counts}
            error={facets.error === null ? null : asCordonError(facets.error)}
            onRetry={() => void facets.refetch()}
          />
        ) : null}
        <ScreenMain>
          <SeenStrip counts={list.counts === null ? null : list.counts?.seen} filter={filter} />
          <ComputersTable list={list} onOpen={(row) => openScreen(row.guid)} />
        </ScreenMain>
        {search.peek === undefined ? null : (
          <PeekPanel
            guid={search.peek}
            onClose={closePeek}
            onOpen={(row, act) => openScreen(row.guid, act)}
            onAsk={(row, what) => ask(row.guid, what)}
            onLabel={(row) => setOpened({ kind: 'labels', guids: [row.guid] })}
          />
        )}
      </ScreenBody>
      {selection.size === 0 ? null : (
        <SelectionBar
          selection={selection}
          matching={matching}
          refusal={list.refusal}
          isInView={list.isInView}
          onShow={() => void showSelected()}
          onAll={() => void list.selectAll()}
          onEmptied={() => list.table.current?.focus()}
          onLabel={() => setOpened({ kind: 'labels', guids: selection.guids })}
          onRefresh={() => setOpened({ kind: 'refresh' })}
          onExport={toExport}
          buttons={selectionBar}
        >
          <BulkActions onOpen={(kind) => openBulk(kind, selection.guids)} />
        </SelectionBar>
      )}
      <ListDialogs opened={opened} list={list} onClose={() => setOpened(null)} />
    </Screen>
  );
}

function moveFirst(selected: number): string {
  return selected === 0 ? 'Move to a computer first' : 'The selection is out of view: move to a computer first';
}

function useOpenScreen({ filter }: ComputersList) {
  const navigate = useNavigate();
  return (guid: string, act?: 'isolate' | 'release' | 'trajectory') => {
    filter.settle();
    const search = act === undefined ? {} : act === 'trajectory' ? ({ tab: act } as const) : { act };
    void navigate({ to: '/computers/$guid', params: { guid }, search });
  };
}

/** Asks for those that share a MAC with a computer, or where none does, for those of its name. */
function useDuplicates({ filter, question }: ComputersList) {
  const { client } = useApi();
  const announce = useAnnounce();
  return async (guid: string) => {
    const detail = await client.computers.detail({ connection: question.connection, guid }).catch(() => null);
    if (detail === null) return announce('This computer is not in local data');
    const { hostname, macs } = detail.row;
    const byMac = macs[0] === undefined ? '' : `mac=${macs[0]}`;
    const shared = byMac === '' ? [] : await client.computers.guids({ ...question, filter: byMac }).catch(() => []);
    filter.set(shared.length > 1 ? byMac : `name=${quoteText(hostname)}`);
  };
}
