/** Positions, computed once per chart and filters: pure. Times are Unix milliseconds with fractions. */
import type {Trajectory, TrajectoryLane, TrajectoryPoint} from '#contract/insight.ts'

import {badness} from './looks.ts'
import {fileOf, isFile, partOf, type Part} from './merge.ts'

export interface Span {
	from: number
	to: number
}

export interface LaneLayout {
	/** Only names the computer of the following lanes. */
	header?: Part
	lane: TrajectoryLane
	/** Oldest first. */
	points: readonly TrajectoryPoint[]
	times: Float64Array
}

interface Place {
	row: number
	/** Position in its lane. */
	at: number
}

export interface Layout {
	lanes: readonly LaneLayout[]
	rowOf: ReadonlyMap<string, number>
	/** All visible ones, oldest first. */
	points: readonly TrajectoryPoint[]
	/** By `index` of the point. */
	places: ReadonlyMap<number, Place>
	/** All loaded data, with a margin at both ends: filters do not change the period. */
	span: Span
	hiddenLanes: number
	/** Rows of each file on several computers. */
	shared: ReadonlyMap<string, readonly number[]>
}

interface LayoutFilter {
	hideClean: boolean
	/** Part of a name. */
	name: string
	/** Only files on several computers. */
	sharedOnly?: boolean
}

/** A reading, or several on one axis. */
type Laid = Trajectory & {parts?: readonly Part[]}

export function timeOf(point: TrajectoryPoint) {
	return Date.parse(point.at) + (point.nanoseconds % 1e6) / 1e6
}

/** Where an event is drawn, and when it was; `undefined` when it is not visible. */
export function spotOf({places, lanes}: Layout, index: number | null) {
	const place = index === null ? undefined : places.get(index)
	const time = place && lanes[place.row]?.times[place.at]
	return place && time !== undefined ? {...place, time} : undefined
}

export function layOut(trajectory: Laid, filter: LayoutFilter): Layout {
	const shown = new Map<string, TrajectoryPoint[]>(trajectory.lanes.map(({id}) => [id, []]))
	const common = filesOfSeveral(trajectory.lanes)
	const keep = keeper(trajectory.lanes, filter, common)
	const points = trajectory.points.filter(point => keep(point))
	for (const point of points) shown.get(point.lane)?.push(point)
	const filled = trajectory.lanes.flatMap((lane): readonly LaneLayout[] => {
		const own = shown.get(lane.id) ?? []
		return own.length === 0 ? [] : [{lane, points: own, times: Float64Array.from(own, timeOf)}]
	})
	const lanes = withHeaders(filled, trajectory.parts ?? [])
	const places = new Map<number, Place>()
	lanes.forEach((each, row) => each.points.forEach((point, at) => places.set(point.index, {row, at})))
	return {
		lanes,
		rowOf: new Map(lanes.map(({lane}, row) => [lane.id, row])),
		points,
		places,
		span: spanOf(trajectory.points),
		hiddenLanes: trajectory.lanes.length - filled.length,
		shared: sharedRows(lanes, common)
	}
}

/** With several computers each has a name row above its lanes, even without visible ones. */
function withHeaders(lanes: readonly LaneLayout[], parts: readonly Part[]) {
	if (parts.length < 2) return lanes
	return parts.flatMap((part, number) => [headerOf(part, number), ...lanes.filter(({lane}) => partOf(lane.id) === number)])
}

function headerOf(part: Part, number: number): LaneLayout {
	const lane: TrajectoryLane = {id: `${number}:computer`, label: part.hostname, names: [], disposition: 'none', events: part.events, keeps: true}
	return {header: part, lane, points: [], times: new Float64Array(0)}
}

function filesOfSeveral(lanes: readonly TrajectoryLane[]) {
	const parts = new Map<string, Set<number>>()
	for (const {id} of lanes) {
		if (!isFile(id)) continue
		const file = fileOf(id)
		parts.set(file, (parts.get(file) ?? new Set()).add(partOf(id)))
	}
	return new Set([...parts].flatMap(([file, of]) => (of.size > 1 ? [file] : [])))
}

function sharedRows(lanes: readonly LaneLayout[], common: ReadonlySet<string>): Layout['shared'] {
	const rows = new Map<string, number[]>()
	lanes.forEach(({lane}, row) => {
		const file = fileOf(lane.id)
		if (common.has(file)) rows.set(file, [...(rows.get(file) ?? []), row])
	})
	return new Map([...rows].filter(([, of]) => of.length > 1))
}

