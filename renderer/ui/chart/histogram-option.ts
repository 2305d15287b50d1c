import {formatCount} from '#text/numbers.ts'

import {type TimeZone} from '../time.ts'
import {axisTime, binWords, countAt, heightsOf, rangeWords, timesOf, type NamedCounts, type Steps} from './histogram-shapes.ts'
import {basics, categoryAxis, fillOf, fontSize, indexOf, plain, tooltipLook} from './looks.ts'
import type {PictureOption, View} from './view.ts'
import type {Tone} from './theme.ts'

/** Margins around the bars, in pixels; overlays use the same. */
export const room = {left: 44, right: 12, top: 6, bottom: 20} as const

export interface HistogramSeries extends NamedCounts {
	tone: Tone
}

interface HistogramContent {
	steps: Steps
	series: readonly HistogramSeries[]
	unit: readonly [string, string]
	isLog: boolean
	zone: TimeZone
}

/** Minimum bar width for a pattern (pixels). */
const patternFrom = 8

export function histogramOption(content: HistogramContent, view: View): PictureOption {
	const {steps, series, isLog, zone} = content
	const {theme} = view
	const heights = heightsOf(
		series.map(({values}) => values),
		isLog
	)
	const barWidth = (view.width - room.left - room.right) / Math.max(1, steps.count)
	return {
		...basics(view),
		grid: {left: room.left, right: room.right, top: room.top + view.top, bottom: room.bottom + view.bottom, outerBoundsMode: 'none'},
		tooltip: {
			...tooltipLook(theme),
			trigger: 'axis',
			axisPointer: {type: 'shadow', shadowStyle: {color: theme.ink3, opacity: 0.12}},
			formatter: (params: unknown) => tooltipOf(content, params)
		},
		xAxis: {
			...categoryAxis(theme),
			data: Array.from({length: steps.count}, (_, bin) => axisTime(timesOf({first: bin, last: bin}, steps).from, steps, zone)),
			axisLabel: {color: theme.ink3, fontSize, hideOverlap: true, margin: 9}
		},
		yAxis: valueAxis(view, isLog),
		series: series.map(({name, tone}, index) => ({
			name,
			type: 'bar',
			stack: 'all',
			data: heights[index] ?? [],
			barCategoryGap: barWidth < 4 ? '0%' : '15%',
			itemStyle: barWidth < patternFrom ? {color: theme.tones[tone]} : fillOf(tone, theme),
			emphasis: {disabled: true}
		}))
	}
}

function valueAxis({theme}: View, isLog: boolean): object {
	return {
		type: 'value',
		minInterval: 1,
		splitNumber: 3,
		...(isLog && {interval: 1}),
		axisLabel: {color: theme.ink3, fontSize, formatter: (value: number) => shortCount(isLog ? countAt(value) : value)},
		splitLine: {lineStyle: {color: theme.line}}
	}
}

/** `950`, `12k`, `3.4M`. */
export function shortCount(value: number) {
	if (value >= 1_000_000) return `${Number((value / 1_000_000).toFixed(1))}M`
	if (value >= 10_000) return `${Number((value / 1000).toFixed(1))}k`
	return formatCount(value)
}

function tooltipOf({steps, series, unit, zone}: HistogramContent, params: unknown) {
	const bin = indexOf(params)
	if (bin < 0) return ''
	const range = {first: bin, last: bin}
	return `${rangeWords(timesOf(range, steps), zone)}\n${plain(binWords(series, range, unit)).replace(': ', '\n')}`
}
