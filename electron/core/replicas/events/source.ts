import type {EventType, ServiceEvent} from '#shared/model/event.ts'

import {getEvents, getEventTypes} from '#core/service/api/endpoints/events.ts'
import type {ApiClient} from '#core/service/api/types.ts'

/** Events of one page, newest first as the service gives them. */
export interface EventPage {
	readonly records: readonly ServiceEvent[]
	/** How many the page had, the ones that it had twice too. */
	readonly count: number
	readonly total: number | null
	readonly hasMore: boolean
	/** When it was asked for, in the service's time (Unix ms): what happened later may be missing. */
	readonly at: number
}

/** Where the store reads from. Both reject with `CordonError`. */
export interface EventSource {
	page(options: {readonly since: number; readonly offset: number; readonly signal: AbortSignal}): Promise<EventPage>
	types(signal: AbortSignal): Promise<readonly EventType[]>
}

/** The most that the service gives at once (API reference, "Pagination"). */
export const eventPageSize = 500

/** How long a reading waits for the budget; then it stays partial, and the next one goes on. */
const maxBudgetWaitMs = 60_000

/** The source that reads through one connection's client, and leaves the reserve of its budget alone. */
export function eventSource(client: ApiClient): EventSource {
	return {
		page: async ({since, offset, signal}) => {
			let count = 0
			const listing = await getEvents(
				client,
				{limit: eventPageSize, offset, start_date: startOf(since)},
				{signal, purpose: 'background', maxBudgetWaitMs, onPage: (_fresh, {page}) => (count += page.length)},
			)
			const {records, total, at, durationMs} = listing
			// A page of which a part could not be read is no page.
			if (listing.error !== null) throw listing.error
			const hasMore = total === null ? count >= eventPageSize : count > 0 && offset + count < total
			return {records, count, total, hasMore, at: Math.floor(at - durationMs - (client.clockSkewMs() ?? 0))}
		},
		types: async signal => {
			const {data} = await getEventTypes(client, {signal, purpose: 'background', maxBudgetWaitMs})
			return data
		},
	}
}

/** To the second, as the service counts. */
function startOf(ms: number): string {
	return new Date(Math.floor(ms / 1000) * 1000).toISOString()
}
