/** Calculations of a histogram. A bin is one time step; ranges of bins include both ends. */
import {formatCount} from '#text/numbers.ts'

import {formatClock, formatDate, formatDay, formatMinute, type TimeZone} from '../time.ts'

export interface BinRange {
	first: number
	last: number
}

export interface TimeRange {
	/** ISO 8601 UTC; inclusive start, exclusive end. */
	from: string
	to: string
}

export interface Steps {
	from: string
	stepMs: number
	count: number
}

export function timesOf({first, last}: BinRange, {from, stepMs}: Steps): TimeRange {
	const start = Date.parse(from)
	return {from: new Date(start + first * stepMs).toISOString(), to: new Date(start + (last + 1) * stepMs).toISOString()}
}

/** Bins touched by a time span, limited to the visible ones; `null` when outside. */
export function binsOf(range: TimeRange, {from, stepMs, count}: Steps): BinRange | null {
	const start = Date.parse(from)
	const first = Math.floor((Date.parse(range.from) - start) / stepMs)
	const last = Math.ceil((Date.parse(range.to) - start) / stepMs) - 1
	if (Number.isNaN(first) || Number.isNaN(last) || last < 0 || first >= count || last < first) return null
	return {first: Math.max(0, first), last: Math.min(count - 1, last)}
}

/** In either order. */
export function spanned(a: number, b: number): BinRange {
	return {first: Math.min(a, b), last: Math.max(a, b)}
}

/** Height of a count on the logarithmic scale: 0 is 0, 1 is 1, 10 is 2, 100 is 3. */
export function logHeight(count: number) {
	return count <= 0 ? 0 : 1 + Math.log10(Math.max(1, count))
}

export function countAt(height: number) {
	return height <= 0 ? 0 : 10 ** (height - 1)
}

/**
 * Heights of the parts of each bin. On the logarithmic scale the whole bin has the height of its sum, divided in proportion to
 * the counts.
 */
export function heightsOf(series: readonly (readonly number[])[], isLog: boolean) {
	if (!isLog) return series
	const sums = sumsOf(series)
	return series.map(values =>
		values.map((value, bin) => {
			const sum = sums[bin] ?? 0
			return sum === 0 ? 0 : (value / sum) * logHeight(sum)
		})
	)
}

export function sumsOf(series: readonly (readonly number[])[]): readonly number[] {
	const count = Math.max(0, ...series.map(values => values.length))
	return Array.from({length: count}, (_, bin) => series.reduce((sum, values) => sum + (values[bin] ?? 0), 0))
}

const dayMs = 86_400_000
const minuteMs = 60_000

/** `13:00`, with the day on axes longer than a day: `21 Nov 13:00`, or only the day for steps of days. */
export function axisTime(iso: string, {stepMs, count}: Steps, zone: TimeZone) {
	const day = formatDay(iso, zone)
	const time = stepMs < minuteMs ? formatClock(iso, zone).replace(' UTC', '') : formatMinute(iso, zone)
	if (stepMs >= dayMs) return day
	return stepMs * count > 1.5 * dayMs ? `${day} ${time}` : time
}

/** `21 Nov 13:00 to 13:30`, in words for tooltips and screen readers. */
export function rangeWords(range: TimeRange, zone: TimeZone) {
	const [fromDate, toDate] = [formatDate(range.from, zone), formatDate(range.to, zone)]
	const suffix = zone === 'utc' ? ' UTC' : ''
	const toTime = formatMinute(range.to, zone)
	const end = fromDate === toDate ? toTime : `${toDate} ${toTime}`
	return `${fromDate} ${formatMinute(range.from, zone)} to ${end}${suffix}`
}

export interface NamedCounts {
	name: string
	values: readonly number[]
}

/** `12 events: 3 critical, 9 low`. */
export function binWords(series: readonly NamedCounts[], range: BinRange, unit: readonly [string, string]) {
	const parts = series.map(({name, values}) => ({name, count: values.slice(range.first, range.last + 1).reduce((sum, value) => sum + value, 0)}))
	const sum = parts.reduce((total, {count}) => total + count, 0)
	const named = parts.filter(({count}) => count > 0).map(({name, count}) => `${formatCount(count)} ${name}`)
	const total = `${formatCount(sum)} ${sum === 1 ? unit[0] : unit[1]}`
	return named.length === 0 ? total : `${total}: ${named.join(', ')}`
}
