/** One frame of the chart: only visible lanes and events are processed. Lengths are CSS pixels. */
import {showUnseenOnScreen} from '#text/foreign.ts'
import type {ChartTheme} from '#ui/chart/theme.ts'
import type {TimeZone} from '#ui/time.ts'
import {type Bead, beadsOf, countText, countWidth, type LaneLayout, type Span, spotOf, timeOf} from './layout.ts'
import {badness, dispositionLooks} from './looks.ts'
import {drawFrame, drawMark, type Pen} from './marks.ts'
import {fileOf} from './merge.ts'
import {axisHeight, type Frame, middleOf, type Painting, rowHeight, xOf} from './painting.ts'

export function paint(pen: Pen, frame: Frame) {
	const plot = Math.max(1, frame.width - frame.labelWidth)
	const painting = {...frame, pen, plot, beads: beadsInView(frame, plot)}
	pen.clearRect(0, 0, frame.width, frame.height)
	pen.font = `11px ${frame.theme.font}`
	pen.textBaseline = 'middle'
	paintRows(painting)
	paintAxis(painting)
	pen.save()
	pen.beginPath()
	pen.rect(frame.labelWidth, axisHeight, plot, frame.height - axisHeight)
	pen.clip()
	paintLines(painting)
	paintShared(painting)
	for (const [row, beads] of painting.beads) paintBeads(painting, row, beads)
	paintSelected(painting)
	paintMarked(painting)
	pen.restore()
	paintLabels(painting)
}

/** The visible rows: `to` is exclusive. */
function rowsInView({layout, top, height}: Pick<Frame, 'layout' | 'top' | 'height'>) {
	const from = Math.max(0, Math.floor(top / rowHeight))
	return {from, to: Math.min(layout.lanes.length, Math.ceil((top + height - axisHeight) / rowHeight))}
}

function beadsInView(frame: Frame, plot: number) {
	const {from, to} = rowsInView(frame)
	const found = new Map<number, readonly Bead[]>()
	frame.layout.lanes.slice(from, to).forEach((lane, at) => found.set(from + at, beadsOf(lane, frame.span, plot)))
	return found
}

function paintRows(painting: Painting) {
	const {pen, theme, layout, selected, labelWidth, width, beads} = painting
	const chosen = selected === null ? undefined : layout.places.get(selected)?.row
	for (const row of beads.keys()) {
		const y = middleOf(painting, row)
		if (row === chosen) {
			pen.fillStyle = theme.sunken
			pen.fillRect(0, y - rowHeight / 2, width, rowHeight)
		}
		if (layout.lanes[row]?.header !== undefined) {
			pen.fillStyle = theme.sunken
			pen.fillRect(0, y - rowHeight / 2, width, rowHeight)
			continue
		}
		pen.fillStyle = theme.line
		pen.fillRect(labelWidth, Math.round(y), width - labelWidth, 1)
	}
}

function paintAxis(painting: Painting) {
	const {pen, theme, span, plot, zone, labelWidth, width, height} = painting
	pen.fillStyle = theme.panel
	pen.fillRect(0, 0, width, axisHeight)
	pen.textAlign = 'center'
	for (const {time, label} of ticksOf(span, plot, zone)) {
		const x = Math.round(xOf(painting, time))
		pen.fillStyle = theme.line
		pen.globalAlpha = 0.6
		pen.fillRect(x, axisHeight, 1, height)
		pen.globalAlpha = 1
		if (x < labelWidth + 20 || x > width - 20) continue
		pen.fillStyle = theme.ink3
		pen.fillText(label, x, axisHeight / 2)
	}
	pen.fillStyle = theme.line
	pen.fillRect(0, axisHeight - 1, width, 1)
	pen.textAlign = 'left'
	pen.fillStyle = theme.ink3
	pen.fillText(zone === 'utc' ? 'UTC' : 'local time', 12, axisHeight / 2)
}

function paintBeads(painting: Painting, row: number, beads: readonly Bead[]) {
	const {pen, theme, labelWidth} = painting
	const y = middleOf(painting, row)
	for (const bead of beads) {
		const x = labelWidth + bead.x
		const colour = colourOf(bead, theme)
		pen.strokeStyle = colour
		pen.fillStyle = colour
		if (bead.first !== bead.last) {
			paintCount(painting, bead, x, y)
			continue
		}
		drawMark(pen, bead.worst.shape, x, y)
		drawFrame(pen, bead.worst.disposition, x, y)
	}
}

