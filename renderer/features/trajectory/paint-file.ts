/** The chart as a separate image: title, lanes, and legend. Lengths are CSS pixels. */
import {dispositions} from '#model/choices.ts'
import {formatCount} from '#text/numbers.ts'

import type {ChartTheme} from '#ui/chart/theme.ts'
import {type TimeZone} from '#ui/time.ts'
import type {Layout, Span} from './layout.ts'
import {dispositionLooks, shapeLooks} from './looks.ts'
import type {Pen} from './marks.ts'
import {paint} from './paint.ts'
import {axisHeight, rowHeight} from './painting.ts'
import {spanWords} from './words.ts'

export interface FilePicture {
	layout: Layout
	span: Span
	theme: ChartTheme
	zone: TimeZone
	extent: string
	marked: readonly number[]
}

const fileWidth = 1600
const titleHeight = 52
const legendHeight = 30
/** A canvas is limited to some thousands of pixels; omitted lanes are reported. */
const mostLanes = 200

export function sizeOfFile(layout: Layout) {
	return {width: fileWidth, height: titleHeight + lanesHeight(layout) + legendHeight}
}

function lanesHeight({lanes}: Layout) {
	return axisHeight + Math.min(mostLanes, lanes.length) * rowHeight
}

/** The background comes last, below everything: the lanes clear what is under them. */
export function paintFile(pen: Pen, picture: FilePicture, names: string) {
	const {layout, theme} = picture
	const [size, height] = [sizeOfFile(layout), lanesHeight(layout)]
	pen.save()
	pen.translate(0, titleHeight)
	paint(pen, {...picture, width: fileWidth, height, labelWidth: 200, top: 0, selected: null, isFocused: false})
	pen.restore()
	pen.textBaseline = 'middle'
	pen.textAlign = 'left'
	paintTitle(pen, picture, names)
	paintLegend(pen, picture, titleHeight + height + legendHeight / 2)
	pen.globalCompositeOperation = 'destination-over'
	pen.fillStyle = theme.panel
	pen.fillRect(0, 0, size.width, size.height)
}

function paintTitle(pen: Pen, {layout, span, theme, zone, extent}: FilePicture, names: string) {
	const all = layout.lanes.length
	const left = all > mostLanes ? ` The first ${formatCount(mostLanes)} of ${formatCount(all)} lanes.` : ''
	const hidden = layout.hiddenLanes === 0 ? '' : ` ${formatCount(layout.hiddenLanes)} lanes are hidden.`
	pen.fillStyle = theme.ink
	pen.font = `600 14px ${theme.font}`
	pen.fillText(`Trajectory of ${names}`, 12, 17)
	pen.fillStyle = theme.ink2
	pen.font = `12px ${theme.font}`
	pen.fillText(`${extent} Shown: ${spanWords(span, zone)}.${hidden}${left}`, 12, 38)
}

function paintLegend(pen: Pen, {layout, theme}: FilePicture, y: number) {
	const found = new Set<string>(layout.points.flatMap(({shape, disposition}) => [shape, disposition]))
	let x = 12
	const put = (text: string, colour: string) => {
		pen.fillStyle = colour
		pen.fillText(text, x, y)
		x += pen.measureText(text).width + 16
	}
	for (const [shape, {sign, word}] of Object.entries(shapeLooks)) if (found.has(shape)) put(`${sign} ${word}`, theme.ink2)
	for (const disposition of dispositions.filter(each => each !== 'none' && found.has(each)))
		put(`● ${dispositionLooks[disposition].word}`, dispositionLooks[disposition].colour(theme))
}
