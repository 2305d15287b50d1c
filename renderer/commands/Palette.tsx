import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { useId, useState, type KeyboardEvent } from 'react';

import { computerSorts, type FoundObject } from '#shared/contract/contract.ts';
import type { SavedView } from '#shared/model/saved-view.ts';

import { useActiveConnectionOrNull } from '../api/active.tsx';
import { useApi } from '../api/ApiProvider.tsx';
import { pickedGroups, useUi, type BulkKind, type UiState } from '../state/ui.tsx';
import { BrowserModal } from '../ui/BrowserModal.tsx';
import { useActiveKeys, useRunKey } from '../ui/keys/KeyRegistry.tsx';
import { formatCount } from '../ui/time.ts';
import styles from './Palette.module.css';
import { PaletteList } from './PaletteList.tsx';
import {
  matchingItems,
  recognised,
  screenItems,
  searchItem,
  type PaletteAction,
  type PaletteItem,
} from './palette-items.ts';
import { useHistory } from './use-history.ts';

/** Search over objects, screens and commands. Choosing opens something; nothing is changed from here. */
export function Palette({ onClose }: { readonly onClose: () => void }) {
  const [text, setText] = useState('');
  const [picked, setPicked] = useState(0);
  const items = useItems(text);
  const act = useAct(onClose);
  const id = useId();
  const at = Math.min(picked, items.length - 1);
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'ArrowDown') setPicked(items.length === 0 ? 0 : (at + 1) % items.length);
    else if (event.key === 'ArrowUp') setPicked(items.length === 0 ? 0 : (at - 1 + items.length) % items.length);
    else if (event.key === 'Enter') {
      const item = items[at];
      if (item !== undefined) act(item.action);
    } else if (event.key !== 'Tab') return;
    // The field is all that takes the focus here: Tab stays in it.
    event.preventDefault();
  };
  return (
    <BrowserModal label="Search and commands" onClose={onClose} className={styles['scrim']}>
      <div className={styles['modal']}>
        <div className={styles['box']}>
          <Search size={16} aria-hidden="true" />
          <input
            className={styles['input']}
            role="combobox"
            aria-label="Search computers, groups and commands"
            aria-autocomplete="list"
            aria-expanded={items.length > 0}
            aria-controls={`${id}-list`}
            {...(items.length === 0 ? {} : { 'aria-activedescendant': `${id}-list-${at}` })}
            placeholder="Search computers, groups and commands; paste a hash, address or GUID"
            autoComplete="off"
            spellCheck={false}
            value={text}
            onChange={(event) => {
              setText(event.target.value);
              setPicked(0);
            }}
            onKeyDown={press}
          />
        </div>
        <PaletteList id={`${id}-list`} items={items} picked={at} onTake={(item) => act(item.action)} />
      </div>
    </BrowserModal>
  );
}

const mostObjects = 8;
const mostRecent = 4;
/** Found groups that bring their actions along. */
const mostActedOn = 3;

function useItems(text: string): readonly PaletteItem[] {
  const { queries } = useApi();
  const connection = useActiveConnectionOrNull()?.id ?? '';
  const history = useHistory();
  const wanted = text.trim();
  const input = { connection, text: wanted, limit: mostObjects };
  const enabled = connection !== '' && wanted.length >= 2;
  const found = useQuery(
    queries.commands.find.queryOptions({ input, enabled, placeholderData: keepPreviousData, gcTime: 5_000 }),
  );
  // Until the answer is there, of those found for the text before only such that fit this one: Enter takes the first.
  const fits = ({ label }: FoundObject) => label.toLowerCase().includes(wanted.toLowerCase());
  const known = (found.data ?? []).filter((object) => !found.isPlaceholderData || fits(object));
  const objects = enabled ? known.map(objectItem) : [];
  const groups = useGroups(connection, wanted, known);
  const onGroups = groups.slice(0, mostActedOn).map(assignItem);
  const instances = useInstances(wanted);
  const policies = usePolicies(connection, wanted);
  const lists = useFileLists(connection, wanted);
  const views = useSavedViews(connection, wanted);
  const active = useActiveKeys();
  const recent = history.lines.filter((line) => line.toLowerCase().includes(wanted.toLowerCase())).slice(0, mostRecent);
  const items = [
    ...recognised(text),
    ...objects,
    ...instances,
    ...groups.filter(({ guid }) => !known.some((object) => object.guid === guid)).map(objectItem),
    ...policies,
    ...lists,
    ...onGroups,
    ...recent.map(recentItem),
    ...views,
    ...matchingItems(text),
    ...screenItems(active, text),
    ...searchItem(text),
  ];
  // The arrow keys follow what is seen: sections in the order of their best item.
  return [...Map.groupBy(items, (item) => item.section).values()].flat();
}

