import type { EventStoreState } from '#shared/contract/events.ts';

import { makeShared } from '../computers/shared-work.ts';
import type { Clock } from '#core/base/ports.ts';
import { makeAnnouncer } from './announcer.ts';
import { arrivalsOf, arrivedIn } from './arrivals.ts';
import { exportEvents } from './export.ts';
import { facetsOf } from './facets.ts';
import { histogramOf } from './histogram.ts';
import { makeEventQueries } from './queries.ts';
import type { Scope } from './filter-match.ts';
import { makeNewest } from './newest.ts';
import { readEvents } from './reading.ts';
import { readReading, type ReadingState } from './reading-state.ts';
import { openEventFile } from './schema.ts';
import { seenFile } from './seen.ts';
import type { EventSource } from './source.ts';
import { storeState } from './state.ts';
import { tellersOf } from './tellers.ts';
import { makeTimeline } from './timeline.ts';
import type { EventStore } from './types.ts';
import { wordsFrom } from './vocabulary.ts';
import { makeEventThread } from './write-thread.ts';

export interface EventStoreOptions {
  /** The SQLite file, such as `<profile>/events/<connection>.db`; its folder is made when missing. */
  readonly path: string;
  readonly clock: Clock;
  readonly source: EventSource;
  /** Names of groups by their GUIDs, as far as they are known. */
  readonly groupNames: () => ReadonlyMap<string, string>;
  /** The oldest go when there are more. Asked before each reading. Default: 2,000,000. */
  readonly keptEvents?: (() => number) | undefined;
  /** Rows that one export holds at most. Default: 50,000. */
  readonly exportRows?: number | undefined;
  /** How long `stop` lets what arrived be written, in milliseconds of real time. Default: 1000. */
  readonly patienceMs?: number | undefined;
}

/** Opens one connection's store of events, made anew when it is damaged or of another schema. Close it with `stop()`. */
export function openEventStore(options: EventStoreOptions): EventStore {
  const { path, clock, source, groupNames } = options;
  const keptEvents = options.keptEvents ?? (() => 2_000_000);
  const database = openEventFile(path);
  const timeline = makeTimeline(database);
  const context = () => ({
    now: clock.now(),
    groupNames,
    wordsFrom: (beginning: string) => wordsFrom(database, beginning),
  });
  const queries = makeEventQueries(database, timeline, context);
  const always = (filter: string): Scope => queries.scope({ filter, from: null, to: null });
  const newest = makeNewest(database, queries.revision);
  const thread = makeEventThread(path, options.patienceMs ?? 1000);
  const announcer = makeAnnouncer(clock);
  const work = makeShared<void>();
  let progress: ReadingState | undefined;

  const onProgress = (state: ReadingState): void => {
    progress = state;
    announcer.touch();
  };
  const state = (): EventStoreState =>
    storeState({
      database,
      timeline,
      revision: queries.revision(),
      now: clock.now(),
      keptEvents: keptEvents(),
      reading: current(),
    });
  const current = (): ReadingState | null => progress ?? readReading(database);
  const read = async (days: number | undefined, signal: AbortSignal): Promise<void> => {
    try {
      await readEvents(
        { database, clock, source, thread, timeline, onProgress, keptEvents: keptEvents() },
        days,
        signal,
      );
    } finally {
      progress = undefined;
      announcer.flush();
    }
  };
  return {
    state,
    query: queries.window,
    count: (filter, most) => newest.count(always(filter), most),
    newest: (query) => newest.newest(always(query.filter), query),
    position: queries.position,
    histogram: ({ steps, ...query }) => histogramOf(database, queries.scope(query), steps, clock.now()),
    facets: (query) => facetsOf(database, queries.scope(query), timeline.all(), groupNames()),
    detail: queries.detail,
    types: queries.types,
    seen: (sha256) => seenFile(database, sha256),
    tellers: (filter, guids) => tellersOf(database, always, filter, guids),
    refresh: async ({ days, signal } = {}) => {
      await work.join((stop) => read(days, stop), signal);
      return state();
    },
    receive: async (records) => {
      const batch = { records, readAt: clock.now(), span: null, reading: null };
      const { added } = await thread.write({ kind: 'events', batch });
      if (added > 0) announcer.touch();
      return added;
    },
    arrivals: (after, most, filter) => arrivalsOf(database, filter === '' ? null : always(filter), after, most),
    arrived: () => arrivedIn(database),
    export: (query, signal) => exportEvents(database, queries, query, options.exportRows ?? 50_000, signal),
    onChange: announcer.listen,
    stop: async () => {
      announcer.stop();
      await Promise.all([work.stop(), thread.stop()]);
      database.close();
    },
  };
}
