/** Sparkline data from an event histogram. */
import type {EventHistogram} from '#contract/events.ts'
import {eventSeverities} from '#model/event.ts'

export type Spark = ReturnType<typeof sparkOf>

/** All severities combined. */
export function sparkOf({counts, from, stepMs, exact, gaps}: EventHistogram) {
	const start = Date.parse(from)
	const steps = counts[eventSeverities[0]].map((_, step) => eventSeverities.reduce((sum, severity) => sum + (counts[severity][step] ?? 0), 0))
	const isUnread = (step: number) => {
		const begin = start + step * stepMs
		return gaps.some(gap => Date.parse(gap.from) <= begin && Date.parse(gap.to) >= begin + stepMs)
	}
	return {
		/** One number per step; `null` for a time not loaded. */
		counts: steps.map((count, step) => (count === 0 && isUnread(step) ? null : count)),
		total: steps.reduce((sum, count) => sum + count, 0),
		/** The count is incomplete, or part of the time is not loaded. */
		isPart: !exact || gaps.length > 0
	}
}
