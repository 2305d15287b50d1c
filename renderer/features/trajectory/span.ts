import type {AttackStory} from '#shared/attack-story.ts'
import type {TrajectoryPoint} from '#contract/insight.ts'
import {type Span, timeOf} from './layout.ts'

/** Shortest span in milliseconds: events are distinguished to the microsecond. */
const shortest = 0.05
const hour = 3_600_000

/** Zooms by `factor` (below 1: closer); the time at `share` of the width keeps its place. */
export function zoomed(span: Span, whole: Span, factor: number, share: number): Span {
	const length = Math.min(whole.to - whole.from, Math.max(shortest, (span.to - span.from) * factor))
	const fixed = span.from + (span.to - span.from) * share
	return within({from: fixed - length * share, to: fixed + length * (1 - share)}, whole)
}

export function panned(span: Span, whole: Span, share: number): Span {
	const by = (span.to - span.from) * share
	return within({from: span.from + by, to: span.to + by}, whole)
}

/** Moves the span as little as needed to show the time away from its edges. */
export function showing(span: Span, whole: Span, time: number) {
	const length = span.to - span.from
	const edge = length * 0.06
	if (time >= span.from + edge && time <= span.to - edge) return span
	const from = time < span.from + edge ? time - length * 0.25 : time - length * 0.75
	return within({from, to: from + length}, whole)
}

/** The event and the steps of its story beside it, each at most an hour from the next; with room, at least five minutes. */
export function around(points: readonly TrajectoryPoint[], story: AttackStory | null, index: number, whole: Span) {
	const times = story?.steps.map(({point}) => timeOf(point)) ?? []
	const point = points[index]
	if (point === undefined) return whole
	let [from, to] = [timeOf(point), timeOf(point)]
	for (const time of times) if (time > to && time <= to + hour) to = time
	for (const time of times.toReversed()) if (time < from && time >= from - hour) from = time
	const room = Math.max(300_000, (to - from) / 4)
	return within({from: from - room, to: to + room}, whole)
}

/** Two ends in any order, at least the shortest span. */
export function between(one: number, other: number, whole: Span): Span {
	const [from, to] = [Math.min(one, other), Math.max(one, other)]
	return within({from, to: Math.max(to, from + shortest)}, whole)
}

export function within(span: Span, whole: Span): Span {
	const length = Math.min(span.to - span.from, whole.to - whole.from)
	const from = Math.min(Math.max(span.from, whole.from), whole.to - length)
	return {from, to: from + length}
}