/** A detection in a clean file is still a detection. */
function colourOf({worst}: Bead, theme: ChartTheme) {
	if (worst.shape === 'detect' && badness(worst) > 1 && worst.disposition !== 'blocked') return theme.tones.bad
	return dispositionLooks[worst.disposition].colour(theme)
}

function paintCount({pen, theme}: Painting, bead: Bead, x: number, y: number) {
	const count = bead.last - bead.first + 1
	const isBad = badness(bead.worst) > 1
	const half = countWidth(count) / 2
	pen.beginPath()
	pen.roundRect(x - half, y - 7, half * 2, 14, isBad ? 2 : 7)
	pen.lineWidth = 1
	const colour = pen.strokeStyle
	if (!isBad) pen.fillStyle = theme.panel
	pen.fill()
	pen.stroke()
	pen.fillStyle = isBad ? theme.onTone : colour
	pen.textAlign = 'center'
	pen.font = `${isBad ? '600 ' : ''}10px ${theme.font}`
	pen.fillText(countText(count), x, y + 0.5)
	pen.font = `11px ${theme.font}`
}

function paintSelected(painting: Painting) {
	const {pen, theme, layout, selected, height, isFocused} = painting
	const spot = spotOf(layout, selected)
	if (spot === undefined) return
	const [x, y] = [xOf(painting, spot.time), middleOf(painting, spot.row)]
	pen.fillStyle = theme.focus
	pen.globalAlpha = 0.5
	pen.fillRect(Math.round(x), axisHeight, 1, height)
	pen.globalAlpha = 1
	pen.strokeStyle = theme.focus
	pen.lineWidth = isFocused ? 2.5 : 1.5
	pen.beginPath()
	pen.arc(x, y, 10.5, 0, 2 * Math.PI)
	pen.stroke()
}

function paintMarked(painting: Painting) {
	const {pen, theme, layout, marked = []} = painting
	pen.fillStyle = theme.tones.hold
	for (const index of marked) {
		const spot = spotOf(layout, index)
		if (spot === undefined) continue
		const [x, y] = [xOf(painting, spot.time), middleOf(painting, spot.row)]
		pen.fillRect(Math.round(x) - 1, y - 12, 2, 12)
		pen.beginPath()
		pen.moveTo(x + 1, y - 12)
		pen.lineTo(x + 9, y - 9)
		pen.lineTo(x + 1, y - 6)
		pen.fill()
	}
}

/** Marks of the time axis: pure. Times are Unix milliseconds. */
interface Tick {
	time: number
	label: string
}

const [second, minute, hour, day] = [1000, 60_000, 3_600_000, 86_400_000]
const steps = [
	...[0.01, 0.05, 0.1, 0.5, 1, 5, 10, 50, 100, 250, 500],
	...[1, 2, 5, 10, 15, 30].map(each => each * second),
	...[1, 2, 5, 10, 15, 30].map(each => each * minute),
	...[1, 2, 3, 6, 12].map(each => each * hour),
	...[1, 2, 7, 14, 28, 91, 364].map(each => each * day)
]

/** Minimum pixels per tick. */
const room = 92

export function ticksOf(span: Span, width: number, zone: TimeZone): readonly Tick[] {
	const wanted = ((span.to - span.from) / Math.max(1, width)) * room
	const step = steps.find(each => each >= wanted) ?? 364 * day
	const isOfZone = step >= hour
	const first = Math.ceil((span.from + (isOfZone ? shiftOf(span.from, zone) : 0)) / step)
	const ticks: Tick[] = []
	for (let at = first; ; at += 1) {
		const time = isOfZone ? unshifted(at * step, zone) : at * step
		if (time > span.to) return ticks
		if (time >= span.from) ticks.push({time, label: labelOf(time, step, zone)})
	}
}

/** Whole hours and days of the zone, also across a clock change. */
function unshifted(wall: number, zone: TimeZone) {
	return wall - shiftOf(wall - shiftOf(wall, zone), zone)
}

function shiftOf(time: number, zone: TimeZone) {
	return zone === 'utc' ? 0 : -new Date(time).getTimezoneOffset() * minute
}

