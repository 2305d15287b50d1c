import type {ServiceEvent} from '#model/event.ts'

import {getEvents, getEventTypes} from '#core/service/api/endpoints/events.ts'
import {askedAt} from '#core/service/api/pages.ts'
import type {ApiClient} from '#core/service/api/types.ts'

/** One page of events, newest first as from the service. */
export type EventPage = Readonly<{
	records: readonly ServiceEvent[]
	/** Number of records in the page, including duplicates. */
	count: number
	total: number | null
	hasMore: boolean
	/** Time of the request, by the service's clock (Unix ms): later events may be missing. */
	at: number
}>

/** The store's source. Both reject with `CordonError`. */
export type EventSource = ReturnType<typeof eventSource>

/** Maximum page size of the service (API reference, "Pagination"). */
export const eventPageSize = 500

/** How long a reading waits for the API limit; then it stays partial, and the next one continues. */
const maxQuotaWaitMs = 60_000

/** Reads through one connection's client, and does not use the release reserve. */
export function eventSource(client: ApiClient) {
	/** Milliseconds that this computer is ahead of the service, as far as an answer told. */
	const skewMs = () => client.clockSkewMs() ?? 0
	return {
		skewMs,
		page: async ({since, offset, signal}: {since: number; offset: number; signal: AbortSignal}) => {
			let count = 0
			const listing = await getEvents(
				client,
				{limit: eventPageSize, offset, start_date: startOf(since)},
				{signal, purpose: 'background', maxQuotaWaitMs, onPage: (_fresh, {page}) => (count += page.length)}
			)
			const {records, total} = listing
			// A partly readable page is not usable.
			if (listing.error !== null) throw listing.error
			const hasMore = total === null ? count >= eventPageSize : count > 0 && offset + count < total
			return {records, count, total, hasMore, at: askedAt(listing) - skewMs()}
		},
		types: async (signal: AbortSignal) => {
			const {data} = await getEventTypes(client, {signal, purpose: 'background', maxQuotaWaitMs})
			return data
		}
	}
}

/** To the second, the service's precision. */
function startOf(ms: number) {
	return new Date(Math.floor(ms / 1000) * 1000).toISOString()
}
