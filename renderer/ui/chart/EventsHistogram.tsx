import {useMemo} from 'react'

import type {EventHistogram} from '#contract/events.ts'
import type {HistogramSeries} from './histogram-option.ts'
import {Histogram, type HistogramProps} from './Histogram.tsx'
import {eventSeverities} from '#model/event.ts'

interface EventsHistogramProps extends Omit<HistogramProps, 'from' | 'stepMs' | 'series' | 'unit' | 'gaps'> {
	data: EventHistogram
}

const unit = ['event', 'events'] as const

/** Stored events over time by severity, as the store counts them. */
export function EventsHistogram({data, ...props}: EventsHistogramProps) {
	const {from, stepMs, gaps} = data
	const series = useMemo(() => severitySeries(data), [data])
	return <Histogram {...props} {...{from, stepMs, series, unit, gaps}} />
}

/** Style of each severity in charts over time. */
const tones = {critical: 'bad', high: 'warn', medium: 'accent', low: 'dim', none: 'faint', unknown: 'hold'} as const

/** From the bottom up. */
function severitySeries({counts}: Pick<EventHistogram, 'counts'>): readonly HistogramSeries[] {
	const shown = eventSeverities.filter(name => name !== 'unknown' || counts.unknown.some(count => count > 0))
	return shown.map(name => ({name, tone: tones[name], values: counts[name]}))
}
