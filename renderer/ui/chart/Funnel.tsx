import {useCallback} from 'react'

import {formatCount, formatShare} from '#text/numbers.ts'

import {ItemFigure} from './ItemFigure.tsx'
import {basics, fillOf, indexOf, tooltipLook} from './looks.ts'
import type {Draw, PictureOption, View} from './view.ts'
import type {Tone} from './theme.ts'

interface FunnelStep {
	name: string
	value: number
	tone: Tone
}

interface FunnelProps {
	title: string
	/** Widest first. Keep it stable between renders. */
	steps: readonly FunnelStep[]
	onOpen: (step: number) => void
	empty: string
	fileName: string
}

/** A funnel: how many reached each step. */
export function Funnel({title, steps, onOpen, empty, fileName}: FunnelProps) {
	const draw: Draw = useCallback(view => funnelOption(title, steps, view), [title, steps])
	const words = ({name, value}: FunnelStep) => `${name}: ${formatCount(value)}`
	return (
		<ItemFigure
			title={title}
			summary={steps.map(words).join(', ')}
			draw={draw}
			height={132}
			fileName={fileName}
			empty={steps.every(({value}) => value === 0) ? empty : null}
			table={{
				columns: ['Step', 'count', 'of the first'],
				rows: steps.map((step, index) => ({
					key: step.name,
					cells: [step.name, formatCount(step.value), shareOf(step.value, steps[0]?.value ?? 0)],
					onPress: () => onOpen(index)
				}))
			}}
			items={steps.map((step, index) => ({key: step.name, name: words(step), place: {series: 1, index}, onOpen: () => onOpen(index)}))}
		/>
	)
}

function shareOf(value: number, all: number) {
	return all === 0 ? '–' : formatShare(value / all)
}

/** Horizontal bars around a common centre; widths are counts. */
function funnelOption(title: string, steps: readonly FunnelStep[], view: View): PictureOption {
	const {theme} = view
	const widest = Math.max(1, ...steps.map(({value}) => value))
	const bar = {type: 'bar', stack: 'all', barWidth: '78%'} as const
	return {
		...basics(view),
		grid: {left: 132, right: 16, top: view.top + 4, bottom: 4 + view.bottom, outerBoundsMode: 'none'},
		tooltip: {...tooltipLook(theme), formatter: (params: unknown) => tooltipOf(steps, params)},
		xAxis: {type: 'value', show: false, max: widest},
		yAxis: {
			type: 'category',
			inverse: true,
			data: steps.map(({name, value}) => `${name}  ${formatCount(value)}`),
			axisLine: {show: false},
			axisTick: {show: false},
			axisLabel: {color: theme.ink, fontSize: 12, margin: 12}
		},
		series: [
			{...bar, silent: true, itemStyle: {color: 'transparent'}, data: steps.map(({value}) => (widest - value) / 2)},
			{
				...bar,
				name: title,
				emphasis: {itemStyle: {borderColor: theme.focus, borderWidth: 2}},
				data: steps.map(({value, tone}) => ({value, itemStyle: fillOf(tone, theme)}))
			}
		]
	}
}

function tooltipOf(steps: readonly FunnelStep[], params: unknown) {
	const step = steps[indexOf(params)]
	return step === undefined ? '' : `${step.name}: ${formatCount(step.value)} (${shareOf(step.value, steps[0]?.value ?? 0)})`
}
