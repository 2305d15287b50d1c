/** Groups, policies, file lists and the incident log. */
import type { SearchGroup, SearchHit, SearchKind } from '#shared/contract/search.ts';
import { counted } from '#shared/text/numbers.ts';
import { nouns } from '#shared/text/terms.ts';

import { address } from '../overview/words.ts';
import type { Part } from './types.ts';

interface Named {
  readonly guid: string;
  readonly name: string;
}

/** What bears that name, or is that GUID; those that begin so first. */
function named<T extends Named>(all: readonly T[], { kind, value }: { readonly kind: string; readonly value: string }) {
  const typed = value.toLowerCase();
  if (kind === 'guid') return all.filter(({ guid }) => guid.toLowerCase() === typed);
  if (kind !== 'name' && kind !== 'text' && kind !== 'file' && kind !== 'domain') return [];
  const place = ({ name }: T): number => name.toLowerCase().indexOf(typed);
  return all
    .filter((each) => place(each) >= 0)
    .toSorted((one, other) => Math.sign(place(one)) - Math.sign(place(other)));
}

function group(
  kind: SearchKind,
  title: string,
  found: readonly SearchHit[],
  limit: number,
  open: string | null = null,
): readonly SearchGroup[] {
  return [{ kind, title, count: found.length, exact: true, hits: found.slice(0, limit), open }];
}

export const groupsPart: Part = ({ inventory }, { indicator, limit }) => {
  const found = named(inventory.groups(), indicator).map(({ guid, name, path, computers }) => ({
    key: guid,
    label: name,
    detail: [path.slice(0, -1).join(' › '), counted(computers, nouns.computer)]
      .filter((part) => part !== '')
      .join(' · '),
    open: `/groups/${guid}`,
  }));
  return group('group', 'Groups', found, limit);
};

export const policiesPart: Part = ({ directory }, { indicator, limit }) => {
  const found = named(directory.policies().policies, indicator).map(({ guid, name, product, computers }) => ({
    key: guid,
    label: name,
    detail: `${product} · ${counted(computers, nouns.computer)}`,
    open: `/policies/${guid}`,
  }));
  return group('policy', 'Policies', found, limit);
};

/** Lists of that name, or, for a hash, those that hold it. */
export const listsPart: Part = ({ directory }, { indicator, limit }) => {
  if (indicator.kind === 'sha256') {
    const holding = directory.holding(indicator.value).map(({ list, item }) => ({
      key: list.guid,
      label: list.name,
      detail: [list.type, item.description].filter((part) => part !== '').join(' · '),
      open: address(`/file-lists/${list.guid}`, { search: indicator.value }),
    }));
    return group('file_list', 'File lists that hold it', holding, limit);
  }
  const found = named(directory.fileLists().lists, indicator).map(({ guid, name, type, items }) => ({
    key: guid,
    label: name,
    detail: items === null ? type : `${type} · ${counted(items, nouns.hash)}`,
    open: `/file-lists/${guid}`,
  }));
  return group('file_list', 'File lists', found, limit);
};

export const logPart: Part = async ({ log }, { indicator, limit }) => {
  const { value } = indicator;
  const { entries, matching } = await log.query({ text: value, limit });
  const hits = entries.map((entry) => ({
    key: entry.id,
    label: entry.message,
    detail: `${entry.at.slice(0, 16).replace('T', ' ')} · ${entry.operator}`,
    open: address('/log', { text: value, entry: entry.id }),
  }));
  return [
    { kind: 'log', title: 'Incident log', count: matching, exact: true, hits, open: address('/log', { text: value }) },
  ];
};
