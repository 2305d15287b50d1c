import type {EChartsCoreOption} from 'echarts/core'

import type {ChartTheme, Tone} from './theme.ts'

export type PictureOption = EChartsCoreOption

/** Parameters of drawing a chart. Lengths are pixels. */
export interface View {
	theme: ChartTheme
	width: number
	/** Of the chart itself. */
	height: number
	/** Margins above and below: a file has its title and legend there. */
	top: number
	bottom: number
}

/** Draws a chart for a view. Keep it stable (`useCallback`): a new function redraws. */
export type Draw = (view: View) => PictureOption

export interface LegendItem {
	name: string
	tone: Tone
	/** Percentage of the tone over the background. Default: the full tone with its pattern. */
	share?: number
	/** The shape of its marks. Default: a filled square. */
	sign?: string
}

/** The table of the same content, selection and file. */
export interface TwinTable {
	columns: readonly string[]
	rows: readonly TwinRow[]
}

export interface TwinRow {
	key: string
	/** The first cell names the row. */
	cells: readonly string[]
	isSelected?: boolean
	/** Action of the row's name; `extend` with Shift. */
	onPress?: (extend: boolean) => void
}
