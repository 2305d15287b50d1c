import type {EChartsCoreOption} from 'echarts/core'

import type {ChartTheme, Tone} from './theme.ts'

export type PictureOption = EChartsCoreOption

/** Parameters of drawing a chart. Lengths are pixels. */
export interface View {
	readonly theme: ChartTheme
	readonly width: number
	/** Of the chart itself. */
	readonly height: number
	/** Margins above and below: a file has its title and legend there. */
	readonly top: number
	readonly bottom: number
}

/** Draws a chart for a view. Keep it stable (`useCallback`): a new function redraws. */
export type Draw = (view: View) => PictureOption

export interface LegendItem {
	readonly name: string
	readonly tone: Tone
	/** Percentage of the tone over the background. Default: the full tone with its pattern. */
	readonly share?: number
	/** The shape of its marks. Default: a filled square. */
	readonly sign?: string
}

/** The table of the same content, selection and file. */
export interface TwinTable {
	readonly columns: readonly string[]
	readonly rows: readonly TwinRow[]
}

export interface TwinRow {
	readonly key: string
	/** The first cell names the row. */
	readonly cells: readonly string[]
	readonly isSelected?: boolean
	/** Action of the row's name; `extend` with Shift. */
	readonly onPress?: (extend: boolean) => void
}
