import { useNavigate, useSearch } from '@tanstack/react-router';
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';

import type { GroupNode } from '#shared/contract/directory.ts';
import type { ComputerRow } from '#shared/model/computer.ts';

import { useWriteRefusal } from '../../api/active.tsx';
import { DirectoryBanner } from '../../commands/directory/DirectoryBanner.tsx';
import { DirectoryBar } from '../../commands/directory/DirectoryBar.tsx';
import { NothingShown } from '../../commands/directory/NothingShown.tsx';
import { TableExportDialog } from '../../commands/directory/TableExportDialog.tsx';
import { isReading, useDirectoryRefresh, useGroups } from '../../commands/directory/use-directory.ts';
import { MoveComputerDialog } from '../../commands/move/MoveComputerDialog.tsx';
import { MovedBar } from '../../commands/move/MovedBar.tsx';
import { NoteDialog } from '../../commands/NoteDialog.tsx';
import { useAnnounce } from '../../ui/Announcer.tsx';
import { Button } from '../../ui/Button.tsx';
import { KeyCap } from '../../ui/KeyCap.tsx';
import type { TableHandle } from '../../ui/table/DataTable.tsx';
import { formatCount } from '../../ui/time.ts';
import { AssignDialog } from './AssignDialog.tsx';
import type { DraggedComputer } from './drag.ts';
import { exportedGroups } from './export-groups.ts';
import { filterOf } from './group-facts.ts';
import { GroupPanel } from './GroupPanel.tsx';
import styles from './GroupsScreen.module.css';
import { GroupTree, type TreeHandle } from './GroupTree.tsx';
import type { GroupsSearch } from './search.ts';
import { SearchField } from './SearchField.tsx';
import { byGuid, countMatches, linesOf, pathOf, withBelow, type Opened } from './tree-model.ts';
import { useGroupsKeys } from './use-groups-keys.ts';
import { useMoves, type Moves } from './use-moves.ts';

const noGroups: readonly GroupNode[] = [];

