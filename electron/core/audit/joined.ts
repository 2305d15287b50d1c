/** Our own entries, newest first, with what was done elsewhere between them. */
import type { JoinedPage, JoinedRow } from '#shared/contract/log.ts';
import type { Incident, LogEntry } from '#shared/model/incident.ts';

import type { IncidentLog, LogSearch } from '../incidents/types.ts';
import type { AuditQuery, AuditStore } from './store.ts';

export interface JoinedRequest {
  readonly query: LogSearch;
  readonly offset: number;
  readonly limit: number;
  /** Number of the newest entry of our own that is among the rows; what came later is counted only. Left out: all. */
  readonly upTo?: number | undefined;
}

type Log = Pick<IncidentLog, 'query' | 'incidents' | 'seqs' | 'count' | 'seqsBefore'>;

/** A record from elsewhere stands right above our last entry before its time. */
interface Place {
  readonly key: string;
  /** Number of that entry. */
  readonly above: number;
}

/** A row of the window, not read yet. */
type Spot = { readonly seq: number } | { readonly key: string };

/**
 * Our own keep the order in which they were written, even where a clock was set back. Only the rows of the window are
 * read: of what is before them, it is enough to know how many records from elsewhere there are at most.
 */
export function joinedPage(log: Log, store: AuditStore | null, request: JoinedRequest): JoinedPage {
  const { query, offset, limit, upTo = Infinity } = request;
  const all = store === null ? [] : placesOf(store, log, query);
  const places = all.filter(({ above }) => above <= upTo);
  const later = laterThan(log, query, upTo);
  const before = Math.max(0, offset - places.length);
  const seqs = log.seqs(query, later + before, places.length + limit);
  const spots = merge(seqs, before, places, offset, limit);
  const own = log.count(query);
  return {
    rows: rowsAt(spots, query, log, store),
    offset,
    matching: own - later + places.length,
    own,
    elsewhere: all.length,
    newer: later + all.length - places.length,
    newest: log.seqs(query, 0, 1)[0] ?? 0,
  };
}

const laterAtOnce = 500;

/** How many of our own that match are newer than this one: few, while somebody reads. */
function laterThan(log: Log, query: LogSearch, upTo: number): number {
  if (upTo === Infinity) return 0;
  for (let found = 0; ; found += laterAtOnce) {
    const seqs = log.seqs(query, found, laterAtOnce);
    const later = seqs.findIndex((seq) => seq <= upTo);
    if (later >= 0) return found + later;
    if (seqs.length < laterAtOnce) return found + seqs.length;
  }
}

/** In the order in which they stand, newest first. */
function placesOf(store: AuditStore, log: Log, query: LogSearch): readonly Place[] {
  const asked = elsewhereOf(query, log);
  if (asked === undefined) return [];
  const records = store.places(asked);
  const above = log.seqsBefore(records.map(({ at }) => at));
  const places = records.map(({ key }, index) => ({ key, above: above[index] ?? 0 }));
  return places.toSorted((one, other) => other.above - one.above);
}

/** `seqs`: numbers of our own entries, of which the first is the one at `before` among them. */
function merge(
  seqs: readonly number[],
  before: number,
  places: readonly Place[],
  offset: number,
  limit: number,
): readonly Spot[] {
  const spots: Spot[] = [];
  // Records above the first of these entries are before the window as well, or at its beginning.
  let other = before === 0 ? 0 : places.filter(({ above }) => above >= (seqs[0] ?? 0)).length;
  for (let own = 0, at = before + other; at < offset + limit; at += 1) {
    const [seq, place] = [seqs[own], places[other]];
    if (seq === undefined && place === undefined) break;
    const isOwn = place === undefined || (seq !== undefined && seq > place.above);
    if (at >= offset) spots.push(isOwn ? { seq: seq ?? 0 } : { key: place.key });
    if (isOwn) own += 1;
    else other += 1;
  }
  return spots;
}

function rowsAt(spots: readonly Spot[], query: LogSearch, log: Log, store: AuditStore | null): readonly JoinedRow[] {
  const seqs = spots.flatMap((spot) => ('seq' in spot ? [spot.seq] : []));
  const [newest] = seqs;
  const entries = new Map<number, LogEntry>();
  if (newest !== undefined)
    for (const entry of log.query({ ...query, before: newest + 1, limit: seqs.length }).entries)
      entries.set(entry.seq, entry);
  return spots.flatMap((spot): readonly JoinedRow[] => {
    if ('seq' in spot) {
      const entry = entries.get(spot.seq);
      return entry === undefined ? [] : [{ kind: 'own', entry }];
    }
    const record = store?.find(spot.key);
    return record === undefined ? [] : [{ kind: 'elsewhere', record }];
  });
}

/** The same question to the audit log; `undefined` where nothing from elsewhere can answer it. */
function elsewhereOf(query: LogSearch, log: Log): AuditQuery | undefined {
  const { text, hash, target, operator, writesOnly, kinds, command, surface, pinned } = query;
  if (kinds !== undefined || command !== undefined || surface !== undefined || pinned === true) return undefined;
  const span = spanOf(
    query,
    query.incident === undefined ? undefined : log.incidents().find(({ id }) => id === query.incident),
  );
  const words = `${text ?? ''} ${hash ?? ''}`.split(/\s+/u).filter((word) => word !== '');
  return { text: words, target, user: operator, writesOnly, ...span };
}

/** Nobody elsewhere knows of our incidents: what was done while it was open may belong to it. */
function spanOf({ since, until }: LogSearch, incident: Incident | undefined): Pick<AuditQuery, 'since' | 'until'> {
  const starts = [isoOf(since), incident?.openedAt].filter((time) => time !== undefined).toSorted();
  const ends = [isoOf(until), incident?.closedAt ?? undefined].filter((time) => time !== undefined).toSorted();
  return { since: starts.at(-1), until: ends[0] };
}

/** The log has refused what is no time before. */
function isoOf(time: string | undefined): string | undefined {
  return time === undefined ? undefined : new Date(time).toISOString();
}