function labelOf(time: number, step: number, zone: TimeZone) {
	if (step >= day) return dates[zone].format(time)
	if (step >= minute) return isMidnight(time, zone) ? dates[zone].format(time) : minutes[zone].format(time)
	const label = seconds[zone].format(time)
	if (step >= second) return label
	const within = ((time % second) + second) % second
	return `${label.slice(-2)}.${(step < 1 ? within.toFixed(2) : String(Math.round(within))).padStart(step < 1 ? 6 : 3, '0')}`
}

function isMidnight(time: number, zone: TimeZone) {
	return minutes[zone].format(time) === '00:00'
}

const utc = {timeZone: 'UTC'}
const dateStyle: Intl.DateTimeFormatOptions = {day: 'numeric', month: 'short'}
const minuteStyle: Intl.DateTimeFormatOptions = {hour: '2-digit', minute: '2-digit'}
const secondStyle: Intl.DateTimeFormatOptions = {timeStyle: 'medium'}
const dates = formats(dateStyle)
const minutes = formats(minuteStyle)
const seconds = formats(secondStyle)

function formats(style: Intl.DateTimeFormatOptions): Readonly<Record<TimeZone, Intl.DateTimeFormat>> {
	return {local: new Intl.DateTimeFormat('en-GB', style), utc: new Intl.DateTimeFormat('en-GB', {...style, ...utc})}
}

function paintLabels(painting: Painting) {
	const {pen, theme, layout, labelWidth, height, beads} = painting
	pen.save()
	pen.beginPath()
	pen.rect(0, axisHeight, labelWidth, height)
	pen.clip()
	for (const row of beads.keys()) {
		const lane = layout.lanes[row]
		if (lane !== undefined) paintLabel(painting, lane, middleOf(painting, row))
	}
	pen.restore()
	pen.fillStyle = theme.line
	pen.fillRect(labelWidth - 1, 0, 1, height)
}

function paintLabel({pen, theme, layout, labelWidth}: Painting, {header, lane, points}: LaneLayout, y: number) {
	const {disposition} = lane
	if (header !== undefined) {
		pen.textAlign = 'left'
		pen.fillStyle = theme.ink
		pen.font = `600 12px ${theme.font}`
		pen.fillText(fitted(pen, header.hostname, labelWidth - 20), 10, y)
		pen.font = `11px ${theme.font}`
		return
	}
	const isBad = disposition === 'malicious' || disposition === 'blocked'
	pen.textAlign = 'right'
	pen.fillStyle = theme.ink3
	const count = String(points.length)
	pen.fillText(count, labelWidth - 10, y)
	const room = labelWidth - 46 - pen.measureText(count).width
	pen.textAlign = 'left'
	pen.fillStyle = isBad || disposition === 'unknown' ? dispositionLooks[disposition].colour(theme) : theme.ink3
	pen.fillText(laneSign(lane), 10, y)
	pen.fillStyle = isBad ? dispositionLooks[disposition].colour(theme) : theme.ink
	pen.font = `${isBad ? '600 ' : ''}12px ${theme.font}`
	const more = lane.names.length === 0 ? '' : ` +${lane.names.length}`
	const several = layout.shared.has(fileOf(lane.id)) ? ' ⇄' : ''
	pen.fillText(fitted(pen, `${lane.label}${more}${several}`, room), 26, y)
	pen.font = `11px ${theme.font}`
}

/** A symbol before the name, so that colour is not alone. */
function laneSign({disposition, keeps, id: lane}: LaneLayout['lane']) {
	const id = fileOf(lane)
	if (id === 'network') return '◎'
	if (id === 'system') return '◇'
	if (disposition === 'malicious') return '✖'
	if (disposition === 'blocked') return '⊘'
	if (keeps) return '!'
	return disposition === 'unknown' ? '?' : '·'
}

function fitted(pen: Pen, foreign: string, room: number) {
	const text = showUnseenOnScreen(foreign)
	if (pen.measureText(text).width <= room) return text
	let kept = text
	while (kept.length > 1 && pen.measureText(`${kept}…`).width > room) kept = kept.slice(0, -1)
	return `${kept}…`
}

/* Links between lanes: parents of events, and files on several computers. */

