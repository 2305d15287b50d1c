import {useCallback} from 'react'

import {counted, formatCount} from '#text/numbers.ts'
import {nouns} from '#text/terms.ts'

import {ItemFigure} from './ItemFigure.tsx'
import {shortCount} from './histogram-option.ts'
import {basics, categoryAxis, fillOf, fontSize, plain, tooltipLook} from './looks.ts'
import type {Draw, PictureOption, View} from './view.ts'
import type {Tone} from './theme.ts'

export interface BarSeries {
	name: string
	tone: Tone
	/** One per bar. */
	values: readonly number[]
}

interface StackedBarsProps {
	title: string
	/** Names of the bars, from the top. Keep bars and series stable between renders. */
	bars: readonly string[]
	series: readonly BarSeries[]
	/** Heading of the bars in the table, and the counted unit. */
	what: string
	unit: readonly [string, string]
	/** Opens the rows of a part; `-1` for the whole bar. Omitted without rows. */
	onOpen?: ((bar: number, series: number) => void) | undefined
	empty: string
	fileName: string
}

const barHeight = 24
/** Drawn bars; the table has all. */
const most = 8
const axisHeight = 22

/** Horizontal stacked bars. */
export function StackedBars(props: StackedBarsProps) {
	const {title, bars, series, what, onOpen, empty, fileName} = props
	const count = Math.min(bars.length, most)
	const draw: Draw = useCallback(view => barsOption(bars, series, count, view), [bars, series, count])
	const total = (bar: number) => series.reduce((sum, {values}) => sum + (values[bar] ?? 0), 0)
	const sum = bars.reduce((all, _, bar) => all + total(bar), 0)
	const cells = bars.slice(0, count).flatMap((name, bar) =>
		series.flatMap((part, index) => {
			const value = part.values[bar] ?? 0
			return value === 0 ? [] : [{name: `${name}, ${part.name}: ${formatCount(value)}`, bar, index}]
		})
	)
	const hidden = bars.length - count
	return (
		<ItemFigure
			title={title}
			summary={sum === 0 ? empty : summaryOf(sum, bars.length, hidden, props)}
			draw={draw}
			height={Math.max(3, count) * barHeight + axisHeight}
			legend={series.filter(({values}) => values.some(value => value > 0))}
			fileName={fileName}
			empty={sum === 0 ? empty : null}
			table={{
				columns: [what, ...series.map(({name}) => name), 'all'],
				rows: bars.map((name, bar) => ({
					key: `${bar} ${name}`,
					cells: [name, ...series.map(({values}) => formatCount(values[bar] ?? 0)), formatCount(total(bar))],
					...(onOpen !== undefined && {onPress: () => onOpen(bar, -1)})
				}))
			}}
			items={cells.map(({name, bar, index}) => ({
				key: name,
				name,
				place: {series: index, index: bar},
				onOpen: onOpen && (() => onOpen(bar, index))
			}))}
		/>
	)
}

function summaryOf(sum: number, bars: number, hidden: number, {what, unit}: StackedBarsProps) {
	const rows = `${counted(bars, nouns.row)} by ${what.toLowerCase()}`
	const left = hidden > 0 ? `; the last ${formatCount(hidden)} are in the table only` : ''
	return `${formatCount(sum)} ${sum === 1 ? unit[0] : unit[1]} in ${rows}${left}`
}

function barsOption(bars: readonly string[], series: readonly BarSeries[], count: number, view: View): PictureOption {
	const {theme} = view
	const totals = bars.slice(0, count).map((_, bar) => series.reduce((sum, {values}) => sum + (values[bar] ?? 0), 0))
	return {
		...basics(view),
		grid: {left: 96, right: 48, top: view.top, bottom: axisHeight + view.bottom, outerBoundsMode: 'none'},
		tooltip: {...tooltipLook(theme), trigger: 'item'},
		yAxis: {
			...categoryAxis(theme),
			inverse: true,
			data: bars.slice(0, count),
			axisLabel: {color: theme.ink2, fontSize, width: 88, overflow: 'truncate'}
		},
		xAxis: {
			type: 'value',
			minInterval: 1,
			splitNumber: 3,
			axisLabel: {color: theme.ink3, fontSize, hideOverlap: true, formatter: (value: number) => shortCount(value)},
			splitLine: {lineStyle: {color: theme.line}}
		},
		series: [...series.map(part => partOf(part, count, view)), totalLabels(totals, view)]
	}
}

function partOf({name, tone, values}: BarSeries, count: number, {theme}: View): object {
	return {
		name,
		type: 'bar',
		stack: 'all',
		barWidth: 14,
		data: values.slice(0, count),
		itemStyle: fillOf(tone, theme),
		emphasis: {itemStyle: {borderColor: theme.focus, borderWidth: 2}},
		tooltip: {formatter: (params: unknown) => tooltipOf(name, params)}
	}
}

/** The sum at the end of each bar. */
function totalLabels(totals: readonly number[], {theme}: View): object {
	return {
		type: 'bar',
		stack: 'all',
		silent: true,
		data: totals.map(() => 0),
		label: {
			show: true,
			position: 'right',
			color: theme.ink2,
			fontSize,
			formatter: ({dataIndex}: {dataIndex: number}) => formatCount(totals[dataIndex] ?? 0)
		}
	}
}

function tooltipOf(part: string, params: unknown) {
	if (typeof params !== 'object' || params === null || !('name' in params) || !('value' in params)) return ''
	return `${plain(String(params.name))}\n${plain(part)}: ${formatCount(Number(params.value))}`
}
