import type { EventRow } from '#shared/contract/events.ts';
import { quoteText } from '#shared/model/filter-format.ts';

interface Pivot {
  readonly title: string;
  /** A term of the typed filter. */
  readonly term: string;
}

/** What else can be asked for from an event: the same hash, computer, user, address, URL or detection. */
export function pivotsOf(row: EventRow): readonly Pivot[] {
  const address = row.remote === null ? null : withoutPort(row.remote);
  const asked: readonly (readonly [title: string, field: string, value: string | null])[] = [
    ['Same hash', 'hash:', row.sha256],
    ['Same computer', 'guid:', row.guid],
    ['Same user', 'user=', row.user],
    ['Same address', 'ip:', address],
    ['Same URL', 'url=', row.url],
    ['Same detection', 'detection=', row.detection],
  ];
  return asked.flatMap(([title, field, value]) =>
    value === null || value === '' ? [] : [{ title, term: `${field}${quoteText(value)}` }],
  );
}

/** `10.0.0.1:443` and `[fe80::1]:443` are asked for without their ports. */
function withoutPort(remote: string): string {
  const [, v4, v6] = /^(?:(\d{1,3}(?:\.\d{1,3}){3}):\d+|\[([^\]]+)\](?::\d+)?)$/.exec(remote) ?? [];
  return v4 ?? v6 ?? remote;
}
