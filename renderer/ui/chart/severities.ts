/** How events of each severity look in a picture over time, wherever there is one. */
import { eventSeverities, type EventHistogram } from '#shared/contract/events.ts';

import type { HistogramSeries } from './histogram-option.ts';

const tones = { critical: 'bad', high: 'warn', medium: 'accent', low: 'dim', none: 'faint', unknown: 'hold' } as const;

/** From the bottom up. */
export function severitySeries({ counts }: Pick<EventHistogram, 'counts'>): readonly HistogramSeries[] {
  const shown = eventSeverities.filter((name) => name !== 'unknown' || counts.unknown.some((count) => count > 0));
  return shown.map((name) => ({ name, tone: tones[name], values: counts[name] }));
}
