/** What every part of the drawing is given, and where rows and times lie in it. Lengths are CSS pixels. */
import type {ChartTheme} from '../../ui/chart/theme.ts'
import type {TimeZone} from '../../ui/time.ts'
import type {Bead, Layout, Span} from './layout.ts'
import type {Pen} from './marks.ts'

export const rowHeight = 26
export const axisHeight = 24

export interface Frame {
	readonly layout: Layout
	readonly span: Span
	readonly theme: ChartTheme
	readonly zone: TimeZone
	readonly width: number
	readonly height: number
	readonly labelWidth: number
	/** Pixels that the lanes are scrolled up. */
	readonly top: number
	/** `index` of the selected point. */
	readonly selected: number | null
	readonly isFocused: boolean
	/** Indices of points that the operator marked. */
	readonly marked?: readonly number[]
}

export interface Painting extends Frame {
	readonly pen: Pen
	readonly plot: number
	/** Beads by row, of rows in view. */
	readonly beads: ReadonlyMap<number, readonly Bead[]>
}

export function middleOf({top}: Pick<Frame, 'top'>, row: number): number {
	return axisHeight + row * rowHeight + rowHeight / 2 - top
}

export function xOf({span, labelWidth, plot}: Painting, time: number): number {
	return labelWidth + ((time - span.from) / (span.to - span.from)) * plot
}
