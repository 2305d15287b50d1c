import type { LogEntry, LogQuery } from '#shared/model/incident.ts';

import { timeOrderedId } from '../ids.ts';
import type { Clock } from '../ports.ts';
import type { Database } from '../store/database.ts';
import { createAnnouncer } from './announcer.ts';
import { extendChain, verifyChain } from './chain.ts';
import { entryOf, insertEntry, paramsOf, type EntryRow } from './entry-row.ts';
import { csvOf, jsonlOf } from './export.ts';
import {
  allOf,
  anyOf,
  conditionsOf,
  idCondition,
  likeCondition,
  wordsOf,
  type Condition,
  type LogFilter,
} from './filter.ts';
import { listIncidents, openingEntry, readIncident, turningEntry } from './incidents.ts';
import { openLogFile, type LogFile } from './log-file.ts';
import { completeEntry, refuseCredentials } from './new-entry.ts';
import { htmlOf, markdownOf, type ReportHead } from './report.ts';
import { openSearchIndex, type SearchIndex } from './search-index.ts';
import type { IncidentLog, LogFormat, NewEntry } from './types.ts';

export interface IncidentLogOptions {
  /** `incidents.db`; an index for searching is kept beside it. */
  readonly path: string;
  readonly clock: Clock;
  random(bytes: number): Uint8Array;
  /** Written into every entry. */
  readonly operator: string;
  /** How long to wait for another process that is writing. Default: 5000. */
  readonly busyTimeoutMs?: number;
}

const exportBatch = 500;

/** Nothing is opened before the first call. After an error of the disk the next call opens the file anew. */
export function openIncidentLog(options: IncidentLogOptions): IncidentLog {
  const file = openLogFile(options.path, options.busyTimeoutMs ?? 5000);
  const index = openSearchIndex(options.path, options.path.replace(/(\.db)?$/, '-search.db'));
  const announcer = createAnnouncer(options.clock, () => newestOrZero(file));
  const find = (filter: LogFilter & { readonly text?: string | undefined }): Found => locate(file, index, filter);

  const write = <T>(work: (add: (entry: NewEntry) => LogEntry, database: Database) => T): T => {
    let last = 0;
    const result = file.write((database) => {
      const done = work((entry) => {
        const added = insert(database, entry, options);
        last = added.seq;
        return added;
      }, database);
      extendChain(database);
      return done;
    });
    announcer.appended(last);
    return result;
  };

  return {
    append: (entry) => {
      refuseCredentials(entry);
      return write((add) => add(entry));
    },
    query: (query) => page(find(query), query),
    entry: (id) =>
      file.read((database) => rowsAsEntries(database.all<EntryRow>('SELECT * FROM entry WHERE id = ?', id))[0]),
    about: (connection, targetGuid, limit) =>
      file.read((database) => readAbout(database, connection, targetGuid, limit)),
    export: (query, format) => {
      const entries = everything(() => find(query));
      const { incident } = query;
      const subject = file.read(listIncidents).find(({ id }) => id === incident) ?? null;
      return formats[format]({ incident: subject, at: new Date(options.clock.now()).toISOString() }, entries);
    },
    verify: (signal) => verifyChain(file.read, () => options.clock.now(), signal),
    incidents: () => file.read(listIncidents),
    openIncident: (input, surface) => {
      const id = timeOrderedId(options.clock.now(), options.random);
      return write((add, database) => {
        add(openingEntry(id, input, surface));
        return readIncident(database, id);
      });
    },
    setIncidentOpen: (id, open, surface) =>
      write((add, database) => {
        const incident = readIncident(database, id);
        if (incident.open !== open) add(turningEntry(incident, open, surface));
        return readIncident(database, id);
      }),
    onAppend: (listener) => announcer.listen(listener),
    stop: () => {
      announcer.stop();
      index.close();
      file.close();
    },
  };
}

function insert(database: Database, entry: NewEntry, { clock, random, operator }: IncidentLogOptions): LogEntry {
  const now = clock.now();
  // Read inside the transaction that inserts: no other process can take the number in between.
  const seq = newest(database) + 1;
  const complete = completeEntry(entry, {
    seq,
    id: timeOrderedId(now, random),
    at: new Date(now).toISOString(),
    operator,
  });
  database.run(insertEntry, paramsOf(complete));
  return complete;
}

