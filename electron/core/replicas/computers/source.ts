import {CordonError, reportError, type ErrorReport} from '#shared/contract/errors.ts'
import type {Computer} from '#shared/model/computer.ts'
import type {Group} from '#shared/model/group.ts'

import {getComputers} from '#core/service/api/endpoints/computers.ts'
import {getGroups} from '#core/service/api/endpoints/groups.ts'
import type {ApiClient} from '#core/service/api/types.ts'

/** One page of the listing of computers. Times are Unix milliseconds. */
export interface InventoryPage {
	readonly offset: number
	readonly records: readonly Computer[]
	/** As the service reported in this answer; `null` when it did not. */
	readonly total: number | null
	/** When the request was sent: what happened later may be missing in it. */
	readonly at: number
}

export interface ListingOutcome {
	/** Every record of an unchanged total was read. */
	readonly complete: boolean
	readonly total: number | null
	/** Offsets of the pages that could not be read. */
	readonly missing: readonly number[]
	/** Why, when something is missing. */
	readonly error: ErrorReport | null
}

/** Where the inventory reads from. `computers` rejects only when stopped by the signal. */
export interface InventorySource {
	/** Walks the listing, or only the pages at `offsets`; pages arrive in any order, at most four are under way. */
	computers(options: {
		readonly offsets?: readonly number[] | undefined
		readonly onPage: (page: InventoryPage) => void
		/** Awaited before each page is asked for, so that no more arrives than can be written. */
		readonly room: () => Promise<void>
		readonly signal: AbortSignal
	}): Promise<ListingOutcome>
	/** All groups; throws `CordonError` when they cannot be read. */
	groups(signal: AbortSignal): Promise<{readonly groups: readonly Group[]; readonly at: number}>
}

/** The source that reads through one connection's client. */
export function inventorySource(client: ApiClient): InventorySource {
	return {
		computers: async ({offsets, onPage, room, signal}) => {
			try {
				const {complete, total, missing, error} = await getComputers(
					patient(client, room),
					{},
					{
						all: true,
						keep: false,
						offsets,
						signal,
						purpose: 'background',
						onPage: (_fresh, {offset, page, total, sentAt}) => onPage({offset, records: page, total, at: sentAt}),
					},
				)
				return {complete, total, missing, error: error === null ? null : reportError(error)}
			} catch (error) {
				if (signal.aborted) throw error
				return {complete: false, total: null, missing: offsets ?? [], error: reportError(error)}
			}
		},
		groups: async signal => {
			const {records, complete, error, at, durationMs} = await getGroups(client, {}, {all: true, signal, purpose: 'background'})
			if (!complete) throw error ?? new CordonError('incomplete', 'Some pages of the groups could not be read.')
			return {groups: records, at: Math.floor(at - durationMs)}
		},
	}
}

function patient(client: ApiClient, room: () => Promise<void>): ApiClient {
	return {
		...client,
		call: async (request, options) => {
			await room()
			return client.call(request, options)
		},
	}
}
