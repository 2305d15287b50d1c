/** What the palette offers, and in which order. */
import { catalogue } from '#shared/commands/catalogue.ts';
import type { Risk } from '#shared/commands/define.ts';
import { readIndicator } from '#shared/model/indicator.ts';

export type PaletteAction =
  | {
      readonly kind: 'go';
      readonly to:
        | '/overview'
        | '/computers'
        | '/groups'
        | '/policies'
        | '/events'
        | '/file-lists'
        | '/search'
        | '/log'
        | '/unlock-codes'
        | '/instances'
        | '/instances/parameters'
        | '/connections'
        | '/settings'
        | '/command-line';
    }
  | { readonly kind: 'instances'; readonly act: 'add' | 'certificate' | 'reach' }
  | { readonly kind: 'instance'; readonly id: string }
  | { readonly kind: 'overlay'; readonly overlay: 'keys' | 'notices' | 'connection' | 'mode' }
  | { readonly kind: 'drawer' }
  | { readonly kind: 'addConnection' }
  | { readonly kind: 'importConnections' }
  | { readonly kind: 'log'; readonly act: 'verify' }
  | { readonly kind: 'settings'; readonly section: 'data' | 'diagnostics' }
  /** An address of this page, search included. */
  | { readonly kind: 'open'; readonly path: string }
  | { readonly kind: 'filter'; readonly filter: string }
  | { readonly kind: 'computer'; readonly guid: string }
  | { readonly kind: 'form'; readonly command: string; readonly values: Readonly<Record<string, string>> }
  | { readonly kind: 'line'; readonly line: string };

export interface PaletteItem {
  readonly id: string;
  readonly section: 'Objects' | 'Search' | 'Recent' | 'Go to' | 'Actions' | 'Commands';
  readonly title: string;
  readonly detail: string;
  /** A key of the key map that does the same. */
  readonly keys?: string;
  readonly action: PaletteAction;
}

