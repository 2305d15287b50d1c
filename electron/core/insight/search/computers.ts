import type { SearchGroup, SearchHit } from '#shared/contract/search.ts';
import type { ComputerRow } from '#shared/model/computer.ts';

import { computersWith } from '../overview/words.ts';
import { computerFilterOf } from './filters.ts';
import type { Part, SearchSources } from './types.ts';

/** Computers that are counted. */
const mostCounted = 10_000;

/** Computers of that name, address, MAC, GUID or group. */
export const computersPart: Part = ({ inventory }, { indicator, limit }) => {
  const filter = computerFilterOf(indicator);
  if (filter === null) return [];
  const known = indicator.kind === 'guid' ? inventory.row(indicator.value) : undefined;
  if (known?.vanishedAt === null) return groupWith([known], { title: 'Computers', filter, matching: 1, exact: true });
  const title = indicator.kind === 'ip' || indicator.kind === 'network' ? 'Computers with this address' : 'Computers';
  return groupOf(inventory, { filter, title, limit, best: indicator.kind === 'name' ? indicator.value : null });
};

/** Computers that come from behind an address, such as a branch office. */
export const externalPart: Part = ({ inventory }, { indicator, limit }) => {
  if (indicator.kind !== 'ip' && indicator.kind !== 'network') return [];
  const filter = `external_ip:${indicator.value}`;
  return groupOf(inventory, { filter, title: 'Computers behind this external address', limit, best: null });
};

interface GroupOptions {
  readonly filter: string;
  readonly title: string;
  readonly limit: number;
  /** A name of which the nearest come first. */
  readonly best: string | null;
}

function groupOf(inventory: SearchSources['inventory'], options: GroupOptions): readonly SearchGroup[] {
  const { filter, title, limit, best } = options;
  const { rows, matching, exact } = inventory.few(filter, limit, mostCounted);
  const found = matching > limit && best !== null ? nearest(inventory, best, limit) : [];
  return groupWith(found.length > 0 ? found : rows, { title, filter, matching, exact });
}

function groupWith(
  rows: readonly ComputerRow[],
  { title, filter, matching, exact }: Readonly<{ title: string; filter: string; matching: number; exact: boolean }>,
): readonly SearchGroup[] {
  const hits = rows.map(hitOf);
  return [{ kind: 'computer', title, count: matching, exact, hits, open: computersWith(filter) }];
}

function nearest(inventory: SearchSources['inventory'], name: string, limit: number): readonly ComputerRow[] {
  return inventory
    .find(name, limit)
    .flatMap(({ kind, guid }) => (kind === 'computer' ? [inventory.row(guid)] : []))
    .filter((row) => row !== undefined);
}

function hitOf({ guid, hostname, internalIps, groupName, os }: ComputerRow): SearchHit {
  const detail = [internalIps[0] ?? '', groupName, os].filter((part) => part !== '').join(' · ');
  return { key: guid, label: hostname === '' ? guid : hostname, detail, open: `/computers/${guid}` };
}
