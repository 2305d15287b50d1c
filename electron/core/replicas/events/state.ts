import type { EventStoreState } from '#shared/contract/events.ts';

import type { Database } from '#core/store/database.ts';
import { keptDays, openSpans, usualPages, wantedSince, dayMs } from './reading.ts';
import { readSpans, toldGaps, type ReadingState, type Span } from './reading-state.ts';
import { eventPageSize } from './source.ts';
import type { Timeline } from './timeline.ts';

interface StateParts {
  readonly database: Database;
  readonly timeline: Timeline;
  readonly revision: number;
  readonly now: number;
  readonly keptEvents: number;
  readonly reading: ReadingState | null;
}

export function storeState({ database, timeline, revision, now, keptEvents, reading }: StateParts): EventStoreState {
  const stored = timeline.all();
  const edge = (order: 'ASC' | 'DESC'): string | null => {
    const ms = database.get<{ readonly ms: number }>(`SELECT ms FROM event ORDER BY id ${order} LIMIT 1`)?.ms;
    return ms === undefined ? null : new Date(ms).toISOString();
  };
  const spans = readSpans(database);
  return {
    stored,
    oldest: edge('ASC'),
    newest: edge('DESC'),
    phase: reading?.phase ?? 'empty',
    // Pages overlap a little, so that more may have been read than there is.
    read: Math.min(reading?.read ?? 0, reading?.total ?? Number.POSITIVE_INFINITY),
    total: reading?.total ?? null,
    readAt: reading?.readAt === null || reading === null ? null : new Date(reading.readAt).toISOString(),
    error: reading?.error ?? null,
    refreshCalls: refreshCalls(database, stored, spans, now),
    revision,
    gaps: toldGaps(database, { since: now - keptDays * dayMs, until: now }),
    keptDays,
    keptEvents,
    unknownFields: database.all<{ readonly field: string; readonly count: number }>(
      'SELECT field, n AS count FROM unknown_field ORDER BY n DESC, field LIMIT 100',
    ),
  };
}

/** From how many events there were in the time that was read; before the first reading the most that it may cost. */
function refreshCalls(database: Database, stored: number, spans: readonly Span[], now: number): number {
  const types = database.get('SELECT 1 FROM event_type') === undefined ? 1 : 0;
  const readMs = spans.reduce((sum, { since, until }) => sum + until - since, 0);
  if (readMs === 0) return usualPages + types;
  const open = openSpans(database, wantedSince(database, now, undefined), now);
  const calls = open.map(({ since, until }) => Math.ceil(((until - since) * stored) / readMs / eventPageSize));
  return (
    Math.min(
      usualPages,
      Math.max(
        1,
        calls.reduce((sum, one) => sum + Math.max(1, one), 0),
      ),
    ) + types
  );
}