/** The tree of groups, and one of them beside it. */
export function GroupsScreen() {
  const search = useSearch({ from: '/groups' });
  const navigate = useNavigate({ from: '/groups' });
  const change = (next: Partial<GroupsSearch>) =>
    void navigate({ search: (old) => ({ ...old, ...next }), replace: true });
  const announce = useAnnounce();
  const writeRefusal = useWriteRefusal();
  const copy = useGroups();
  const reading = useDirectoryRefresh();
  const moves = useMoves();
  const [opened, setOpened] = useState<Opened>(new Map());
  const [cursor, setCursor] = useState(search.group);
  const [wantsMembers, setWantsMembers] = useState(false);
  const tree = useRef<TreeHandle>(null);
  const members = useRef<TableHandle>(null);
  const member = useRef<ComputerRow | undefined>(undefined);
  const searchBox = useRef<HTMLInputElement>(null);
  const refreshButton = useRef<HTMLButtonElement>(null);

  const groups = copy.items ?? noGroups;
  const wanted = useDeferredValue((search.search ?? '').trim());
  const known = useMemo(() => byGuid(groups), [groups]);
  const lines = useMemo(() => linesOf(groups, opened, wanted), [groups, opened, wanted]);
  const whole = useMemo(
    () => groups.reduce((sum, { parent, below }) => (parent === null ? sum + below.computers : sum), 0),
    [groups],
  );
  const shown = search.group === undefined ? undefined : known.get(search.group);
  const below = useMemo(() => (shown === undefined ? [] : withBelow(groups, shown.guid)), [groups, shown]);
  const path = useMemo(() => (shown === undefined ? [] : pathOf(known, shown.guid)), [known, shown]);
  useReveal({ guid: search.group, known, setOpened, show: (guid) => tree.current?.show(guid) });

  const peek = (guid: string | undefined) => {
    member.current = undefined;
    change({ group: guid, below: undefined });
  };
  const go = (guid: string) => {
    setCursor(guid);
    peek(guid);
  };
  const openMembers = (node: GroupNode) => {
    setCursor(node.guid);
    if (search.group === node.guid) members.current?.focus();
    else peek(node.guid);
    setWantsMembers(true);
  };
  const current = () => (cursor !== undefined && known.has(cursor) ? cursor : search.group);
  const drop = (computer: DraggedComputer, node: GroupNode) => {
    if (writeRefusal === null) moves.ask({ ...computer, to: node.guid });
    else announce(writeRefusal);
  };
  useGroupsKeys({
    focusSearch: () => searchBox.current?.focus(),
    focusRefresh: () => refreshButton.current?.focus(),
    exportRows: () => change({ act: 'export' }),
    canGoBack: search.group !== undefined,
    back: () => {
      if (document.activeElement?.closest('aside') === null) peek(undefined);
      tree.current?.focus();
    },
    current,
    assign: () => change({ group: current(), act: 'assign' }),
    open: () => void navigate({ to: '/groups/$guid', params: { guid: current() ?? '' }, search: {} }),
    computers: () => {
      const group = known.get(current() ?? '');
      const filter = group === undefined ? null : filterOf([group]);
      if (filter !== null) void navigate({ to: '/computers', search: { filter } });
    },
    note: () => change({ group: current(), act: 'note' }),
    move: () => {
      if (member.current === undefined) return false;
      moves.ask({ guid: member.current.guid, hostname: member.current.hostname });
      return true;
    },
  });

  const matches = wanted === '' ? null : countMatches(lines);
  const waiting = copy.items === undefined || (groups.length === 0 && isReading(copy.state, reading.isRefreshing));
  const open = (guids: Iterable<string>, isOpen: boolean) =>
    setOpened((old) => new Map([...old, ...[...guids].map((guid) => [guid, isOpen] as const)]));
  const closeAct = () => change({ act: undefined });
  return (
    <div className={styles['screen']}>
      <DirectoryBar
        title="Groups"
        state={copy.state}
        count={
          waiting ? null : (
            <span>
              {matches === null ? '' : `${formatCount(matches)} of `}
              {formatCount(groups.length)} {groups.length === 1 ? 'group' : 'groups'}
            </span>
          )
        }
        details={{ read: groups.filter(({ policies }) => policies !== null).length, of: groups.length }}
        reading={reading}
        refreshButton={refreshButton}
      >
        <Button
          onPress={() => change({ act: 'export' })}
          aria-haspopup="dialog"
          reason={lines.length === 0 ? 'There is no group to export.' : null}
        >
          Export… <KeyCap keys="e" />
        </Button>
      </DirectoryBar>
      <div className={styles['searchLine']}>
        <SearchField
          label="Search the groups"
          placeholder="Part of a name, description or GUID"
          value={search.search ?? ''}
          onChange={(text) => change({ search: text === '' ? undefined : text })}
          onLeave={() => tree.current?.focus()}
          inputRef={searchBox}
        />
        <Button size="small" onPress={() => open(parentsIn(groups), true)} reason={foldReason(wanted)}>
          Open all
        </Button>
        <Button size="small" onPress={() => open(parentsIn(groups), false)} reason={foldReason(wanted)}>
          Close all
        </Button>
        <span className={styles['hint']}>numbers: of its own / with those below</span>
      </div>
      <DirectoryBanner
        state={copy.state}
        what="groups"
        isEmpty={groups.length === 0}
        onRefresh={(details) => reading.refresh(details)}
      />
      {moves.last === null ? null : <MovedBar moved={moves.last} onUndo={moves.ask} onDismiss={moves.dismiss} />}
      <div className={styles['body']}>
        <GroupTree
          lines={lines}
          whole={whole}
          cursor={cursor}
          onCursor={(node) => {
            setCursor(node.guid);
            if (search.group !== undefined && search.group !== node.guid) peek(node.guid);
          }}
          onOpen={(guid, isOpen) => open([guid], isOpen)}
          onOpenBelow={(guid, isOpen) => open(parentsIn(withBelow(groups, guid)), isOpen)}
          onMembers={openMembers}
          onPeek={(node) => peek(search.group === node.guid ? undefined : node.guid)}
          onDrop={drop}
          isBusy={waiting}
          empty={
            waiting ? undefined : (
              <NothingShown
                copy={copy}
                reading={reading}
                noun={['group', 'groups']}
                asked={`“${wanted}”`}
                onShowAll={() => change({ search: undefined })}
              >
                The service lists no group for this key. Groups are made in the web console.
              </NothingShown>
            )
          }
          handle={tree}
        />
        {search.group === undefined || waiting ? null : (
          <GroupPanel
            key={search.group}
            group={shown}
            path={path}
            below={below}
            withBelow={search.below ?? false}
            onWithBelow={(on) => change({ below: on ? true : undefined })}
            onClose={() => peek(undefined)}
            onGo={go}
            onAssign={() => change({ act: 'assign' })}
            onComputer={(row) => void navigate({ to: '/computers/$guid', params: { guid: row.guid }, search: {} })}
            onMember={(row) => {
              member.current = row;
            }}
            members={members}
            wantsMembers={wantsMembers}
            onMembersFocused={() => setWantsMembers(false)}
          />
        )}
      </div>
      {search.act === 'export' && !waiting ? (
        <TableExportDialog
          title="Export the groups"
          table={exportedGroups(
            groups,
            matches === null ? groups : lines.filter(({ isMatch }) => isMatch).map(({ node }) => node),
          )}
          lacks={
            groups.some(({ policies }) => policies === null) ? 'Policies that are not read yet stand as “?”.' : null
          }
          onClose={closeAct}
        />
      ) : null}
      <Dialogs act={search.act} group={shown} below={below} moves={moves} onClose={closeAct} />
    </div>
  );
}

