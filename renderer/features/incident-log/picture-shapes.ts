/** The sums of the log as the pictures want them. */
import { largest, smallest } from '#shared/extremes.ts';
import type { HostLane, WritesInStep } from '#shared/contract/log.ts';

import type { Lane } from '../../ui/chart/TimeLanes.tsx';
import { kindWords } from './entry-words.ts';
import type { Tone } from '../../ui/chart/theme.ts';

const hourMs = 3_600_000;
const tones: readonly Tone[] = ['accent', 'hold', 'warn', 'ok', 'bad', 'dim'];

export interface HourBars {
  readonly from: string;
  readonly stepMs: number;
  readonly series: readonly { readonly name: string; readonly tone: Tone; readonly values: readonly number[] }[];
}

/** Who changed how much in each step of time; those with the most first, and all beyond the colours together. */
export function barsOf(writes: readonly WritesInStep[], stepHours: number): HourBars {
  const times = writes.map(({ hour }) => Date.parse(hour));
  const first = times.length === 0 ? 0 : smallest(times);
  const stepMs = stepHours * hourMs;
  const steps = times.length === 0 ? 0 : Math.floor((largest(times) - first) / stepMs) + 1;
  const people = peopleOf(writes);
  const series = people.map(({ name, isOne }, index) => {
    const values = Array.from({ length: steps }, () => 0);
    for (const { operator, hour, count } of writes) {
      const step = Math.floor((Date.parse(hour) - first) / stepMs);
      if (isOne ? operator === name : !people.some((each) => each.isOne && each.name === operator))
        values[step] = (values[step] ?? 0) + count;
    }
    return { name, tone: tones[index] ?? 'dim', values };
  });
  return { from: new Date(first).toISOString(), stepMs, series };
}

function peopleOf(writes: readonly WritesInStep[]): readonly { readonly name: string; readonly isOne: boolean }[] {
  const sums = new Map<string, number>();
  for (const { operator, count } of writes) sums.set(operator, (sums.get(operator) ?? 0) + count);
  const sorted = [...sums].toSorted(([, one], [, other]) => other - one).map(([name]) => ({ name, isOne: true }));
  if (sorted.length <= tones.length) return sorted;
  return [...sorted.slice(0, tones.length - 1), { name: 'others', isOne: false }];
}

export function lanesOf(lanes: readonly HostLane[]): readonly Lane[] {
  return lanes.map(({ guid, label, entries, marks }) => ({
    key: guid,
    name: label,
    count: entries,
    marks: marks.map(({ id, at, kind }) => ({ key: id, at, kind: kindWords[kind].word })),
  }));
}
