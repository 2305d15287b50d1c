import type { Trajectory, TrajectoryPoint } from '#shared/contract/sight.ts';

import { formatCount, formatExact, type TimeZone } from '../../ui/time.ts';
import { dispositionLooks, shapeLooks } from './looks.ts';

/** How much there is, since when, and what is missing; in sentences. */
export function extentOf({ points, oldest, cut }: Trajectory, zone: TimeZone): string {
  const count = `${formatCount(points.length)} ${points.length === 1 ? 'event' : 'events'}`;
  const from = oldest === null ? '' : `, from ${formatExact(oldest, zone)}`;
  return cut ? `The newest ${count}${from}. Older ones are not given by the service.` : `${count}${from}.`;
}

/** What was drawn like news of the system because its type is not known; `null` when there is nothing such. */
export function unknownOf({ unknown }: Pick<Trajectory, 'unknown'>): string | null {
  const total = unknown.reduce((sum, { count }) => sum + count, 0);
  if (total === 0) return null;
  const types = unknown.map(({ type, count }) => `${type} (${count})`).join(', ');
  return `${formatCount(total)} ${total === 1 ? 'event is' : 'events are'} of a type that is not known here: ${types}.`;
}

/** A point in words, as it is announced. */
export function describePoint(point: TrajectoryPoint, lane: string, zone: TimeZone): string {
  const { disposition, shape } = point;
  const held = disposition === 'none' ? '' : `, ${dispositionLooks[disposition].word}`;
  return `${formatExact(point.at, zone)}, ${lane}, ${shapeLooks[shape].word}${held}: ${point.text}`;
}
