/** Our own entries, newest first, with what was done elsewhere between them. */
import type { JoinedCursor, JoinedPage, JoinedRow } from '#shared/contract/log.ts';
import type { AuditRecord } from '#shared/model/audit.ts';
import type { Incident, LogEntry } from '#shared/model/incident.ts';

import type { IncidentLog, LogSearch } from '../incidents/types.ts';
import type { AuditQuery, AuditStore } from './store.ts';

export interface JoinedRequest {
  readonly query: LogSearch;
  readonly cursor: JoinedCursor | null;
  readonly limit: number;
}

type Log = Pick<IncidentLog, 'query' | 'incidents'>;

/** Our own keep the order in which they were written, even where a clock was set back. */
export function joinedPage(log: Log, store: AuditStore | null, request: JoinedRequest): JoinedPage {
  const { query, limit } = request;
  const cursor = request.cursor ?? { seq: null, record: null };
  const before = cursor.seq === null ? {} : { before: cursor.seq };
  const { entries, more, matching } = log.query({ ...query, limit, ...before });
  const asked = store === null ? undefined : elsewhereOf(query, log);
  const found = store === null || asked === undefined ? [] : store.page(asked, cursor.record, limit + 1);
  const rows = merge(entries, found.slice(0, limit), limit);
  const rest = more || found.length > limit || rows.length < entries.length + found.length;
  return {
    rows,
    next: rest ? cursorAfter(rows, cursor) : null,
    matching,
    elsewhere: store === null || asked === undefined ? 0 : store.count(asked),
  };
}

function merge(entries: readonly LogEntry[], records: readonly AuditRecord[], limit: number): readonly JoinedRow[] {
  const rows: JoinedRow[] = [];
  let [own, other] = [0, 0];
  while (rows.length < limit) {
    const [entry, record] = [entries[own], records[other]];
    if (entry === undefined && record === undefined) break;
    if (record === undefined || (entry !== undefined && entry.at >= record.at)) {
      if (entry === undefined) break;
      rows.push({ kind: 'own', entry });
      own += 1;
    } else {
      rows.push({ kind: 'elsewhere', record });
      other += 1;
    }
  }
  return rows;
}

function cursorAfter(rows: readonly JoinedRow[], before: JoinedCursor): JoinedCursor {
  const entry = rows.findLast((row) => row.kind === 'own')?.entry;
  const record = rows.findLast((row) => row.kind === 'elsewhere')?.record;
  return {
    seq: entry?.seq ?? before.seq,
    record: record === undefined ? before.record : { at: record.at, key: record.key },
  };
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
