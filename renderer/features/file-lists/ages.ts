/** How old the hashes of a list are, in classes: pure. */
import type { ListAges } from '#shared/contract/directory.ts';

export interface AgeBars {
  readonly bars: readonly string[];
  /** Hashes of a known age, and those that were there before; one number for each bar. */
  readonly dated: readonly number[];
  readonly undated: readonly number[];
}

export const dayMs = 86_400_000;

/** Days that have passed since, up to and with `to`. */
const classes = [
  { title: 'today', to: 0 },
  { title: '1 to 7 days', to: 7 },
  { title: '8 to 30 days', to: 30 },
  { title: '31 to 90 days', to: 90 },
  { title: '91 to 365 days', to: 365 },
  { title: 'over a year', to: Infinity },
] as const;

/** `today`: days since 1970, of UTC. */
export function ageBarsOf({ days, undated }: ListAges, today: number): AgeBars {
  const dated = classes.map(() => 0);
  for (const { day, hashes } of days) {
    const age = today - Math.floor(Date.parse(day) / dayMs);
    const place = classes.findIndex(({ to }) => age <= to);
    dated[place] = (dated[place] ?? 0) + hashes;
  }
  return {
    bars: [...classes.map(({ title }) => title), 'age not known'],
    dated: [...dated, 0],
    undated: [...classes.map(() => 0), undated],
  };
}