/** Lanes without a file contain various things: their events are checked individually. */
const mixed: ReadonlySet<string> = new Set(['system', 'network'])

function keeper(lanes: readonly TrajectoryLane[], {hideClean, name, sharedOnly = false}: LayoutFilter, common: ReadonlySet<string>) {
	const wanted = name.trim().toLowerCase()
	const byId = new Map(lanes.map(lane => [lane.id, lane]))
	const named = new Set(lanes.filter(lane => isNamed(lane, wanted)).map(({id}) => id))
	return (point: TrajectoryPoint) => {
		const lane = byId.get(point.lane)
		if (lane === undefined) return false
		if (sharedOnly && !common.has(fileOf(lane.id))) return false
		const isMixed = mixed.has(fileOf(lane.id))
		if (!named.has(lane.id) && !(isMixed && point.text.toLowerCase().includes(wanted))) return false
		if (!hideClean) return true
		return isMixed ? point.disposition !== 'clean' || badness(point) > 0 : lane.disposition !== 'clean' || lane.keeps
	}
}

function isNamed({id, label, names}: TrajectoryLane, wanted: string) {
	return wanted === '' || fileOf(id).startsWith(wanted) || [label, ...names].some(name => name.toLowerCase().includes(wanted))
}

/** At least a second, so that a single event has a scale. */
function spanOf(points: readonly TrajectoryPoint[]): Span {
	const [first, last] = [points[0], points.at(-1)]
	if (first === undefined || last === undefined) return {from: 0, to: 1000}
	const [from, to] = [timeOf(first), timeOf(last)]
	const air = Math.max(500, (to - from) * 0.02)
	return {from: from - air, to: to + air}
}

/** Events of one lane whose marks would touch. */
export interface Bead {
	x: number
	/** Positions in the lane, both inclusive. */
	first: number
	last: number
	/** The worst of them, the first among equals. */
	worst: TrajectoryPoint
}

/** Width of a mark in pixels; marks closer than 2 pixels are combined into one bead. */
const markSize = 10

/** Minimum distance in pixels from the start of a bead with this many events to the next: a count is wider than a mark. */
function reachOf(events: number) {
	if (events === 1) return markSize + 2
	return countWidth(events) + markSize / 2 + 2
}

export function countWidth(events: number) {
	return countText(events).length * 5.6 + 7
}

export function countText(events: number) {
	return events > 999 ? '999+' : String(events)
}

/** The beads of a lane within a span of `width` pixels; slightly beyond both ends, for cut marks. */
export function beadsOf({points, times}: LaneLayout, span: Span, width: number): readonly Bead[] {
	const scale = width / (span.to - span.from)
	const air = markSize / scale
	const beads: Bead[] = []
	const end = firstFrom(times, span.to + air)
	let at = firstFrom(times, span.from - air)
	while (at < end) {
		const start = (times[at] ?? 0) * scale
		let last = at
		while (last + 1 < end && (times[last + 1] ?? 0) * scale - start < reachOf(last - at + 1)) last += 1
		// A count begins where the mark of its first event would.
		const inner = last === at ? 0 : (countWidth(last - at + 1) - markSize) / 2
		beads.push({x: start - span.from * scale + inner, first: at, last, worst: worstOf(points, at, last)})
		at = last + 1
	}
	return beads
}

function worstOf(points: readonly TrajectoryPoint[], first: number, last: number) {
	let worst = points[first]
	for (let at = first + 1; at <= last; at += 1) {
		const point = points[at]
		if (point !== undefined && (worst === undefined || badness(point) > badness(worst))) worst = point
	}
	if (worst === undefined) throw new RangeError('no such event')
	return worst
}

/** Index of the first time not before `time`. */
export function firstFrom(times: Float64Array, time: number) {
	let [low, high] = [0, times.length]
	while (low < high) {
		const middle = (low + high) >> 1
		if ((times[middle] ?? 0) < time) low = middle + 1
		else high = middle
	}
	return low
}

/** Number of events and of bad ones in equal parts of the span. */
export function densityOf(layout: Layout, parts: number): readonly {all: number; bad: number}[] {
	const {from, to} = layout.span
	const bins = Array.from({length: parts}, () => ({all: 0, bad: 0}))
	for (const {points, times} of layout.lanes)
		points.forEach((point, at) => {
			const bin = bins[Math.min(parts - 1, Math.max(0, Math.floor((((times[at] ?? 0) - from) / (to - from)) * parts)))]
			if (bin === undefined) return
			bin.all += 1
			if (badness(point) > 1) bin.bad += 1
		})
	return bins
}
