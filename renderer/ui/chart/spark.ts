/** What a sparkline shows of a picture of events over time. */
import {eventSeverities, type EventHistogram} from '#shared/contract/events.ts'

export interface Spark {
	/** One number a step; `null` where that time has not been loaded yet from the service. */
	readonly counts: readonly (number | null)[]
	readonly total: number
	/** Less was counted than there is, or part of the time has not been loaded yet. */
	readonly isPart: boolean
}

/** All severities together. */
export function sparkOf({counts, from, stepMs, exact, gaps}: EventHistogram): Spark {
	const start = Date.parse(from)
	const steps = counts[eventSeverities[0]].map((_, step) =>
		eventSeverities.reduce((sum, severity) => sum + (counts[severity][step] ?? 0), 0),
	)
	const isUnread = (step: number) => {
		const begin = start + step * stepMs
		return gaps.some(gap => Date.parse(gap.from) <= begin && Date.parse(gap.to) >= begin + stepMs)
	}
	return {
		counts: steps.map((count, step) => (count === 0 && isUnread(step) ? null : count)),
		total: steps.reduce((sum, count) => sum + count, 0),
		isPart: !exact || gaps.length > 0,
	}
}