function newest(database: Database): number {
  return database.get<{ readonly seq: number }>('SELECT coalesce(max(seq), 0) AS seq FROM entry')?.seq ?? 0;
}

const formats: Readonly<Record<LogFormat, (head: ReportHead, entries: Iterable<LogEntry>) => Iterable<string>>> = {
  csv: (_head, entries) => csvOf(entries),
  jsonl: (_head, entries) => jsonlOf(entries),
  md: markdownOf,
  html: htmlOf,
};

/** For watching only: a file that cannot be read now has nothing new to tell. */
function newestOrZero(file: LogFile): number {
  try {
    return file.read(newest);
  } catch {
    return 0;
  }
}

/** Where and how the matching entries are found. */
interface Found {
  readonly condition: Condition;
  all(suffix: string, ...params: readonly number[]): readonly LogEntry[];
  count(): number;
}

function locate(file: LogFile, index: SearchIndex, filter: LogFilter & { readonly text?: string | undefined }): Found {
  const words = wordsOf(filter.text);
  const others = conditionsOf(filter);
  // Opens the file first: the index reads it, but may not create it.
  file.read(newest);
  const indexed = index.search(words);
  const short = indexed === undefined ? words : words.filter((word) => Array.from(word).length < 3);
  const textual = [
    ...(indexed === undefined ? [] : [indexed.condition]),
    ...(short.length > 0 ? [likeCondition(short)] : []),
  ];
  const byId = idCondition(words);
  const condition = allOf([...others, ...(byId === undefined ? textual : [anyOf([allOf(textual), byId])])]);
  const read = <T>(work: (database: Database) => T): T =>
    indexed === undefined ? file.read(work) : work(indexed.database);
  return {
    condition,
    all: (suffix, ...params) =>
      read((database) =>
        rowsAsEntries(
          database.all<EntryRow>(
            `SELECT * FROM entry WHERE ${condition.sql} ${suffix}`,
            ...condition.params,
            ...params,
          ),
        ),
      ),
    count: () =>
      read(
        (database) =>
          database.get<{ readonly n: number }>(
            `SELECT count(*) AS n FROM entry WHERE ${condition.sql}`,
            ...condition.params,
          )?.n ?? 0,
      ),
  };
}

/** Newest first, or oldest first when following with `after`. `matching` counts all pages. */
function page(found: Found, query: LogQuery): ReturnType<IncidentLog['query']> {
  const range = ' AND seq > ? AND seq < ?';
  const direction = query.after === undefined ? 'DESC' : 'ASC';
  const limits = [query.after ?? 0, query.before ?? Number.MAX_SAFE_INTEGER, query.limit + 1] as const;
  const entries = found.all(`${range} ORDER BY seq ${direction} LIMIT ?`, ...limits);
  return { entries: entries.slice(0, query.limit), more: entries.length > query.limit, matching: found.count() };
}

/** Batch by batch, so that no statement stays open between two of them: an open one would hinder appending. */
function* everything(find: () => Found): Iterable<LogEntry> {
  const found = find();
  let last = 0;
  for (;;) {
    const batch = found.all(' AND seq > ? ORDER BY seq LIMIT ?', last, exportBatch);
    yield* batch;
    last = batch.at(-1)?.seq ?? last;
    if (batch.length < exportBatch) return;
  }
}

function readAbout(database: Database, connection: string, targetGuid: string, limit: number): readonly LogEntry[] {
  return rowsAsEntries(
    database.all<EntryRow>(
      `WITH mine AS (SELECT id FROM entry WHERE target_guid = ?1 AND connection_id = ?2)
       SELECT * FROM entry
       WHERE kind GLOB 'command.*' AND ((target_guid = ?1 AND connection_id = ?2) OR about IN mine)
       ORDER BY seq DESC LIMIT ?3`,
      targetGuid,
      connection,
      limit,
    ),
  );
}

function rowsAsEntries(rows: readonly EntryRow[]): readonly LogEntry[] {
  return rows.map(entryOf);
}
