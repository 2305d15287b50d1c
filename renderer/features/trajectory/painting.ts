/** Common input of the chart's parts, and positions of rows and times. Lengths are CSS pixels. */
import type {ChartTheme} from '#ui/chart/theme.ts'
import type {TimeZone} from '#ui/time.ts'
import type {Bead, Layout, Span} from './layout.ts'
import type {Pen} from './marks.ts'

export const rowHeight = 26
export const axisHeight = 24

export interface Frame {
	layout: Layout
	span: Span
	theme: ChartTheme
	zone: TimeZone
	width: number
	height: number
	labelWidth: number
	/** Vertical scroll of the lanes in pixels. */
	top: number
	selected: number | null
	isFocused: boolean
	marked?: readonly number[]
}

export interface Painting extends Frame {
	pen: Pen
	plot: number
	beads: ReadonlyMap<number, readonly Bead[]>
}

export function middleOf({top}: Pick<Frame, 'top'>, row: number) {
	return axisHeight + row * rowHeight + rowHeight / 2 - top
}

export function xOf({span, labelWidth, plot}: Painting, time: number) {
	return labelWidth + ((time - span.from) / (span.to - span.from)) * plot
}
