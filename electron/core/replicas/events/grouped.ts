import type { Database } from '#core/store/database.ts';
import type { Scope } from './filter-match.ts';
import { idsSql } from './scan.ts';

/** Rows of a scope, one for each detection: of several matching events of one detection the newest. */
export interface Grouped {
  ids(offset: number, limit: number): readonly number[];
  /** Counts at most so many rows. */
  count(limit: number): { readonly count: number; readonly exact: boolean };
  /** Place of the row that stands for that event; `-1` when there is none. */
  position(id: number): number;
}

interface Walked {
  readonly ids: number[];
  readonly detections: Map<number, number>;
  /** Where the walk goes on: a range of the scope, and below which id. */
  range: number;
  below: number;
  done: boolean;
}

interface Step {
  readonly id: number;
  readonly detection: number | null;
}

const step = 1000;

/** Keeps how far it walked through one scope; `name` and `revision` tell whether that is still good. */
export function makeGroupedWalks(database: Database): (scope: Scope, revision: number) => Grouped {
  let known: { readonly name: string; readonly walked: Walked } | undefined;
  return (scope, revision) => {
    const name = `${revision} ${JSON.stringify(scope)}`;
    if (known?.name !== name)
      known = {
        name,
        walked: { ids: [], detections: new Map(), range: 0, below: Infinity, done: false },
      };
    return groupedOf(database, scope, known.walked);
  };
}

function groupedOf(database: Database, scope: Scope, walked: Walked): Grouped {
  const reach = (rows: number): void => {
    while (!walked.done && walked.ids.length < rows) walkOn(database, scope, walked);
  };
  return {
    ids(offset, limit) {
      reach(offset + limit);
      return walked.ids.slice(offset, offset + limit);
    },
    count(limit) {
      reach(limit);
      return {
        count: Math.min(walked.ids.length, Math.max(limit, 0)),
        exact: walked.done && walked.ids.length <= limit,
      };
    },
    position(id) {
      while (!walked.done && (walked.ids.at(-1) ?? Infinity) > id) walkOn(database, scope, walked);
      const own = placeOf(walked.ids, id);
      if (own !== -1) return own;
      const row = database.get<{ readonly detection: number }>('SELECT detection FROM chain WHERE id = ?', id);
      return row === undefined ? -1 : (walked.detections.get(row.detection) ?? -1);
    },
  };
}

function walkOn(database: Database, scope: Scope, walked: Walked): void {
  const range = scope.ranges[walked.range];
  if (range === undefined) return void (walked.done = true);
  const { text, params } = idsSql(scope, { low: range.low, high: Math.min(range.high, walked.below) });
  const sql = `SELECT m.id, c.detection FROM (${text} ORDER BY ${scope.match === null ? 'id' : 'rowid'} DESC LIMIT ?) m
    LEFT JOIN chain c ON c.id = m.id ORDER BY m.id DESC`;
  const steps = database.all<Step>(sql, ...params, BigInt(step));
  for (const { id, detection } of steps) take(walked, id, detection);
  const last = steps.at(-1);
  if (last !== undefined && steps.length === step) walked.below = last.id;
  else {
    walked.range += 1;
    walked.below = Infinity;
    walked.done = walked.range >= scope.ranges.length;
  }
}

function take(walked: Walked, id: number, detection: number | null): void {
  if (detection !== null) {
    if (walked.detections.has(detection)) return;
    walked.detections.set(detection, walked.ids.length);
  }
  walked.ids.push(id);
}

/** In a list that falls. */
function placeOf(ids: readonly number[], id: number): number {
  let [low, high] = [0, ids.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ids[middle] ?? 0) > id) low = middle + 1;
    else high = middle;
  }
  return ids[low] === id ? low : -1;
}
