import {CordonError, reportError, type ErrorReport} from '#contract/errors.ts'
import type {FileListFiles, FileListItem} from '#model/file-list.ts'

import {getFileListFiles, getFileLists} from '#core/service/api/endpoints/file-lists.ts'
import {getGroup, getGroups} from '#core/service/api/endpoints/groups.ts'
import {getPolicies, getPolicy, getPolicyXml} from '#core/service/api/endpoints/policies.ts'
import {askedAt, changedWhileRead, type Listing, type PageProgress, type WalkOptions} from '#core/service/api/pages.ts'
import type {Answered, ApiClient, CallOptions} from '#core/service/api/types.ts'

export const families = ['groups', 'policies', 'application_blocking', 'simple_custom_detections'] as const
export type Family = (typeof families)[number]

/** As checked by the endpoint. */
export interface Brief {
	readonly guid: string
	readonly name: string
}

/** `at`: when the page was requested, Unix milliseconds. */
export interface Records<T> {
	readonly records: readonly T[]
	readonly at: number
	readonly total: number | null
}

interface Outcome {
	complete: boolean
	total: number | null
	error: ErrorReport | null
}

interface Timed<T> {
	data: T
	at: number
}

export type ListHead = Omit<FileListFiles, 'items'> & {total: number | null}

/** Where the directory reads from. `listing` and `items` reject only when stopped; the others throw `CordonError`. */
export type DirectorySource = ReturnType<typeof directorySource>

/** How long reading waits for the quota: what has not been read yet can be read later, and an hour tells nobody anything. */
const maxQuotaWaitMs = 60_000

/** The source that reads through one connection's client. */
export function directorySource(client: ApiClient) {
	const how = (signal: AbortSignal): CallOptions => ({signal, purpose: 'background', maxQuotaWaitMs})
	const readers = readersOf(client)
	return {
		listing: (family: Family, onPage: (page: Records<Brief>) => void, signal: AbortSignal) =>
			outcomeOf(signal, () => readers[family]({...how(signal), all: true, keep: false, onPage: pageTo(onPage)})),
		group: async (guid: string, signal: AbortSignal) => timed(await getGroup(client, {group_guid: guid}, how(signal))),
		policy: async (guid: string, signal: AbortSignal) => timed(await getPolicy(client, {policy_guid: guid}, how(signal))),
		list: async (guid: string, signal: AbortSignal) => {
			const listing = await getFileListFiles(client, {file_list_guid: guid, limit: 1}, how(signal))
			if (listing.list === null) throw listing.error ?? new CordonError('incomplete')
			return timed({...listing, data: {...listing.list, total: listing.total}})
		},
		/** `head` is what the answers said of the list itself; `gone`: the service has no such list. */
		items: async (guid: string, onPage: (page: Records<FileListItem>) => void, signal: AbortSignal) => {
			let head: Omit<FileListFiles, 'items'> | null = null
			const outcome = await outcomeOf(signal, async () => {
				const walk: WalkOptions<FileListItem> = {...how(signal), all: true, keep: false, onPage: pageTo(onPage)}
				const listing = await getFileListFiles(client, {file_list_guid: guid}, walk)
				head = listing.list
				return listing
			})
			return {...outcome, head, gone: outcome.error?.code === 'not_found'}
		},
		xml: async (guid: string, signal: AbortSignal) => (await getPolicyXml(client, {policy_guid: guid}, {signal})).data,
		/** Calls that may still be made in this window without touching the reserve; `null` while nothing is known of it. */
		room: () => {
			const quota = client.quota()
			return quota === null ? null : Math.max(0, quota.remaining - quota.reserve)
		}
	}
}

type Reader = (walk: WalkOptions<Brief>) => Promise<Listing<Brief>>

function readersOf(client: ApiClient): Readonly<Record<Family, Reader>> {
	return {
		groups: walk => getGroups(client, {}, walk),
		policies: walk => getPolicies(client, {}, walk),
		application_blocking: walk => getFileLists(client, 'application_blocking', {}, walk),
		simple_custom_detections: walk => getFileLists(client, 'simple_custom_detections', {}, walk)
	}
}

function pageTo<T>(take: (page: Records<T>) => void): (fresh: readonly T[], progress: PageProgress<T>) => void {
	return (_fresh, {page, sentAt, total}) => take({records: page, at: sentAt, total})
}

async function outcomeOf(signal: AbortSignal, read: () => Promise<Listing<unknown>>): Promise<Outcome> {
	try {
		const {complete, total, error} = await read()
		if (complete) return {complete, total, error: null}
		return {complete, total, error: reportError(error ?? new CordonError('incomplete', changedWhileRead))}
	} catch (error) {
		if (signal.aborted || !(error instanceof CordonError)) throw error
		return {complete: false, total: null, error: reportError(error)}
	}
}

function timed<T>(answer: Pick<Answered<T>, 'data' | 'at' | 'durationMs'>): Timed<T> {
	return {data: answer.data, at: askedAt(answer)}
}
