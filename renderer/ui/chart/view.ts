import type {EChartsCoreOption} from 'echarts/core'

import type {ChartTheme, Tone} from './theme.ts'

export type PictureOption = EChartsCoreOption

/** What a picture is drawn for. Lengths are pixels. */
export interface View {
	readonly theme: ChartTheme
	readonly width: number
	/** Of the picture itself. */
	readonly height: number
	/** Room above and below it: a file has its title and its legend there. */
	readonly top: number
	readonly bottom: number
}

/** Draws a picture for a view. Keep it stable (`useCallback`): a new one draws anew. */
export type Draw = (view: View) => PictureOption

export interface LegendItem {
	readonly name: string
	readonly tone: Tone
	/** How much of the tone, in percent, over the ground. Default: all of it, with its pattern. */
	readonly share?: number
}

/** The table with the same content, the same choice and the same file. */
export interface TwinTable {
	readonly columns: readonly string[]
	readonly rows: readonly TwinRow[]
}

export interface TwinRow {
	readonly key: string
	/** The first cell names the row. */
	readonly cells: readonly string[]
	readonly isSelected?: boolean
	/** What the row's name does when it is pressed; `extend` with Shift. */
	readonly onPress?: (extend: boolean) => void
}
