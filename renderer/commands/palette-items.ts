/** What the palette offers, and in which order. */
import { catalogue } from '#shared/commands/catalogue.ts';
import type { Risk } from '#shared/commands/define.ts';

export type PaletteAction =
  | {
      readonly kind: 'go';
      readonly to:
        | '/overview'
        | '/computers'
        | '/events'
        | '/log'
        | '/instances'
        | '/instances/parameters'
        | '/connections';
    }
  | { readonly kind: 'instances'; readonly act: 'add' | 'certificate' | 'reach' }
  | { readonly kind: 'instance'; readonly id: string }
  | { readonly kind: 'overlay'; readonly overlay: 'keys' | 'settings' | 'connection' | 'mode' }
  | { readonly kind: 'drawer' }
  | { readonly kind: 'addConnection' }
  | { readonly kind: 'filter'; readonly filter: string }
  | { readonly kind: 'computer'; readonly guid: string }
  | { readonly kind: 'form'; readonly command: string; readonly values: Readonly<Record<string, string>> }
  | { readonly kind: 'line'; readonly line: string };

export interface PaletteItem {
  readonly id: string;
  readonly section: 'Objects' | 'Recent' | 'Go to' | 'Actions' | 'Commands';
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
    id: 'go-log',
    section: 'Go to',
    title: 'Incident log',
    detail: '',
    keys: 'g l',
    action: { kind: 'go', to: '/log' },
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
    detail: 'theme, times, keys',
    keys: 'g s',
    action: { kind: 'overlay', overlay: 'settings' },
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

const sha256 = /^[0-9a-f]{64}$/i;
const guid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const ipv4 = /^(?:\d{1,3}\.){3}\d{1,3}$/;

/** What a pasted id, hash or address can be looked up with. */
export function recognised(text: string): readonly PaletteItem[] {
  const value = text.trim();
  if (sha256.test(value)) return [activity(value, 'Which computers have seen this hash?'), events(value)];
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

function events(value: string): PaletteItem {
  return {
    id: 'events',
    section: 'Objects',
    title: 'Which events name this hash?',
    detail: 'asks the service',
    action: { kind: 'form', command: 'svc_get_events', values: { detection_sha256: value } },
  };
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
