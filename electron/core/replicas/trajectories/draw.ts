import type { Trajectory, TrajectoryPoint } from '#shared/contract/sight.ts';

import { readEvent, type TrajectoryEvent } from './event.ts';
import { lanesOf, placesOf, systemLane } from './lanes.ts';
import type { TimedRecord } from './order.ts';
import { mitreOf, severityOf, textAt } from './record.ts';
import { endpointOf, sentenceOf } from './words.ts';

/** What was read, and when. */
export interface Reading {
  readonly guid: string;
  readonly hostname: string;
  readonly query: string;
  /** ISO 8601. */
  readonly readAt: string;
  readonly cut: boolean;
}

/** Pure: lanes and points from events that are in their order. `index` of a point is its place among them. */
export function draw(reading: Reading, records: readonly TimedRecord[]): Trajectory {
  const events = records.map(({ record }) => readEvent(record));
  const places = placesOf(events);
  const { lanes, nameOf } = lanesOf(events, places);
  const points = records.flatMap((timed, index): readonly TrajectoryPoint[] => {
    const event = events[index];
    return event === undefined ? [] : [pointOf({ timed, event, index, lane: places[index] ?? systemLane, nameOf })];
  });
  return { ...reading, oldest: points[0]?.at ?? null, lanes, points, unknown: unknownOf(events) };
}

interface Placed {
  readonly timed: TimedRecord;
  readonly event: TrajectoryEvent;
  readonly index: number;
  readonly lane: string;
  readonly nameOf: (sha256: string) => string | null;
}

function pointOf({ timed, event, index, lane, nameOf }: Placed): TrajectoryPoint {
  const { seconds, nanoseconds } = timed;
  return {
    index,
    id: textAt(event.record, 'id'),
    at: new Date(seconds * 1000 + Math.floor(nanoseconds / 1e6)).toISOString(),
    nanoseconds,
    lane,
    parent: event.parent,
    parentName: event.parentName ?? (event.parent === null ? null : nameOf(event.parent)),
    remote: event.isNetwork ? endpointOf(event.record) : null,
    mitre: mitreOf(event.record),
    type: event.type,
    shape: event.shape,
    disposition: event.disposition,
    severity: severityOf(event.record),
    text: sentenceOf(event, nameOf),
    detectionId: event.detectionId,
    sha256: event.sha256,
  };
}

/** Most frequent first. */
function unknownOf(events: readonly TrajectoryEvent[]): Trajectory['unknown'] {
  const counts = new Map<string, number>();
  for (const { known, type } of events) if (!known) counts.set(type, (counts.get(type) ?? 0) + 1);
  return [...counts].map(([type, count]) => ({ type, count })).toSorted((a, b) => b.count - a.count);
}
