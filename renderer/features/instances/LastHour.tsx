import type {TrafficSeries} from '#contract/instances.ts'
import {formatCount} from '#text/numbers.ts'
import {formatMeasured} from '#text/durations.ts'

import {Course} from '#ui/chart/Course.tsx'
import {t} from './text.ts'

const nothing = 'no request in the last hour'

/** Requests and failures of the last hour, a bar for each ten seconds. */
export function RequestsChart({series}: {series: TrafficSeries}) {
	const all = sum(series.requests)
	const failed = sum(series.failures)
	return (
		<Course
			title={t.requestsPerS(series.stepS)}
			summary={t.requestsLast(formatCount(all), formatCount(failed), formatCount(Math.max(0, ...series.requests)), series.stepS)}
			from={series.from}
			stepS={series.stepS}
			format={value => formatCount(Math.round(value))}
			empty={nothing}
			fileName="requests"
			series={[
				{name: 'all', values: series.requests, form: 'bar', tone: 'accent'},
				{name: 'failed', values: series.failures, form: 'bar', tone: 'bad'}
			]}
		/>
	)
}

/** How long the first byte of an answer took in the last hour. */
export function TimesChart({series}: {series: TrafficSeries}) {
	const worst = Math.max(0, ...series.p99.map(value => value ?? 0))
	const typical = middleOf(series.median.filter(value => value !== null))
	return (
		<Course
			title={t.timeFirstByte}
			summary={typical === null ? t.timeFirstByteLast : t.timeFirstByteLastHour(formatMeasured(typical), formatMeasured(worst))}
			from={series.from}
			stepS={series.stepS}
			format={formatMeasured}
			empty={nothing}
			fileName="first-byte"
			series={[
				{name: 'median', values: series.median, form: 'line', tone: 'accent'},
				{name: 'p99', values: series.p99, form: 'line', tone: 'dim'}
			]}
		/>
	)
}

function sum(values: readonly number[]) {
	return values.reduce((total, value) => total + value, 0)
}

function middleOf(values: readonly number[]) {
	return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? null
}
