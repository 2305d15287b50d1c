import type {EventRow} from '#contract/events.ts'

import type {EventStore} from '#core/replicas/events/store.ts'
import type {DetectionFacts, EventFacts} from './types.ts'
import {namesShown} from './words.ts'
import type {DetectionOutcome} from '#model/event.ts'

export function eventFactsOf(store: Pick<EventStore, 'query' | 'state'>): EventFacts {
	const {readAt, newest, refreshCalls} = store.state()
	// After a failed read, the newest event tells how far the stored events go.
	return {readAt: readAt ?? newest, refreshCalls, failed: detectionsOf(store, 'failed')}
}

function detectionsOf(store: Pick<EventStore, 'query'>, outcome: DetectionOutcome): DetectionFacts {
	const query = {filter: `outcome:${outcome}`, from: null, to: null, grouping: 'detections'} as const
	const {rows, matching} = store.query({...query, offset: 0, limit: namesShown})
	const last = matching.count > 0 && matching.exact ? store.query({...query, offset: matching.count - 1, limit: 1}) : null
	return {count: matching.count, atLeast: !matching.exact, names: rows.map(nameOf), since: last?.rows[0]?.at ?? null}
}

function nameOf({detection, about, type, hostname}: EventRow) {
	const what = detection ?? about
	if (hostname === '') return what ?? type
	return what === null ? hostname : `${what} on ${hostname}`
}
