import {useCallback} from 'react'

import {counted, type Forms, formatCount} from '#text/numbers.ts'

import {ItemFigure} from './ItemFigure.tsx'
import {basics, fontSize, plain, tooltipLook} from './looks.ts'
import {countOf, countsOf, legendOf, percentOf, shadeOf} from './shades.ts'
import type {Draw, PictureOption, View} from './view.ts'

interface TreemapItem {
	key: string
	name: string
	/** Its area. */
	value: number
	/** Its shade: the marked part of `value`. */
	marked: number
}

interface TreemapProps {
	title: string
	/** Largest first. Keep it stable between renders. */
	items: readonly TreemapItem[]
	/** The counted unit, and the meaning of the shade, such as `compromised`. */
	unit: Forms
	mark: string
	onOpen: (item: TreemapItem) => void
	height: number
	empty: string
	fileName: string
}

/** Groups by size, shaded by the marked share. */
export function Treemap({title, items, unit, mark, onOpen, height, empty, fileName}: TreemapProps) {
	const draw: Draw = useCallback(view => treemapOption(title, items, unit, mark, view), [title, items, unit, mark])
	const isEmpty = items.every(({value}) => value === 0)
	const worst = items.filter(({marked}) => marked > 0).toSorted((a, b) => b.marked - a.marked)
	return (
		<ItemFigure
			title={title}
			summary={summaryOf(items, unit, mark, worst)}
			draw={draw}
			height={height}
			legend={legendOf(mark)}
			fileName={fileName}
			empty={isEmpty ? empty : null}
			onPick={({index}) => {
				const item = items[index]
				if (item !== undefined) onOpen(item)
			}}
			table={{
				columns: ['Group', unit[1], mark, 'share'],
				rows: items.map(item => ({
					key: item.key,
					cells: [item.name, formatCount(item.value), formatCount(item.marked), percentOf(item)],
					onPress: () => onOpen(item)
				}))
			}}
			items={items.map((item, index) => ({
				key: item.key,
				name: `${item.name}: ${countsOf(item, unit, mark)}`,
				// The root is at index 0.
				place: {series: 0, index: index + 1},
				onOpen: () => onOpen(item)
			}))}
		/>
	)
}

function summaryOf(items: readonly TreemapItem[], unit: Forms, mark: string, worst: readonly TreemapItem[]) {
	const sum = items.reduce((total, {value}) => total + value, 0)
	const all = `${counted(sum, unit)} in ${formatCount(items.length)} groups`
	const [first] = worst
	return first === undefined
		? `${all}; none ${mark}`
		: `${all}; ${worst.length} of them hold ${mark} ones, most in ${first.name} (${formatCount(first.marked)})`
}

function treemapOption(title: string, items: readonly TreemapItem[], unit: Forms, mark: string, view: View): PictureOption {
	const {theme} = view
	return {
		...basics(view),
		tooltip: {...tooltipLook(theme), formatter: (params: unknown) => tooltipOf(items, unit, mark, params)},
		series: [
			{
				name: title,
				type: 'treemap',
				// Otherwise it animates every change for 0.9 s, whatever the chart's setting.
				animation: false,
				roam: false,
				nodeClick: false,
				breadcrumb: {show: false},
				left: 0,
				top: view.top,
				width: view.width,
				height: view.height,
				itemStyle: {gapWidth: 0, borderWidth: 2, borderColor: theme.panel},
				label: {fontSize, overflow: 'truncate', ellipsis: '…', lineHeight: 15, padding: [2, 0]},
				data: items.map((item, index) => ({...nodeOf(item, view), place: index}))
			}
		]
	}
}

/** Besides the shade, the marked part has a symbol and its number. */
function nodeOf(item: TreemapItem, {theme}: View): object {
	const {color, ink} = shadeOf(item, theme)
	return {
		name: item.name,
		value: item.value,
		itemStyle: {color},
		// Otherwise the fill is lightened until the label is unreadable.
		emphasis: {itemStyle: {color, borderColor: theme.focus}},
		label: {color: ink, formatter: `${plain(item.name)}\n${countOf(item)}`}
	}
}

function tooltipOf(items: readonly TreemapItem[], unit: Forms, mark: string, params: unknown) {
	if (typeof params !== 'object' || params === null || !('data' in params)) return ''
	const {data} = params
	const index = typeof data === 'object' && data !== null && 'place' in data ? Number(data.place) : -1
	const item = items[index]
	if (item === undefined) return ''
	return `${plain(item.name)}\n${countsOf(item, unit, mark)} (${percentOf(item)})`
}
