/** Several readings on one time axis: pure. A lane of another computer has its part number before its file. */
import type {Trajectory, TrajectoryLane, TrajectoryPoint} from '#contract/insight.ts'

export interface Part extends Pick<Trajectory, 'guid' | 'hostname' | 'query' | 'readAt' | 'cut'> {
	events: number
}

export interface Origin {
	part: Part
	/** `index` of the point in its own reading. */
	index: number
}

export interface Drawn extends Trajectory {
	/** The computer of the screen first. */
	parts: readonly Part[]
	originOf(index: number): Origin | undefined
}

/** The file of a lane, or `system` and `network`. */
export function fileOf(lane: string) {
	const at = lane.indexOf(':')
	return at < 0 ? lane : lane.slice(at + 1)
}

export function partOf(lane: string) {
	const at = lane.indexOf(':')
	return at < 0 ? 0 : Number(lane.slice(0, at))
}

/** Lanes without a file contain various things. */
export function isFile(lane: string) {
	return fileOf(lane).length === 64
}

export function merged(first: Trajectory, others: readonly Trajectory[]): Drawn {
	const readings = [first, ...others]
	const parts = readings.map(partFor)
	if (others.length === 0) return {...first, parts, originOf: index => origin(parts, 0, index)}
	const all = readings
		.flatMap((reading, part) => reading.points.map(point => ({part, point})))
		.toSorted((one, other) => inTime(one.point, other.point))
	return {
		...first,
		cut: readings.some(({cut}) => cut),
		oldest: all[0]?.point.at ?? null,
		lanes: readings.flatMap(({lanes}, part) => lanes.map(lane => laneIn(part, lane))),
		points: all.map(({part, point}, index) => pointIn(part, point, index)),
		unknown: readings.flatMap(({unknown}) => unknown),
		parts,
		originOf: index => {
			const found = all[index]
			return found && origin(parts, found.part, found.point.index)
		}
	}
}

export function partFor({guid, hostname, query, readAt, cut, points}: Trajectory): Part {
	return {guid, hostname, query, readAt, cut, events: points.length}
}

function origin(parts: readonly Part[], number: number, index: number): Origin | undefined {
	const part = parts[number]
	return part && {part, index}
}

/** Equal formats: text order is time order. */
function inTime(one: TrajectoryPoint, other: TrajectoryPoint) {
	if (one.at !== other.at) return one.at < other.at ? -1 : 1
	return one.nanoseconds - other.nanoseconds
}

function laneIn(part: number, lane: TrajectoryLane): TrajectoryLane {
	return {...lane, id: idIn(part, lane.id)}
}

function pointIn(part: number, point: TrajectoryPoint, index: number): TrajectoryPoint {
	const parent = point.parent === null ? null : idIn(part, point.parent)
	return {...point, index, lane: idIn(part, point.lane), parent}
}

/** Lanes of the screen's computer keep their names. */
function idIn(part: number, id: string) {
	return part === 0 ? id : `${part}:${id}`
}
