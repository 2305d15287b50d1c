import { useMemo } from 'react';

import type { EventHistogram } from '#shared/contract/events.ts';

import { Histogram, type HistogramProps } from './Histogram.tsx';
import { severitySeries } from './severities.ts';

interface EventsHistogramProps extends Omit<HistogramProps, 'from' | 'stepMs' | 'series' | 'unit' | 'gaps'> {
  readonly data: EventHistogram;
}

const unit = ['event', 'events'] as const;

/** Stored events over time by severity, as the store counts them. */
export function EventsHistogram({ data, ...props }: EventsHistogramProps) {
  const { from, stepMs, gaps } = data;
  const series = useMemo(() => severitySeries(data), [data]);
  return <Histogram {...props} {...{ from, stepMs, series, unit, gaps }} />;
}
