import type {EventSpan} from '#model/choices.ts'
import type {EventsSearch} from './search.ts'

const dayMs = 86_400_000

interface SpanSpec {
	title: string
	/** In words, as in "no event of …". */
	words: string
	/** `null`: from the oldest stored event on. */
	ms: number | null
	steps: number
}

export const spanSpecs: Readonly<Record<EventSpan, SpanSpec>> = {
	'24h': {title: '24 h', words: 'the last 24 hours', ms: dayMs, steps: 96},
	'7d': {title: '7 d', words: 'the last 7 days', ms: 7 * dayMs, steps: 84},
	'30d': {title: '30 d', words: 'the last 30 days', ms: 30 * dayMs, steps: 120},
	all: {title: 'All', words: 'all stored time', ms: null, steps: 120}
}

/** The span of the address; without one the shortest that contains the selected time, or all. */
export function spanOf(search: Pick<EventsSearch, 'span' | 'from'>, now: number): EventSpan {
	if (search.span !== undefined) return search.span
	const age = now - Date.parse(search.from ?? '')
	if (age <= dayMs) return '24h'
	return age <= 7 * dayMs ? '7d' : age <= 30 * dayMs ? '30d' : 'all'
}

/** Start and end of a span (Unix ms), in whole steps, so that the query does not change each second. */
export function endOf(span: EventSpan, now: number) {
	const {ms, steps} = spanSpecs[span]
	const stepMs = ms === null ? 60_000 : ms / steps
	return Math.ceil(now / stepMs) * stepMs
}

export interface Times {
	from: string | null
	to: string | null
}

/** The period of the chart; `null` ends are open. */
export function picturedTimes(span: EventSpan, end: number): Times {
	const {ms} = spanSpecs[span]
	return ms === null ? {from: null, to: null} : {from: new Date(end - ms).toISOString(), to: new Date(end).toISOString()}
}

/** The period of the rows: the selected time, or the span without an end. */
export function shownTimes(search: EventsSearch, span: EventSpan, end: number): Times {
	if (search.from !== undefined || search.to !== undefined) return {from: search.from ?? null, to: search.to ?? null}
	return {from: picturedTimes(span, end).from, to: null}
}