const fixed: readonly PaletteItem[] = [
  {
    id: 'go-overview',
    section: 'Go to',
    title: 'Overview',
    detail: '',
    keys: 'g o',
    action: { kind: 'go', to: '/overview' },
  },
  {
    id: 'go-computers',
    section: 'Go to',
    title: 'Computers',
    detail: '',
    keys: 'g c',
    action: { kind: 'go', to: '/computers' },
  },
  {
    id: 'go-events',
    section: 'Go to',
    title: 'Events',
    detail: 'the local store of events and detections',
    keys: 'g e',
    action: { kind: 'go', to: '/events' },
  },
  {
    id: 'go-groups',
    section: 'Go to',
    title: 'Groups',
    detail: 'the tree, policies of each group, its computers',
    keys: 'g g',
    action: { kind: 'go', to: '/groups' },
  },
  {
    id: 'go-policies',
    section: 'Go to',
    title: 'Policies',
    detail: 'by product, groups and lists that belong to them',
    keys: 'g p',
    action: { kind: 'go', to: '/policies' },
  },
  {
    id: 'go-file-lists',
    section: 'Go to',
    title: 'File lists',
    detail: 'custom detections and application blocking',
    keys: 'g f',
    action: { kind: 'go', to: '/file-lists' },
  },
  {
    id: 'go-search',
    section: 'Go to',
    title: 'Search everything',
    detail: 'computers, users, hashes, addresses, URLs, files',
    keys: 'Mod+Shift+f',
    action: { kind: 'go', to: '/search' },
  },
  {
    id: 'go-log',
    section: 'Go to',
    title: 'Incident log',
    detail: '',
    keys: 'g l',
    action: { kind: 'go', to: '/log' },
  },
  {
    id: 'go-unlock-codes',
    section: 'Go to',
    title: 'Unlock codes',
    detail: 'the vault of this computer',
    action: { kind: 'go', to: '/unlock-codes' },
  },
  {
    id: 'go-instances',
    section: 'Go to',
    title: 'Instances',
    detail: 'the forwarding server and its routes',
    keys: 'g i',
    action: { kind: 'go', to: '/instances' },
  },
  {
    id: 'go-parameters',
    section: 'Go to',
    title: 'Server parameters',
    detail: 'instance.execute.external and others',
    action: { kind: 'go', to: '/instances/parameters' },
  },
  {
    id: 'go-connections',
    section: 'Go to',
    title: 'Connections',
    detail: '',
    keys: 'g n',
    action: { kind: 'go', to: '/connections' },
  },
  {
    id: 'go-settings',
    section: 'Go to',
    title: 'Settings',
    detail: 'theme, times, keys, notices, local data, diagnostics',
    keys: 'g s',
    action: { kind: 'go', to: '/settings' },
  },
  {
    id: 'go-command-line',
    section: 'Go to',
    title: 'Command line, the whole screen',
    detail: 'scrollback, commands and their help',
    keys: 'g t',
    action: { kind: 'go', to: '/command-line' },
  },
  {
    id: 'do-notices',
    section: 'Actions',
    title: 'Notices',
    detail: 'what needs somebody, newest first',
    keys: 'Mod+Shift+y',
    action: { kind: 'overlay', overlay: 'notices' },
  },
  {
    id: 'do-verify',
    section: 'Actions',
    title: 'Verify the chain of the incident log',
    detail: 'whether anything in it was changed or removed',
    action: { kind: 'log', act: 'verify' },
  },
  {
    id: 'do-diagnostics',
    section: 'Actions',
    title: 'Diagnostics',
    detail: 'with a preview; nothing is sent',
    action: { kind: 'settings', section: 'diagnostics' },
  },
  {
    id: 'do-stored',
    section: 'Actions',
    title: 'What is stored on this computer',
    detail: 'sizes, deleting local copies',
    action: { kind: 'settings', section: 'data' },
  },
  {
    id: 'do-import',
    section: 'Actions',
    title: 'Import connections…',
    detail: 'from a file without keys',
    action: { kind: 'importConnections' },
  },
  {
    id: 'do-drawer',
    section: 'Actions',
    title: 'Open the command line',
    detail: '',
    keys: ':',
    action: { kind: 'drawer' },
  },
  {
    id: 'do-switch',
    section: 'Actions',
    title: 'Switch connection',
    detail: '',
    keys: 'Mod+Shift+o',
    action: { kind: 'overlay', overlay: 'connection' },
  },
  {
    id: 'do-mode',
    section: 'Actions',
    title: 'Lock or unlock writing',
    detail: '',
    keys: 'Mod+Shift+l',
    action: { kind: 'overlay', overlay: 'mode' },
  },
  {
    id: 'do-connect',
    section: 'Actions',
    title: 'Connect your service',
    detail: 'add a connection',
    action: { kind: 'addConnection' },
  },
  {
    id: 'do-add-instance',
    section: 'Actions',
    title: 'Add an instance…',
    detail: 'reach a local service through the route',
    action: { kind: 'instances', act: 'add' },
  },
  {
    id: 'do-certificate',
    section: 'Actions',
    title: 'Certificate of the forwarding server…',
    detail: 'export the local authority, import, renew',
    action: { kind: 'instances', act: 'certificate' },
  },
  {
    id: 'do-reach',
    section: 'Actions',
    title: 'Who can reach the forwarding server…',
    detail: 'this computer alone, or the network',
    action: { kind: 'instances', act: 'reach' },
  },
  {
    id: 'do-export-groups',
    section: 'Actions',
    title: 'Export the groups…',
    detail: 'CSV or JSON',
    action: { kind: 'open', path: '/groups?act=export' },
  },
  {
    id: 'do-policies-groups',
    section: 'Actions',
    title: 'Which group has which policy',
    detail: 'matrix of groups and products',
    action: { kind: 'open', path: '/policies?view=groups' },
  },
  {
    id: 'do-policies-lists',
    section: 'Actions',
    title: 'Which policy uses which list',
    detail: 'matrix of policies and file lists',
    action: { kind: 'open', path: '/policies?view=lists' },
  },
  {
    id: 'do-compare-policies',
    section: 'Actions',
    title: 'Compare two policies',
    detail: 'fields, lists, exclusions, groups',
    action: { kind: 'open', path: '/policies/compare' },
  },
  {
    id: 'do-export-policies',
    section: 'Actions',
    title: 'Export the policies…',
    detail: 'CSV or JSON',
    action: { kind: 'open', path: '/policies?act=export' },
  },
  {
    id: 'do-block',
    section: 'Actions',
    title: 'Block a hash…',
    detail: 'add it to a file list',
    action: { kind: 'open', path: '/file-lists?act=add' },
  },
  {
    id: 'do-pending',
    section: 'Actions',
    title: 'Show pending isolations',
    detail: 'isolation:pending*',
    action: { kind: 'filter', filter: 'isolation:pending*' },
  },
  {
    id: 'do-keys',
    section: 'Actions',
    title: 'Keys of this screen',
    detail: '',
    keys: '?',
    action: { kind: 'overlay', overlay: 'keys' },
  },
];

