/** What stored events tell: the users, files, hashes, addresses and URLs in them, and the events themselves. */
import type { EventRow } from '#shared/contract/events.ts';
import type { SearchGroup, SearchHit, SearchKind } from '#shared/contract/search.ts';
import { quoteText } from '#shared/model/filter-format.ts';
import type { Indicator } from '#shared/model/indicator.ts';

import { address, counted } from '../overview/words.ts';
import { eventFilterOf } from './filters.ts';
import { sha256Of } from './other-hash.ts';
import type { Asked, Part, SearchSources } from './types.ts';

/** Newest events that are looked through for distinct values. */
const looked = 200;

const everything = { from: null, to: null, grouping: 'none', offset: 0 } as const;

export function eventsWith(filter: string): string {
  return address('/events', { ...(filter === '' ? {} : { filter }), span: 'all' });
}

interface Kept {
  readonly value: string;
  /** What else is said of it. */
  readonly note: string;
}

interface Wanted {
  readonly kind: SearchKind;
  readonly title: string;
  /** The events to look at; `null`: what is looked for cannot be in them. */
  readonly filter: (indicator: Indicator) => string | null;
  readonly pick: (row: EventRow, sources: SearchSources, asked: Asked) => Kept | null;
  /** The events that name exactly this value. */
  readonly exact: (value: string) => string;
  /** Where a hit leads; left out, to its events. */
  readonly open?: (value: string) => string;
}

function distinct(wanted: Wanted): Part {
  return (sources, asked) => {
    const filter = wanted.filter(asked.indicator);
    if (filter === null) return [];
    const { rows, matching } = sources.events.query({ ...everything, filter, limit: looked });
    const found = new Map<string, Kept>();
    for (const row of rows) {
      const kept = wanted.pick(row, sources, asked);
      if (kept !== null && !found.has(kept.value.toLowerCase())) found.set(kept.value.toLowerCase(), kept);
    }
    const hits = [...found.values()].slice(0, asked.limit).map((kept) => hitOf(sources, wanted, kept));
    const isWhole = matching.exact && matching.count <= looked;
    return [
      { kind: wanted.kind, title: wanted.title, count: found.size, exact: isWhole, hits, open: eventsWith(filter) },
    ];
  };
}

function hitOf({ events }: SearchSources, wanted: Wanted, { value, note }: Kept): SearchHit {
  const filter = wanted.exact(value);
  const { matching } = events.query({ ...everything, filter, limit: 1 });
  const many = `${matching.exact ? '' : '≥ '}${counted(matching.count, ['event', 'events'])}`;
  return {
    key: value,
    label: value,
    detail: note === '' ? many : `${note} · ${many}`,
    open: (wanted.open ?? (() => eventsWith(filter)))(value),
  };
}

/** Hashes of which only the beginning was typed. */
function hashBeginning({ kind, value }: Indicator): string | null {
  if (kind === 'sha256' || kind === 'sha1' || kind === 'md5') return value;
  return kind === 'name' && /^[0-9a-f]{6,63}$/i.test(value) ? value.toLowerCase() : null;
}

const isWord = ({ kind }: Indicator): boolean => kind === 'name' || kind === 'text';
const searchFor = (value: string): string => address('/search', { q: value });

const users: Wanted = {
  kind: 'user',
  title: 'Users',
  filter: (indicator) => (indicator.kind === 'user' || isWord(indicator) ? `user:${quoteText(indicator.value)}` : null),
  pick: ({ user }) => (user === null ? null : { value: user, note: '' }),
  exact: (value) => `user=${quoteText(value)}`,
};

const hashes: Wanted = {
  kind: 'hash',
  title: 'Hashes',
  filter: (indicator) => {
    const beginning = hashBeginning(indicator);
    if (beginning !== null) return `hash:${beginning}`;
    return indicator.kind === 'file' ? `file:${quoteText(indicator.value)}` : null;
  },
  pick: (row, sources, { indicator: { kind, value } }) => {
    if (kind === 'sha1' || kind === 'md5') return sha256Of(sources.events.detail(row.key)?.json ?? '', kind, value);
    if (row.sha256 === null) return null;
    if (
      kind === 'file'
        ? row.fileName?.toLowerCase() !== value.toLowerCase()
        : !row.sha256.startsWith(value.toLowerCase())
    )
      return null;
    return { value: row.sha256, note: [row.fileName, row.disposition].filter((part) => part !== null).join(', ') };
  },
  exact: (value) => `hash:${value}`,
  open: searchFor,
};

const files: Wanted = {
  kind: 'file',
  title: 'Files',
  filter: (indicator) => {
    const beginning = hashBeginning(indicator);
    if (beginning !== null) return `hash:${beginning}`;
    return indicator.kind === 'file' || isWord(indicator) ? `file:${quoteText(indicator.value)}` : null;
  },
  pick: ({ fileName, sha256 }, _sources, { indicator }) => {
    const beginning = hashBeginning(indicator);
    // The match may be the parent of the file.
    if (fileName === null || (beginning !== null && sha256?.startsWith(beginning) !== true)) return null;
    return { value: fileName, note: '' };
  },
  exact: (value) => `file=${quoteText(value)}`,
};

const addresses: Wanted = {
  kind: 'ip',
  title: 'Remote addresses',
  filter: ({ kind, value }) => (kind === 'ip' || kind === 'network' ? `ip:${value}` : null),
  pick: ({ remote }) => {
    const value = remote === null ? null : (/^\d{1,3}(?:\.\d{1,3}){3}/.exec(remote)?.[0] ?? remote);
    return value === null ? null : { value, note: '' };
  },
  exact: (value) => `ip:${quoteText(value)}`,
};

const urls: Wanted = {
  kind: 'url',
  title: 'URLs',
  filter: (indicator) =>
    indicator.kind === 'url' || indicator.kind === 'domain' || isWord(indicator)
      ? `url:${quoteText(indicator.value)}`
      : indicator.kind === 'ip'
        ? `url:"${indicator.value}"`
        : null,
  pick: ({ url }) => (url === null ? null : { value: url, note: '' }),
  exact: (value) => `url=${quoteText(value)}`,
};

const events: Part = ({ events: store }, { indicator, limit }): readonly SearchGroup[] => {
  const filter = eventFilterOf(indicator);
  const { rows, matching } = store.query({ ...everything, grouping: 'none', filter, limit });
  const hits = rows.map((row) => ({
    key: row.key,
    label: row.detection ?? row.type,
    detail: [row.at.slice(0, 16).replace('T', ' '), row.hostname, row.detection === null ? '' : row.type]
      .filter((part) => part !== '')
      .join(' · '),
    open: address('/events', { filter, span: 'all', event: row.key }),
  }));
  return [
    { kind: 'event', title: 'Events', count: matching.count, exact: matching.exact, hits, open: eventsWith(filter) },
  ];
};

export const eventParts = {
  users: distinct(users),
  hashes: distinct(hashes),
  files: distinct(files),
  addresses: distinct(addresses),
  urls: distinct(urls),
  events,
};
