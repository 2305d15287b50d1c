/** Links between lanes: parents of events, and files on several computers. */
import {timeOf, type Bead} from './layout.ts'
import {badness, dispositionLooks} from './looks.ts'
import {fileOf} from './merge.ts'
import {middleOf, xOf, type Painting} from './painting.ts'

/** A file on several computers: from its first event on the first one to its first on each other. */
export function paintShared(painting: Painting): void {
	const {layout, selected, pen, theme} = painting
	const place = selected === null ? undefined : layout.places.get(selected)
	const chosen = place === undefined ? undefined : layout.lanes[place.row]?.lane.id
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

function paintShare(painting: Painting, rows: readonly number[]): void {
	const {pen, layout} = painting
	const ends = rows
		.map(row => ({row, time: layout.lanes[row]?.times[0] ?? Infinity}))
		.toSorted((one, other) => one.time - other.time)
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

export function paintLines(painting: Painting): void {
	const edges = edgesInView(painting)
	const isCrowded = edges.length > readableLines
	for (const edge of edges)
		if (isBadEdge(edge) || (!isCrowded && edge.bead.first === edge.bead.last)) paintEdge(painting, edge, false)
	const chosen = selectedEdge(painting)
	if (chosen !== null) paintEdge(painting, chosen, true)
}

function isBadEdge({bead}: Edge): boolean {
	return badness(bead.worst) > 1
}

interface Edge {
	readonly row: number
	readonly bead: Bead
	/** Row of the parent, or `undefined` without a lane here. */
	readonly parent: number | undefined
}

function edgesInView({layout, beads}: Painting): readonly Edge[] {
	return [...beads].flatMap(([row, each]) =>
		each.flatMap((bead): readonly Edge[] => {
			const {parent, lane} = bead.worst
			return parent === null || parent === lane ? [] : [{row, bead, parent: layout.rowOf.get(parent)}]
		}),
	)
}

function selectedEdge({layout, selected, span, plot}: Painting): Edge | null {
	const place = selected === null ? undefined : layout.places.get(selected)
	const point = place === undefined ? undefined : layout.lanes[place.row]?.points[place.at]
	if (place === undefined || point === undefined || point.parent === null || point.parent === point.lane) return null
	const x = ((timeOf(point) - span.from) / (span.to - span.from)) * plot
	const bead = {x, first: place.at, last: place.at, worst: point}
	return {row: place.row, bead, parent: layout.rowOf.get(point.parent)}
}

/** From the parent's lane to the event; a short dashed line without a lane. */
function paintEdge(painting: Painting, edge: Edge, isChosen: boolean): void {
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
