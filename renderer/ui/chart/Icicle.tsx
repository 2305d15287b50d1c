import {useCallback} from 'react'

import {type Forms, formatCount} from '#text/numbers.ts'

import type {FigureProps} from './Figure.tsx'
import {ItemFigure} from './ItemFigure.tsx'
import {basics, fontSize, indexOf, plain, tooltipLook} from './looks.ts'
import {countOf, countsOf, legendOf, percentOf, shadeOf, type Shaded} from './shades.ts'
import type {Draw, PictureOption, View} from './view.ts'

/** One bar; its children are below it. */
export interface Brick extends Shaded {
	key: string
	name: string
	/** 0 for the first row. */
	level: number
	/** Start and end as shares of the whole width. */
	from: number
	to: number
	/** Whether it does not match the search. */
	isFaint?: boolean
}

interface IcicleProps extends Pick<FigureProps, 'title' | 'summary' | 'table' | 'empty' | 'fileName'> {
	/** Row by row, left to right. Keep it stable between renders. */
	bricks: readonly Brick[]
	chosen: string | undefined
	/** The counted unit, and the meaning of the shade, such as `compromised`. */
	unit: Forms
	mark: string
	onOpen: (key: string) => void
}

/** Row height in pixels: a name, and a number below it. */
const rowHeight = 42

/** A tree as rows of bars: widths are counts, children below their parent. */
export function Icicle({bricks, chosen, unit, mark, onOpen, ...figure}: IcicleProps) {
	const draw: Draw = useCallback(view => icicleOption(bricks, chosen, unit, mark, view), [bricks, chosen, unit, mark])
	const levels = 1 + Math.max(0, ...bricks.map(({level}) => level))
	return (
		<ItemFigure
			{...figure}
			draw={draw}
			height={levels * rowHeight}
			legend={legendOf(mark)}
			items={bricks.map((brick, index) => ({
				key: brick.key,
				name: `${brick.name}: ${countsOf(brick, unit, mark)}`,
				place: {series: 0, index},
				onOpen: () => onOpen(brick.key)
			}))}
		/>
	)
}

function icicleOption(bricks: readonly Brick[], chosen: string | undefined, unit: Forms, mark: string, view: View): PictureOption {
	const {theme} = view
	return {
		...basics(view),
		tooltip: {...tooltipLook(theme), formatter: (params: unknown) => tooltipOf(bricks, unit, mark, params)},
		series: [
			{
				type: 'custom',
				coordinateSystem: 'none',
				clip: true,
				data: bricks.map((_, place) => ({value: place, place})),
				renderItem: ({dataIndex}: {dataIndex: number}) => {
					const brick = bricks[dataIndex]
					return brick === undefined ? null : shapeOf(brick, brick.key === chosen, view)
				}
			}
		]
	}
}

const faintness = 0.3

/** Space beside a name, and the minimum width for one. */
const [padding, leastForName] = [6, 34]

function shapeOf(brick: Brick, isChosen: boolean, {theme, width, top}: View): object {
	const {color, ink} = shadeOf(brick, theme)
	const x = brick.from * width
	const wide = Math.max(1, (brick.to - brick.from) * width - 1)
	return {
		type: 'rect',
		shape: {x, y: top + brick.level * rowHeight, width: wide, height: rowHeight - 2},
		style: {
			opacity: brick.isFaint === true ? faintness : 1,
			fill: color,
			stroke: isChosen ? theme.focus : theme.panel,
			lineWidth: isChosen ? 2 : 0
		},
		emphasis: {style: {fill: color, stroke: theme.focus, lineWidth: 2}},
		z2: isChosen ? 2 : 1,
		textConfig: {position: 'insideLeft', distance: padding, inside: true},
		textContent: {
			style: {
				text: wide < leastForName ? '' : `${plain(brick.name)}\n${numberFor(brick, wide - 2 * padding)}`,
				opacity: brick.isFaint === true ? faintness : 1,
				lineHeight: 15,
				...{fill: ink, fontSize, fontFamily: theme.font, fontWeight: isChosen ? 600 : 400},
				...{width: wide - 2 * padding, overflow: 'truncate', ellipsis: '…'}
			}
		}
	}
}

/** Approximate width of a digit, in pixels. */
const digit = 6.5

/** A number is shown completely or not at all: a part would be another number. */
function numberFor(brick: Brick, room: number) {
	const texts = [countOf(brick), formatCount(brick.value)]
	return texts.find(text => text.length * digit <= room) ?? ''
}

function tooltipOf(bricks: readonly Brick[], unit: Forms, mark: string, params: unknown) {
	const brick = bricks[indexOf(params)]
	if (brick === undefined) return ''
	return `${plain(brick.name)}\n${countsOf(brick, unit, mark)} (${percentOf(brick)})`
}