/** Instances by name; without a text none, as the list of all stands on their screen. */
function useInstances(wanted: string): readonly PaletteItem[] {
  const { data } = useQuery(useApi().queries.instances.list.queryOptions());
  const words = wanted.toLowerCase();
  if (words === '') return [];
  return (data?.rows ?? [])
    .filter(({ instance }) => instance.name.toLowerCase().includes(words))
    .slice(0, mostObjects)
    .map(({ instance, health, route }) => ({
      id: `instance-${instance.id}`,
      section: 'Objects',
      title: instance.name,
      detail: `instance · ${health.state} · ${route}`,
      action: { kind: 'instance', id: instance.id },
    }));
}

/** Groups by name, as far as a screen has asked for them: where many computers answer, the host finds no place for them. */
function useGroups(connection: string, wanted: string, known: readonly FoundObject[]): readonly FoundObject[] {
  const { queries } = useApi();
  const { data } = useQuery(queries.directory.groups.tree.queryOptions({ input: { connection }, enabled: false }));
  const words = wanted.toLowerCase();
  if (words.length < 2) return [];
  const found = (data?.groups ?? [])
    .filter(({ name, vanishedAt }) => vanishedAt === null && name.toLowerCase().includes(words))
    .slice(0, mostObjects)
    .map(({ guid, name, below }): FoundObject => {
      const detail = `${formatCount(below.computers)} ${below.computers === 1 ? 'computer' : 'computers'}`;
      return { kind: 'group', guid, label: name, detail };
    });
  const others = known.filter(({ kind, guid }) => kind === 'group' && !found.some((group) => group.guid === guid));
  return [...found, ...others];
}

/** Policies by name, as far as a screen has asked for them: opening the palette makes nobody read them. */
function usePolicies(connection: string, wanted: string): readonly PaletteItem[] {
  const { queries } = useApi();
  const { data } = useQuery(queries.directory.policies.list.queryOptions({ input: { connection }, enabled: false }));
  const words = wanted.toLowerCase();
  if (words.length < 2) return [];
  return (data?.policies ?? [])
    .filter(({ name, vanishedAt }) => vanishedAt === null && name.toLowerCase().includes(words))
    .slice(0, mostObjects)
    .map(({ guid, name, product, computers }) => ({
      id: `policy-${guid}`,
      section: 'Objects',
      title: name,
      detail: `policy for ${product} · ${formatCount(computers)} ${computers === 1 ? 'computer' : 'computers'}`,
      action: { kind: 'open', path: `/policies/${guid}` },
    }));
}

/** File lists by name, as far as a screen has asked for them: opening the palette makes nobody read them. */
function useFileLists(connection: string, wanted: string): readonly PaletteItem[] {
  const { queries } = useApi();
  const { data } = useQuery(queries.directory.fileLists.list.queryOptions({ input: { connection }, enabled: false }));
  const words = wanted.toLowerCase();
  if (words.length < 2) return [];
  return (data?.lists ?? [])
    .filter(({ name, vanishedAt }) => vanishedAt === null && name.toLowerCase().includes(words))
    .slice(0, mostObjects)
    .map(({ guid, name, items }) => ({
      id: `list-${guid}`,
      section: 'Objects' as const,
      title: name,
      detail: `file list · ${items === null ? 'not read' : `${formatCount(items)} hashes`}`,
      path: `/file-lists/${guid}`,
    }))
    .flatMap(({ path, ...item }): readonly PaletteItem[] => [
      { ...item, action: { kind: 'open', path } },
      {
        id: `${item.id}-edit`,
        section: 'Objects',
        title: `Edit ${item.title}`,
        detail: 'stage many hashes, commit them at once',
        action: { kind: 'open', path: `${path}/edit` },
      },
    ]);
}

