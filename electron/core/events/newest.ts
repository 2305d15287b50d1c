import type { EventRow, EventWindow } from '#shared/contract/events.ts';

import type { Database } from '../store/database.ts';
import type { Scope } from './filter-match.ts';
import { rowsOf } from './rows.ts';
import { idsOf } from './scan.ts';

/** What a search looks at in many events: a tenth of a row's work. */
export type EventValues = Pick<EventRow, 'key' | 'user' | 'sha256' | 'fileName' | 'disposition' | 'remote' | 'url'>;

export interface NewestQuery {
  readonly filter: string;
  /** How many of the newest are given as rows, and how many as values. */
  readonly rows: number;
  readonly values: number;
  /** How many are counted. */
  readonly most: number;
}

export interface NewestEvents {
  readonly rows: readonly EventRow[];
  readonly values: readonly EventValues[];
  readonly matching: EventWindow['matching'];
}

/** The newest events of a scope and their number, by one walk over the index. */
export function newestOf(database: Database, scope: Scope, { rows, values, most }: NewestQuery): NewestEvents {
  const ids = idsOf(database, scope, 0, most + 1);
  return {
    rows: rowsOf(database, ids.slice(0, rows)),
    values: valuesOf(database, ids.slice(0, values)),
    matching: { count: Math.min(ids.length, most), exact: ids.length <= most },
  };
}

function valuesOf(database: Database, ids: readonly number[]): readonly EventValues[] {
  const sql = `SELECT key, user, sha256, file_name AS fileName, disposition, remote, url FROM event
    WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id DESC`;
  return database.all<EventValues>(sql, JSON.stringify(ids));
}
