/** ECharts with the few parts in use. Import it lazily: it is a separate chunk. */
import {BarChart, CustomChart, LineChart, SankeyChart, ScatterChart, TreemapChart} from 'echarts/charts'
import {GridComponent, LegendComponent, TitleComponent, TooltipComponent} from 'echarts/components'
import {init, use as register, type EChartsType} from 'echarts/core'
import {CanvasRenderer} from 'echarts/renderers'

import type {PictureOption} from './view.ts'

register([
	BarChart,
	CustomChart,
	LineChart,
	SankeyChart,
	ScatterChart,
	TreemapChart,
	GridComponent,
	LegendComponent,
	TitleComponent,
	TooltipComponent,
	CanvasRenderer
])

export type Drawing = EChartsType

/** Draws into an empty element of that size (pixels). Dispose of it after use. */
export function openDrawing(element: HTMLElement, width: number, height: number): Drawing {
	return init(emptiedWithoutHtml(element), null, {renderer: 'canvas', width, height})
}

/**
 * The painter empties its root with HTML from text, which the page's policy refuses. This one element gets a property that only
 * empties it; the policy is unchanged, and real HTML is still refused.
 */
function emptiedWithoutHtml(element: HTMLElement) {
	Object.defineProperty(element, 'innerHTML', {
		configurable: true,
		get: () => '',
		set: (text: unknown) => {
			if (text !== '') throw new TypeError('An image holds no HTML.')
			element.replaceChildren()
		}
	})
	return element
}

/** The chart as a PNG at twice the screen's resolution. */
export async function drawFile(option: PictureOption, size: FileSize): Promise<Blob> {
	const element = document.createElement('div')
	const drawing = openDrawing(element, size.width, size.height)
	try {
		drawing.setOption({...wholeAtOnce(option), animation: false})
		const canvas = drawing.renderToCanvas({pixelRatio: 2, backgroundColor: size.background})
		return await pngOf(canvas)
	} finally {
		drawing.dispose()
	}
}

/** A file is taken immediately: nothing may be drawn in a later frame. */
function wholeAtOnce(option: PictureOption): PictureOption {
	const {series} = option
	const all: readonly unknown[] = Array.isArray(series) ? series : []
	return {...option, series: all.map(each => (typeof each === 'object' ? {...each, progressive: 0} : each))}
}

interface FileSize {
	width: number
	height: number
	background: string
}

function pngOf(canvas: HTMLCanvasElement): Promise<Blob> {
	return new Promise((resolve, reject) => {
		canvas.toBlob(blob => {
			if (blob === null) reject(new Error('Could not save the image.'))
			else resolve(blob)
		}, 'image/png')
	})
}
