import type {Trajectory, TrajectoryPoint} from '#contract/insight.ts'
import {counted, formatCount} from '#text/numbers.ts'
import {nouns} from '#text/terms.ts'

import {formatExact, type TimeZone} from '#ui/time.ts'
import {timeOf, type Layout, type Span} from './layout.ts'
import {dispositionLooks, shapeLooks} from './looks.ts'

export function extentOf({points, oldest, cut}: Trajectory, zone: TimeZone) {
	const count = `${counted(points.length, nouns.event)}`
	const from = oldest === null ? '' : `, from ${formatExact(oldest, zone)}`
	return cut ? `The newest ${count}${from}. Older ones are not given by the service.` : `${count}${from}.`
}

/** Events drawn as system information because their type is unknown; `null` without any. */
export function unknownOf({unknown}: Pick<Trajectory, 'unknown'>) {
	const total = unknown.reduce((sum, {count}) => sum + count, 0)
	if (total === 0) return null
	const types = unknown.map(({type, count}) => `${type} (${count})`).join(', ')
	return `${counted(total, ['event is', 'events are'])} of a type that is not known here: ${types}.`
}

export function describePoint(point: TrajectoryPoint, lane: string, zone: TimeZone) {
	const {disposition, shape} = point
	const held = disposition === 'none' ? '' : `, ${dispositionLooks[disposition].word}`
	return `${formatExact(point.at, zone)}, ${lane}, ${shapeLooks[shape].word}${held}: ${point.text}`
}

/** A time span in words; local times include the UTC offset, so that they are understood elsewhere. */
export function spanWords({from, to}: Span, zone: TimeZone) {
	const [first, last] = [new Date(from).toISOString(), new Date(to).toISOString()]
	const offset = zone === 'utc' ? '' : ` (${offsetWords(from)})`
	return `${formatExact(first, zone)} to ${formatExact(last, zone)}${offset}`
}

/** `UTC+01:00`: this computer's offset at that time. */
function offsetWords(time: number) {
	const minutes = -new Date(time).getTimezoneOffset()
	const pad = (value: number) => String(value).padStart(2, '0')
	return `UTC${minutes < 0 ? '-' : '+'}${pad(Math.floor(Math.abs(minutes) / 60))}:${pad(Math.abs(minutes) % 60)}`
}

export function shownWords(layout: Layout, {from, to}: Span, zone: TimeZone) {
	const inside = layout.points.filter(point => timeOf(point) >= from && timeOf(point) <= to).length
	const all = layout.points.length
	const count = inside === all ? `All ${formatCount(all)} events` : `${formatCount(inside)} of ${formatCount(all)} events`
	return `${count}, ${spanWords({from, to}, zone)}`
}
