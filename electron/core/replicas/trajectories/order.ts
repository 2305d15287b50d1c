import { timeOf, type TrajectoryRecord } from './record.ts';

export interface TimedRecord {
  readonly record: TrajectoryRecord;
  readonly seconds: number;
  readonly nanoseconds: number;
}

/**
 * Oldest first, by second and nanosecond. The service gives the newest first and leaves the order within a second open;
 * what has the same time, or none, keeps its place between its neighbours. `fallback`: Unix seconds when no event tells a time.
 */
export function oldestFirst(records: readonly TrajectoryRecord[], fallback: number): readonly TimedRecord[] {
  let last: Omit<TimedRecord, 'record'> | null = null;
  const timed = records.toReversed().map((record) => {
    const time: Omit<TimedRecord, 'record'> | null = timeOf(record) ?? last;
    last = time;
    return { record, time };
  });
  // Before the first that has a time there is nothing to keep to but that one.
  const first = timed.find(({ time }) => time !== null)?.time ?? { seconds: fallback, nanoseconds: 0 };
  return timed
    .map(({ record, time }) => ({ record, ...(time ?? first) }))
    .toSorted((a, b) => a.seconds - b.seconds || a.nanoseconds - b.nanoseconds);
}
