import type {EventStoreState} from '#contract/events.ts'
import {counted} from '#text/numbers.ts'
import {nouns} from '#text/terms.ts'

const dayMs = 86_400_000
const eventsOfCall = 500

/** Cost of the next load, such as `about 2 calls`. */
export function callsOf(state: Pick<EventStoreState, 'refreshCalls' | 'phase'> | undefined) {
	const calls = state?.refreshCalls ?? null
	if (calls === null) return 'cost unknown'
	return `${state?.phase === 'empty' ? 'up to' : 'about'} ${counted(calls, nouns.call)}`
}

export function isReading(state: EventStoreState | undefined, isRefreshing: boolean) {
	return isRefreshing || state?.phase === 'loading'
}

/** Cost of loading all missing days, estimated from other days; `null` without gaps. */
export function missingCalls({gaps, keptDays, stored}: EventStoreState) {
	const missingMs = gaps.reduce((sum, {from, to}) => sum + Date.parse(to) - Date.parse(from), 0)
	const readMs = keptDays * dayMs - missingMs
	if (missingMs <= 0 || readMs <= 0) return null
	return Math.max(1, Math.ceil((stored * missingMs) / readMs / eventsOfCall))
}
