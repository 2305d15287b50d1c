import {useCallback} from 'react'

import {useTimeZone} from '../Time.tsx'
import {t} from '../text.ts'
import {formatClock, formatExact, formatMinute, type TimeZone} from '../time.ts'
import {Figure} from './Figure.tsx'
import {basics, categoryAxis, fillOf, fontSize, indexOf, plain, tooltipLook} from './looks.ts'
import type {Tone} from './theme.ts'
import type {PictureOption, View} from './view.ts'

interface CourseSeries {
	name: string
	/** One value per step, oldest first; `null` without one. Keep it stable between renders. */
	values: readonly (number | null)[]
	form: 'bar' | 'line'
	tone: Tone
}

interface CourseProps {
	title: string
	summary: string
	series: readonly CourseSeries[]
	/** Prefix of saved file names, such as `requests`. */
	fileName: string
	/** ISO 8601 start of the first step, and its length in seconds. */
	from: string
	stepS: number
	format: (value: number) => string
	/** Shown instead of an empty chart. */
	empty: string
}

const height = 96

/** Values over time as a small chart; bars of several series lie one over the other. */
export function Course(props: CourseProps) {
	const {title, summary, series, fileName, from, stepS, format, empty} = props
	const zone = useTimeZone()
	const times = timesOf(props)
	// Callers make the list anew with each render; its values are what counts.
	const values = series.map(one => one.values)
	const draw = useCallback(
		(view: View) => courseOption({series, times, format, zone}, view),
		// oxlint-disable-next-line react-hooks/exhaustive-deps
		[...values, from, stepS, zone]
	)
	return (
		<Figure
			{...{title, summary, draw, height, fileName}}
			legend={series}
			empty={values.every(one => one.every(value => value === null || value === 0)) ? empty : null}
			table={{
				columns: [t.from, ...series.map(({name}) => name)],
				// The newest first.
				rows: times
					.toReversed()
					.map((time, back) => ({key: time, cells: [formatExact(time, zone), ...values.map(one => wordsOf(one.at(-1 - back), format))]}))
			}}
		/>
	)
}

function timesOf({series, from, stepS}: Pick<CourseProps, 'series' | 'from' | 'stepS'>) {
	const start = Date.parse(from)
	return (series[0]?.values ?? []).map((_value, step) => new Date(start + step * stepS * 1000).toISOString())
}

function wordsOf(value: number | null | undefined, format: CourseProps['format']) {
	return value === null || value === undefined ? '–' : format(value)
}

interface Content extends Pick<CourseProps, 'series' | 'format'> {
	times: readonly string[]
	zone: TimeZone
}

function courseOption({series, times, format, zone}: Content, view: View): PictureOption {
	const {theme} = view
	return {
		...basics(view),
		grid: {left: 44, right: 12, top: 6 + view.top, bottom: 20 + view.bottom, outerBoundsMode: 'none'},
		tooltip: {
			...tooltipLook(theme),
			trigger: 'axis',
			formatter: (params: unknown) => {
				const step = indexOf(params)
				const lines = series.map(({name, values}) => plain(`${name}: ${wordsOf(values[step], format)}`))
				return [formatClock(times[step] ?? '', zone), ...lines].join('\n')
			}
		},
		xAxis: {
			...categoryAxis(theme),
			data: times.map(time => formatMinute(time, zone)),
			axisLabel: {color: theme.ink3, fontSize, interval: Math.ceil(times.length / 4), alignMinLabel: 'left', alignMaxLabel: 'right'}
		},
		yAxis: {
			type: 'value',
			splitNumber: 2,
			axisLabel: {color: theme.ink3, fontSize, formatter: format},
			splitLine: {lineStyle: {color: theme.line}}
		},
		series: series.map(({name, values, form, tone}) => ({
			...{name, type: form, barGap: '-100%', barCategoryGap: '0%', barMinHeight: 2},
			// Nothing is no bar, and a bar of little is seen.
			data: form === 'bar' ? values.map(value => value || null) : values,
			itemStyle: fillOf(tone, theme),
			lineStyle: {width: 1.5},
			// Without a neighbour there is no line, but a point.
			symbol: 'circle',
			showAllSymbol: true,
			symbolSize: (_value: unknown, {dataIndex: step}: {dataIndex: number}) => ((values[step - 1] ?? values[step + 1] ?? null) === null ? 4 : 0),
			emphasis: {disabled: true}
		}))
	}
}
