import type {CordonError} from '#contract/errors.ts'

import type {Answered, CallOptions} from './types.ts'

/** The most records that the service gives in one page (API reference, "Pagination"). */
export const pageSize = 500

/** Of a listing whose total did not hold still. */
export const changedWhileRead = 'The list changed while loading and may be incomplete.'

/** When a reading was asked for, Unix milliseconds: what happened later may be missing in it. */
export function askedAt({at, durationMs}: Pick<Answered<unknown>, 'at' | 'durationMs'>) {
	return at - durationMs
}

/** How far a listing is, after a page arrived. */
export interface PageProgress<T> {
	/** Offset of the page that arrived. */
	readonly offset: number
	/** Every record of that page, also the ones that an earlier page had. */
	readonly page: readonly T[]
	/** {@link askedAt} */
	readonly sentAt: number
	readonly pagesRead: number
	/** `null` while the service has not told a total. */
	readonly pages: number | null
	readonly total: number | null
	/** Distinct records so far. */
	readonly records: number
}

export interface WalkOptions<T> extends CallOptions {
	/** Walk to the end instead of stopping at `limit` or at the service's default page. */
	all?: boolean | undefined
	/** No more records than this, whatever is asked for. */
	most?: number | undefined
	/** Read only these pages again: offsets that an earlier listing named as missing. */
	offsets?: readonly number[] | undefined
	/** With `false` the records go to `onPage` alone, and the listing holds none: 100,000 of them take 300 MB. Default: true. */
	keep?: boolean | undefined
	/** Called as pages arrive, in any order, with the records that no earlier call had. */
	onPage?: ((records: readonly T[], progress: PageProgress<T>) => void) | undefined
}

/** A listing as far as it could be read. The facts of the answer are those of its first page. */
export interface Listing<T> extends Pick<Answered<unknown>, 'status' | 'requestId' | 'durationMs' | 'at'> {
	/** Distinct records in the service's order. */
	readonly records: readonly T[]
	/** How many records match, as the service last told; `null` when it did not. */
	readonly total: number | null
	readonly pagesRead: number
	/** Records that are not as documented: each is marked (`shared/model/odd.ts`). */
	readonly odd: number
	/** Records without an id, which are not among `records`. */
	readonly unusable: number
	/** Offsets of the pages of 500 that could not be read; empty when none is missing. */
	readonly missing: readonly number[]
	/** Why the first of them could not be read. */
	readonly error: CordonError | null
	/**
	 * The end of the listing was seen, nothing is missing, and the total held still in the last reading.
	 * When only given `offsets` were read: none of them is missing.
	 */
	readonly complete: boolean
	/** The total changed during the walk, so that everything was read once more. */
	readonly reread: boolean
}

/** One page as the service gave it. */
export interface Page<T> extends Pick<Answered<unknown>, 'status' | 'requestId' | 'durationMs' | 'at'> {
	readonly records: readonly T[]
	/** Records that it had besides and that cannot be used: they have no id. */
	readonly unusable?: number
	readonly total: number | null
	readonly hasNext: boolean
}

/** Which part of a listing is wanted. */
export interface WalkPlan<T> {
	/** Exactly this many records if there are as many; `default`: what the service gives in one page; `all`: to the end. */
	readonly want: number | 'default' | 'all'
	readonly offset: number
	readonly offsets?: readonly number[] | undefined
	/** What makes a record the same on two pages. */
	readonly key: (record: T) => string
	readonly keep?: WalkOptions<T>['keep']
	readonly onPage?: WalkOptions<T>['onPage']
	readonly signal?: AbortSignal | undefined
}

/** Reads one page; `limit` is `undefined` when the service's default is wanted. */
export type ReadPage<T> = (offset: number, limit: number | undefined, signal: AbortSignal | undefined) => Promise<Page<T>>