const riskWords: Readonly<Record<Risk, string>> = {
  read: '',
  change: ' · change',
  isolate: ' · isolates',
  release: ' · releases',
};

const commands: readonly PaletteItem[] = catalogue.map((spec) => ({
  id: `command-${spec.name}`,
  section: 'Commands',
  title: spec.title,
  detail: `${spec.name}${riskWords[spec.risk]}`,
  action:
    Object.keys(spec.args).length === 0
      ? { kind: 'line', line: spec.name }
      : { kind: 'form', command: spec.name, values: {} },
}));

/** Everything that is always there, filtered by the typed words and ordered by how well they fit. */
export function matchingItems(text: string): readonly PaletteItem[] {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) return [...fixed, ...commands];
  return [...fixed, ...commands]
    .map((item) => ({ item, rank: rankOf(item, words) }))
    .filter(({ rank }) => rank > 0)
    .toSorted((a, b) => b.rank - a.rank)
    .map(({ item }) => item);
}

function rankOf(item: PaletteItem, words: readonly string[]): number {
  const title = item.title.toLowerCase();
  const all = `${title} ${item.detail.toLowerCase()}`;
  if (!words.every((word) => all.includes(word))) return 0;
  const [first = ''] = words;
  if (title.startsWith(first)) return 3;
  return title.split(' ').some((part) => part.startsWith(first)) ? 2 : 1;
}

/** The search over everything, with what is typed here; the last choice for words, the first for what nothing else is. */
export function searchItem(text: string): readonly PaletteItem[] {
  const value = text.trim();
  if (readIndicator(value) === null) return [];
  const shown = value.length > 60 ? `${value.slice(0, 57)}…` : value;
  return [
    {
      id: 'search-everything',
      section: 'Search',
      title: `Search everything for “${shown}”`,
      detail: 'what lies here at once, the service on request',
      action: { kind: 'open', path: `/search?q=${encodeURIComponent(searchText(value))}` },
    },
  ];
}

/** The router reads values as JSON where it can: a text that looks like JSON is quoted. */
function searchText(value: string): string {
  try {
    JSON.parse(value);
    return JSON.stringify(value);
  } catch {
    return value;
  }
}

const sha256 = /^[0-9a-f]{64}$/i;
const guid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const ipv4 = /^(?:\d{1,3}\.){3}\d{1,3}$/;

/** What a pasted id, hash or address can be looked up with. */
export function recognised(text: string): readonly PaletteItem[] {
  const value = text.trim();
  if (sha256.test(value))
    return [activity(value, 'Which computers have seen this hash?'), ...hashItems(value.toLowerCase())];
  if (ipv4.test(value)) return [activity(value, 'Which computers have seen this address?'), filterIp(value)];
  if (guid.test(value))
    return [
      {
        id: 'guid',
        section: 'Objects',
        title: 'Open the computer of this GUID',
        detail: value,
        action: { kind: 'computer', guid: value },
      },
    ];
  return [];
}

function activity(value: string, title: string): PaletteItem {
  return {
    id: 'activity',
    section: 'Objects',
    title,
    detail: 'asks the service, 1 call',
    action: { kind: 'form', command: 'svc_get_computer_activity', values: { q: value } },
  };
}

function hashItems(value: string): readonly PaletteItem[] {
  const item = (id: string, title: string, detail: string, path: string): PaletteItem => ({
    ...{ id, title, detail },
    section: 'Objects',
    action: { kind: 'open', path },
  });
  return [
    item(
      'events',
      'Which events name this hash?',
      'stored events',
      `/events?filter=${encodeURIComponent(`hash:${value}`)}`,
    ),
    item('lists', 'Which file lists hold this hash?', 'local copy', `/file-lists/hash/${value}`),
    item('block', 'Block this hash…', 'choose the list', `/file-lists/hash/${value}?act=add`),
  ];
}

function filterIp(value: string): PaletteItem {
  return {
    id: 'ip',
    section: 'Objects',
    title: 'Computers with this address',
    detail: `ip:${value}`,
    action: { kind: 'filter', filter: `ip:${value}` },
  };
}