interface DialogsProps {
  readonly act: GroupsSearch['act'];
  readonly group: GroupNode | undefined;
  readonly below: readonly GroupNode[];
  readonly moves: Moves;
  readonly onClose: () => void;
}

/** What keys, buttons and drops open. */
function Dialogs({ act, group, below, moves, onClose }: DialogsProps) {
  return (
    <>
      {act === 'assign' && group !== undefined ? (
        <AssignDialog key={group.guid} group={group} below={below} onClose={onClose} />
      ) : null}
      {act === 'note' && group !== undefined ? (
        <NoteDialog target={{ guid: group.guid, label: group.name }} onClose={onClose} />
      ) : null}
      {moves.request === null ? null : (
        <MoveComputerDialog
          key={`${moves.request.guid} ${moves.request.to ?? ''}`}
          request={moves.request}
          onClose={moves.close}
          onMoved={moves.done}
          onUndo={moves.ask}
        />
      )}
    </>
  );
}

function parentsIn(groups: readonly GroupNode[]): readonly string[] {
  return groups.filter(({ children }) => children.length > 0).map(({ guid }) => guid);
}

function foldReason(search: string): string | null {
  return search === '' ? null : 'A search shows what it finds, all open.';
}

interface Reveal {
  readonly guid: string | undefined;
  readonly known: ReadonlyMap<string, GroupNode>;
  readonly setOpened: (change: (old: Opened) => Opened) => void;
  readonly show: (guid: string) => void;
}

/** A group that the address names is brought into view once, with its ancestors open. */
function useReveal({ guid, known, setOpened, show }: Reveal): void {
  const revealed = useRef<string | undefined>(undefined);
  const latest = useRef(show);
  latest.current = show;
  useEffect(() => {
    if (guid === undefined || guid === revealed.current || !known.has(guid)) return;
    revealed.current = guid;
    const above = pathOf(known, guid).slice(0, -1);
    setOpened((old) => new Map([...old, ...above.map((node) => [node.guid, true] as const)]));
    const frame = requestAnimationFrame(() => latest.current(guid));
    return () => cancelAnimationFrame(frame);
  }, [guid, known, setOpened]);
}