/** Saved views of the computers list, as far as it was open. */
function useSavedViews(connection: string, wanted: string): readonly PaletteItem[] {
  const { queries } = useApi();
  const { data } = useQuery(queries.views.list.queryOptions({ input: { connection }, enabled: false }));
  const words = wanted.toLowerCase();
  if (words.length < 2) return [];
  return (data ?? [])
    .filter(({ name }) => name.toLowerCase().includes(words))
    .map((view) => ({
      id: `view-${view.id}`,
      section: 'Objects',
      title: view.name,
      detail: `view of computers · ${view.filter === '' ? 'no filter' : view.filter}`,
      action: { kind: 'view', view },
    }));
}

function objectItem(object: FoundObject): PaletteItem {
  const action: PaletteAction =
    object.kind === 'computer'
      ? { kind: 'computer', guid: object.guid }
      : { kind: 'open', path: `/groups?group=${object.guid}` };
  return {
    id: `${object.kind}-${object.guid}`,
    section: 'Objects',
    title: object.label,
    detail: `${object.kind} · ${object.detail}`,
    action,
  };
}

/** Opens the dialog; nothing is sent by choosing it. */
function assignItem({ guid, label }: FoundObject): PaletteItem {
  return {
    id: `assign-${guid}`,
    section: 'Actions',
    title: `Assign policies to ${label}…`,
    detail: 'shows before and after first',
    action: { kind: 'open', path: `/groups?group=${guid}&act=assign` },
  };
}

function recentItem(line: string): PaletteItem {
  return { id: `recent-${line}`, section: 'Recent', title: `!${line}`, detail: '', action: { kind: 'line', line } };
}

function addressOf({ id, filter, sort, descending }: SavedView) {
  return { view: id, filter, sort: computerSorts.find((each) => each === sort), desc: descending };
}

const focusComesBackMs = 60;

function useAct(onClose: () => void): (action: PaletteAction) => void {
  const runKey = useRunKey();
  const navigate = useNavigate();
  const { history } = useRouter();
  const ui = useUi((all) => all);
  const connection = useActiveConnectionOrNull();
  return (action) => {
    onClose();
    switch (action.kind) {
      case 'go':
        return void navigate({ to: action.to });
      case 'instances':
        return void navigate({ to: '/instances', search: { act: action.act } });
      case 'instance':
        return void navigate({ to: '/instances/$id', params: { id: action.id }, search: {} });
      case 'overlay':
        return ui.setOverlay(action.overlay);
      case 'bulk':
        if (connection === null) return undefined;
        return ui.openBulk(action.bulk, pickedFor(action.bulk, connection.id, ui.selections));
      case 'drawer':
        return ui.setDrawer(true);
      case 'importConnections':
        return void navigate({ to: '/connections', search: { import: true } });
      case 'log':
        return void navigate({ to: '/log', search: { act: action.act } });
      case 'settings':
        return void navigate({ to: '/settings', search: { section: action.section } });
      case 'addConnection':
        return void navigate({ to: '/connections', search: { add: true } });
      case 'open':
        return history.push(action.path);
      case 'filter':
        return void navigate({ to: '/computers', search: { filter: action.filter } });
      case 'view':
        return void navigate({ to: '/computers', search: addressOf(action.view) });
      case 'key':
        // The focus goes back to where it was first: the key is about what has it.
        return void setTimeout(() => runKey(action.id), focusComesBackMs);
      case 'computer':
        return void navigate({ to: '/computers/$guid', params: { guid: action.guid } });
      case 'form':
        return ui.openForm(action.command, action.values);
      case 'line':
        return ui.setDrawer(true, action.line);
    }
  };
}

/** A bulk change starts from what is selected in the list that it is about. */
function pickedFor(kind: BulkKind, connection: string, selections: UiState['selections']): readonly string[] {
  return [...(selections.get(kind === 'policies' ? pickedGroups(connection) : connection) ?? [])];
}