/** A file on several computers: from its first event on the first one to its first on each other. */
function paintShared(painting: Painting) {
	const {layout, selected, pen, theme} = painting
	const place = selected === null ? undefined : layout.places.get(selected)
	const chosen = place && layout.lanes[place.row]?.lane.id
	for (const [file, rows] of layout.shared) {
		const lanes = rows.map(row => layout.lanes[row])
		const isChosen = chosen !== undefined && fileOf(chosen) === file
		const isBad = lanes.some(lane => lane?.lane.disposition === 'malicious' || lane?.lane.disposition === 'blocked')
		if (!isChosen && !isBad) continue
		pen.strokeStyle = isBad ? theme.tones.bad : theme.tones.accent
		pen.lineWidth = isChosen ? 2 : 1
		pen.globalAlpha = isChosen ? 0.9 : 0.5
		pen.setLineDash([2, 3])
		paintShare(painting, rows)
		pen.setLineDash([])
		pen.globalAlpha = 1
	}
}

function paintShare(painting: Painting, rows: readonly number[]) {
	const {pen, layout} = painting
	const ends = rows.map(row => ({row, time: layout.lanes[row]?.times[0] ?? Infinity})).toSorted((one, other) => one.time - other.time)
	const [first, ...others] = ends
	if (first === undefined) return
	const [x1, y1] = [xOf(painting, first.time), middleOf(painting, first.row)]
	for (const {row, time} of others) {
		const [x2, y2] = [xOf(painting, time), middleOf(painting, row)]
		pen.beginPath()
		pen.moveTo(x1, y1)
		pen.bezierCurveTo(x1, (y1 + y2) / 2, x2, (y1 + y2) / 2, x2, y2)
		pen.stroke()
	}
}

/** With more visible lines than this only those to something bad are drawn: the rest would be a grey web. */
const readableLines = 60

function paintLines(painting: Painting) {
	const edges = edgesInView(painting)
	const isCrowded = edges.length > readableLines
	for (const edge of edges) if (isBadEdge(edge) || (!isCrowded && edge.bead.first === edge.bead.last)) paintEdge(painting, edge, false)
	const chosen = selectedEdge(painting)
	if (chosen !== null) paintEdge(painting, chosen, true)
}

function isBadEdge({bead}: Edge) {
	return badness(bead.worst) > 1
}

interface Edge {
	row: number
	bead: Bead
	/** Row of the parent, or `undefined` without a lane here. */
	parent: number | undefined
}

function edgesInView({layout, beads}: Painting) {
	return [...beads].flatMap(([row, each]) =>
		each.flatMap((bead): readonly Edge[] => {
			const {parent, lane} = bead.worst
			return parent === null || parent === lane ? [] : [{row, bead, parent: layout.rowOf.get(parent)}]
		})
	)
}

function selectedEdge({layout, selected, span, plot}: Painting): Edge | null {
	const place = selected === null ? undefined : layout.places.get(selected)
	const point = place && layout.lanes[place.row]?.points[place.at]
	if (place === undefined || point === undefined || point.parent === null || point.parent === point.lane) return null
	const x = ((timeOf(point) - span.from) / (span.to - span.from)) * plot
	const bead = {x, first: place.at, last: place.at, worst: point}
	return {row: place.row, bead, parent: layout.rowOf.get(point.parent)}
}

/** From the parent's lane to the event; a short dashed line without a lane. */
function paintEdge(painting: Painting, edge: Edge, isChosen: boolean) {
	const {row, bead, parent} = edge
	const {pen, theme, labelWidth} = painting
	const isBad = isBadEdge(edge)
	const [x, y] = [labelWidth + bead.x, middleOf(painting, row)]
	const from = parent === undefined ? y - 14 : middleOf(painting, parent)
	pen.strokeStyle = isChosen ? theme.ink : isBad ? dispositionLooks.malicious.colour(theme) : theme.ink3
	pen.globalAlpha = isChosen ? 1 : isBad ? 0.75 : 0.35
	pen.lineWidth = isChosen ? 1.5 : 1
	pen.setLineDash(parent === undefined ? [3, 3] : [])
	pen.beginPath()
	pen.moveTo(x - 14, from)
	pen.bezierCurveTo(x - 4, from, x - 14, y, x - 5, y)
	pen.stroke()
	pen.setLineDash([])
	pen.globalAlpha = 1
}
