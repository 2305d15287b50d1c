/** Targets of keys from an event: pure. Every answer is the `index` of a point, or `null` without one. */
import {causeOf} from '#shared/attack-story.ts'
import type {TrajectoryPoint} from '#contract/insight.ts'

import {firstFrom, timeOf, type LaneLayout, type Layout} from './layout.ts'
import {badness} from './looks.ts'
import {fileOf} from './merge.ts'

export type Move = 'next' | 'previous' | 'up' | 'down' | 'nextDetection' | 'previousDetection' | 'parent' | 'child' | 'across'

export function moveFrom(layout: Layout, selected: number | null, move: Move) {
	const place = selected === null ? undefined : layout.places.get(selected)
	const lane = place && layout.lanes[place.row]
	const point = place && lane?.points[place.at]
	if (place === undefined || lane === undefined || point === undefined) return first(layout, move)
	return ways[move]({layout, lane, point, ...place})
}

interface Here {
	layout: Layout
	lane: LaneLayout
	point: TrajectoryPoint
	row: number
	at: number
}

const ways: Readonly<Record<Move, (here: Here) => number | null>> = {
	next: ({lane, at}) => lane.points[at + 1]?.index ?? null,
	previous: ({lane, at}) => lane.points[at - 1]?.index ?? null,
	up: ({layout, row, point}) => nearest(layout.lanes.slice(0, row).findLast(hasPoints), timeOf(point)),
	down: ({layout, row, point}) => nearest(layout.lanes.slice(row + 1).find(hasPoints), timeOf(point)),
	across: ({layout, row, point}) => across(layout, row, point),
	nextDetection: ({layout, point}) => detections(layout).find(({index}) => index > point.index)?.index ?? null,
	previousDetection: ({layout, point}) => detections(layout).findLast(({index}) => index < point.index)?.index ?? null,
	parent: ({layout, point}) => causeIn(layout, point) ?? parentOf(layout, point),
	child: ({layout, point}) => layout.points.find(({index, parent}) => index > point.index && parent === point.lane)?.index ?? null
}

function hasPoints({points}: LaneLayout) {
	return points.length > 0
}

/** The same file on the next computer, at the nearest time; cyclic. */
function across(layout: Layout, row: number, point: TrajectoryPoint) {
	const rows = layout.shared.get(fileOf(point.lane)) ?? []
	const next = rows.find(other => other > row) ?? rows.find(other => other !== row)
	return next === undefined ? null : nearest(layout.lanes[next], timeOf(point))
}

/** Without a selection: detections begin at their own end, everything else at the newest event. */
function first(layout: Layout, move: Move) {
	if (move === 'nextDetection') return detections(layout)[0]?.index ?? null
	if (move === 'previousDetection') return detections(layout).at(-1)?.index ?? null
	return layout.points.at(-1)?.index ?? null
}

/** The first event of each detection, and those that were detected without an id. */
function detections(layout: Layout) {
	const seen = new Set<string>()
	return layout.points.filter(point => {
		if (badness(point) < 5) return false
		if (point.detectionId === null) return true
		if (seen.has(point.detectionId)) return false
		seen.add(point.detectionId)
		return true
	})
}

function nearest(lane: LaneLayout | undefined, time: number) {
	if (lane === undefined) return null
	const after = firstFrom(lane.times, time)
	const [one, other] = [lane.times[after - 1], lane.times[after]]
	const at = one !== undefined && (other === undefined || time - one <= other - time) ? after - 1 : after
	return lane.points[at]?.index ?? null
}

/** Its cause, if the filters show it. */
function causeIn(layout: Layout, point: TrajectoryPoint) {
	const cause = causeOf({lanes: layout.lanes.map(({lane}) => lane), points: layout.points}, point)
	return cause !== undefined && layout.places.has(cause.index) ? cause.index : null
}

/** The last event of the parent before, or the first after. */
function parentOf(layout: Layout, point: TrajectoryPoint) {
	const row = point.parent === null ? undefined : layout.rowOf.get(point.parent)
	const lane = row === undefined ? undefined : layout.lanes[row]
	if (lane === undefined) return null
	const before = lane.points.findLast(({index}) => index < point.index)
	return (before ?? lane.points.find(({index}) => index > point.index))?.index ?? null
}

/** Announced when a key has no target. */
export const deadEnds: Readonly<Record<Move, string>> = {
	next: 'No later event in this lane',
	previous: 'No earlier event in this lane',
	up: 'This is the first lane',
	down: 'This is the last lane',
	nextDetection: 'No later detection',
	previousDetection: 'No earlier detection',
	parent: 'Its parent has no lane here',
	child: 'Nothing later came from it',
	across: 'No other computer in this timeline has this file'
}
