import {CordonError, reportError, type ErrorReport} from '#contract/errors.ts'
import type {Group} from '#model/group.ts'

import {walkComputers} from '#core/service/api/endpoints/computers.ts'
import type {PageReader} from '#core/service/api/endpoints/endpoint.ts'
import {getGroups} from '#core/service/api/endpoints/groups.ts'
import {askedAt} from '#core/service/api/pages.ts'
import type {ApiClient} from '#core/service/api/types.ts'
import type {ReadComputer} from './write-task.ts'

/** Times are Unix milliseconds. */
export interface InventoryPage {
	readonly offset: number
	/** What the writing thread keeps of it; `null` when it has no records. */
	readonly held: number | null
	/** As reported in this answer; `null` if absent. */
	readonly total: number | null
	/** When the request was sent: later changes may be missing. */
	readonly at: number
}

export interface ListingOutcome {
	/** Every record was read and the total did not change. */
	readonly complete: boolean
	readonly total: number | null
	/** Offsets of unread pages. */
	readonly missing: readonly number[]
	/** Why pages are missing. */
	readonly error: ErrorReport | null
}

/** `computers` rejects only when its signal aborts. */
export interface InventorySource {
	/** Reads the whole listing, or only the pages at `offsets`. At most four requests run; pages arrive in any order. */
	computers(options: {
		offsets?: readonly number[] | undefined
		onPage: (page: InventoryPage) => void
		/** Reads the bytes of a page. */
		read: PageReader<ReadComputer>
		/** Awaited before each request, so that pages do not arrive faster than the file takes them. */
		room: () => Promise<void>
		signal: AbortSignal
	}): Promise<ListingOutcome>
	/** Throws `CordonError` when the groups cannot be read. */
	groups(signal: AbortSignal): Promise<{groups: readonly Group[]; at: number}>
}

/** Reads through one connection's client. */
export function inventorySource(client: ApiClient): InventorySource {
	return {
		computers: async ({offsets, onPage, read, room, signal}) => {
			try {
				const {complete, total, missing, error} = await walkComputers(patient(client, room), {
					offsets,
					signal,
					purpose: 'background',
					read,
					onPage: (_fresh, {offset, page: [first], total, sentAt}) => onPage({offset, held: first?.held ?? null, total, at: sentAt})
				})
				return {complete, total, missing, error: error === null ? null : reportError(error)}
			} catch (error) {
				if (signal.aborted) throw error
				return {complete: false, total: null, missing: offsets ?? [], error: reportError(error)}
			}
		},
		groups: async signal => {
			const answer = await getGroups(client, {}, {all: true, signal, purpose: 'background'})
			const {records, complete, error} = answer
			if (!complete) throw error ?? new CordonError('incomplete', 'Some pages of the groups could not be read.')
			return {groups: records, at: askedAt(answer)}
		}
	}
}

function patient(client: ApiClient, room: () => Promise<void>): ApiClient {
	return {
		...client,
		call: async (request, options) => {
			await room()
			return client.call(request, options)
		}
	}
}
