import type { CompletionSource } from '../commands/define.ts';
import { filterFields, type FilterField } from './filter-term.ts';

export type FilterKind = 'text' | 'version' | 'address' | 'mac' | 'state' | 'flag' | 'time';

interface FieldSpec {
  readonly title: string;
  readonly kind: FilterKind;
  /** Other spellings that are understood. */
  readonly aliases: readonly string[];
  readonly summary: string;
  /** Where completion finds values, and which half of a suggestion is typed. */
  readonly ask: { readonly source: CompletionSource; readonly take: 'value' | 'label' } | null;
}

export const filterFieldSpecs: Readonly<Record<FilterField, FieldSpec>> = {
  any: { title: 'Any', kind: 'text', aliases: [], summary: 'name, address, MAC, GUID or group contains', ask: null },
  name: {
    title: 'Name',
    kind: 'text',
    aliases: ['hostname', 'host', 'computer'],
    summary: 'host name',
    ask: { source: 'hostname', take: 'value' },
  },
  group: {
    title: 'Group',
    kind: 'text',
    aliases: ['groups', 'group_name'],
    summary: 'name or GUID of the group',
    ask: { source: 'group', take: 'label' },
  },
  policy: {
    title: 'Policy',
    kind: 'text',
    aliases: ['policies', 'policy_name'],
    summary: 'name or GUID of the policy',
    ask: { source: 'policy', take: 'label' },
  },
  os: {
    title: 'Operating system',
    kind: 'text',
    aliases: ['operating_system', 'os_version', 'system'],
    summary: 'operating system or its version',
    ask: null,
  },
  connector: {
    title: 'Connector',
    kind: 'version',
    aliases: ['connector_version', 'version', 'agent'],
    summary: 'connector version, also < and >',
    ask: null,
  },
  ip: {
    title: 'Address',
    kind: 'address',
    aliases: ['internal_ip', 'address', 'internal'],
    summary: '10.3.0.7, 10.3., 10.3.0.0/16 or 10.3.*',
    ask: null,
  },
  external_ip: {
    title: 'External address',
    kind: 'address',
    aliases: ['external', 'public_ip'],
    summary: 'as for ip',
    ask: null,
  },
  mac: {
    title: 'MAC',
    kind: 'mac',
    aliases: ['mac_address'],
    summary: 'whole or part, with any separators',
    ask: null,
  },
  guid: { title: 'GUID', kind: 'text', aliases: ['connector_guid', 'id'], summary: 'connector GUID', ask: null },
  isolation: {
    title: 'Isolation',
    kind: 'state',
    aliases: ['state', 'isolated'],
    summary: 'isolated, pending*, not_isolated …',
    ask: null,
  },
  compromised: { title: 'Compromised', kind: 'flag', aliases: ['is_compromised'], summary: 'yes or no', ask: null },
  last_seen: {
    title: 'Last seen',
    kind: 'time',
    aliases: ['seen', 'lastseen'],
    summary: '>7d longer ago, <1h within, or a date',
    ask: null,
  },
  installed: {
    title: 'Installed',
    kind: 'time',
    aliases: ['install_date', 'install'],
    summary: 'as for last_seen',
    ask: null,
  },
  duplicate: { title: 'Duplicate name', kind: 'flag', aliases: ['duplicates', 'dup'], summary: 'yes or no', ask: null },
  active: {
    title: 'Active',
    kind: 'flag',
    aliases: ['is_active'],
    summary: 'connector installed: yes or no',
    ask: null,
  },
  vanished: {
    title: 'Vanished',
    kind: 'flag',
    aliases: ['gone', 'deleted'],
    summary: 'no longer listed by the service: yes or no; hidden unless asked for',
    ask: null,
  },
};

const spellings = new Map(
  filterFields
    .filter((field) => field !== 'any')
    .flatMap((field) => [field, ...filterFieldSpecs[field].aliases].map((spelling) => [spelling, field] as const)),
);

/** The field of a typed name; capitals and `-` for `_` do not matter. */
export function fieldNamed(typed: string): FilterField | undefined {
  return spellings.get(typed.toLowerCase().replaceAll('-', '_'));
}

/** The field whose spelling comes nearest. */
export function nearestField(typed: string): FilterField | undefined {
  const spelling = nearest(typed.toLowerCase(), [...spellings.keys()]);
  return spelling === undefined ? undefined : spellings.get(spelling);
}

/** The known word that the typed one most likely means: a longer form of it, or at most two slips away. */
export function nearest(typed: string, known: readonly string[]): string | undefined {
  if (typed === '') return undefined;
  const longer = typed.length > 1 ? known.find((word) => word.startsWith(typed)) : undefined;
  if (longer !== undefined) return longer;
  const allowed = typed.length > 4 ? 2 : 1;
  const ranked = known.map((word) => ({ word, slips: distance(typed, word) })).toSorted((a, b) => a.slips - b.slips);
  const best = ranked[0];
  return best !== undefined && best.slips <= allowed ? best.word : undefined;
}

/** Levenshtein distance: letters to insert, drop or replace. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, left] of [...a].entries()) {
    const next = [i + 1];
    for (const [j, right] of [...b].entries()) {
      const replaced = (row[j] ?? 0) + (left === right ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
