import {useCallback} from 'react'

import {formatCount} from '#text/numbers.ts'

import {useTimeZone} from '../Time.tsx'
import {t} from '../text.ts'
import {formatExact, type TimeZone} from '../time.ts'
import {ItemFigure} from './ItemFigure.tsx'
import {basics, categoryAxis, fontSize, plain, tooltipLook} from './looks.ts'
import type {Draw, PictureOption, View} from './view.ts'
import type {Tone} from './theme.ts'

/** A symbol of ECharts: the shape distinguishes kinds besides colour. */
type Shape = keyof typeof signs

const signs = {
	...{circle: '●', rect: '■', triangle: '▲', diamond: '◆'},
	...{emptyCircle: '○', emptyRect: '□', emptyTriangle: '△', emptyDiamond: '◇'}
} as const

interface LaneMark {
	key: string
	/** ISO 8601. */
	at: string
	/** Its kind in a word; marks of one kind share tone and shape. */
	kind: string
}

export interface Lane {
	key: string
	name: string
	/** Total number, including marks not drawn. */
	count: number
	marks: readonly LaneMark[]
}

export interface LaneKind {
	name: string
	tone: Tone
	shape: Shape
}

interface TimeLanesProps {
	title: string
	/** From the top. Keep lanes and kinds stable between renders. */
	lanes: readonly Lane[]
	kinds: readonly LaneKind[]
	/** Appended to the summary, such as a note on further lanes. */
	more: string
	onMark: (key: string) => void
	onLane: (key: string) => void
	empty: string
	fileName: string
}

const laneHeight = 26
/** Above this number marks are not animated, and appear in parts over several frames, so that no frame takes long. */
const mostAtOnce = 300
const atATime = 60
const axisHeight = 24

/** Marks over time, one lane per object. Its table has the lanes; the rows below have the marks. */
export function TimeLanes({title, lanes, kinds, more, onMark, onLane, empty, fileName}: TimeLanesProps) {
	const zone = useTimeZone()
	const draw: Draw = useCallback(view => lanesOption(lanes, kinds, zone, view), [lanes, kinds, zone])
	const count = lanes.reduce((sum, lane) => sum + lane.count, 0)
	const used = kinds.filter(({name}) => lanes.some(({marks}) => marks.some(({kind}) => kind === name)))
	const newestOf = ({marks}: Lane) => marks[0]?.at ?? null
	return (
		<ItemFigure
			title={title}
			summary={t.marksInLanes(formatCount(count), formatCount(lanes.length), more)}
			draw={draw}
			height={Math.max(3, lanes.length) * laneHeight + axisHeight}
			legend={used.map(kind => ({...kind, sign: signs[kind.shape]}))}
			fileName={fileName}
			empty={lanes.length === 0 ? empty : null}
			onPick={({series, index}) => {
				const mark = marksOf(lanes, kinds[series]?.name)[index]?.mark
				if (mark !== undefined) onMark(mark.key)
			}}
			table={{
				columns: ['Host', 'Entries', 'Newest', ...used.map(({name}) => name)],
				rows: lanes.map(lane => ({
					key: lane.key,
					cells: [
						lane.name,
						formatCount(lane.count),
						formatExact(newestOf(lane) ?? '', zone),
						...used.map(({name}) => formatCount(lane.marks.filter(({kind}) => kind === name).length))
					],
					onPress: () => onLane(lane.key)
				}))
			}}
			items={lanes.map((lane, index) => ({
				key: lane.key,
				name: `${lane.name}: ${formatCount(lane.count)} entries`,
				place: {series: 0, index},
				onOpen: () => onLane(lane.key)
			}))}
		/>
	)
}

function marksOf(lanes: readonly Lane[], kind: string | undefined) {
	return lanes.flatMap(({marks}, lane) => marks.filter(mark => mark.kind === kind).map(mark => ({lane, mark})))
}

function lanesOption(lanes: readonly Lane[], kinds: readonly LaneKind[], zone: TimeZone, view: View): PictureOption {
	const {theme} = view
	const count = lanes.reduce((sum, {marks}) => sum + marks.length, 0)
	return {
		...basics(view),
		grid: {left: 128, right: 16, top: view.top + 4, bottom: axisHeight + view.bottom, outerBoundsMode: 'none'},
		tooltip: {...tooltipLook(theme), trigger: 'item', formatter: (params: unknown) => tooltipOf(params, lanes, zone)},
		yAxis: {
			...categoryAxis(theme),
			inverse: true,
			data: lanes.map(({name}) => name),
			axisLabel: {color: theme.ink2, fontSize, width: 116, overflow: 'truncate'},
			splitLine: {show: true, lineStyle: {color: theme.line}}
		},
		xAxis: {
			type: 'time',
			axisLabel: {color: theme.ink3, fontSize, hideOverlap: true},
			axisLine: {lineStyle: {color: theme.tones.faint}},
			splitLine: {lineStyle: {color: theme.line}}
		},
		useUTC: zone === 'utc',
		series: kinds.map(({name, tone, shape}) => ({
			name,
			type: 'scatter',
			symbol: symbolOf(shape),
			symbolSize: 10,
			itemStyle: lookOf(shape, theme.tones[tone], theme.panel),
			emphasis: {itemStyle: {borderColor: theme.focus, borderWidth: 2}},
			// Plain values: for objects, ECharts looks up the style of every mark, which takes three times as long.
			data: marksOf(lanes, name).map(({lane, mark}) => [Date.parse(mark.at), lane]),
			...(count > mostAtOnce && {animation: false, progressive: atATime, progressiveThreshold: atATime})
		}))
	}
}

const emptySymbols: Readonly<Partial<Record<Shape, Shape>>> = {
	...{emptyCircle: 'circle', emptyRect: 'rect', emptyTriangle: 'triangle', emptyDiamond: 'diamond'}
}

/** Empty ones are drawn as our own outlines: those of ECharts are filled with white in every theme. */
function symbolOf(shape: Shape) {
	return emptySymbols[shape] ?? shape
}

function lookOf(shape: Shape, tone: string, ground: string) {
	return symbolOf(shape) === shape ? {color: tone, borderColor: ground, borderWidth: 1} : {color: ground, borderColor: tone, borderWidth: 2}
}

function tooltipOf(params: unknown, lanes: readonly Lane[], zone: TimeZone) {
	if (typeof params !== 'object' || params === null || !('value' in params) || !('seriesName' in params)) return ''
	const {value, seriesName} = params
	const [at, lane] = Array.isArray(value) ? value.map(Number) : []
	const name = plain(lanes[lane ?? -1]?.name ?? '')
	return at === undefined || Number.isNaN(at) ? name : `${name}\n${plain(String(seriesName))} ${formatExact(new Date(at).toISOString(), zone)}`
}
