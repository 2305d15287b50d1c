import type {ErrorReport} from '#contract/errors.ts'
import type {InventoryPhase, InventoryState} from '#model/frame.ts'

import type {Database} from '#core/store/database.ts'
import {isAlive, ownIdentity, type ProcessIdentity} from '#core/store/process-identity.ts'
import {isoOf} from './columns.ts'

/** Records in one page of the listing (API reference, "Pagination"). */
const pageSize = 500

/** The last listing as it is kept in the file. Times are Unix milliseconds. */
export type ListingState = Readonly<{
	phase: InventoryPhase
	startedAt: number
	/** The process that reads or read it. */
	owner: ProcessIdentity | null
	total: number | null
	/** Offsets of the pages that arrived. */
	arrived: readonly number[]
	missing: readonly number[]
	completeAt: number | null
	readAt: number | null
	error: ErrorReport | null
}>

export const noListing: ListingState = {
	phase: 'empty',
	startedAt: 0,
	owner: null,
	total: null,
	arrived: [],
	missing: [],
	completeAt: null,
	readAt: null,
	error: null
}

function readListing(database: Database) {
	const text = database.get<{value: string}>("SELECT value FROM meta WHERE key = 'listing'")?.value
	// Written by `writeListing`.
	return text === undefined ? noListing : (JSON.parse(text) as ListingState)
}

export function writeListing(database: Database, listing: ListingState) {
	database.run("INSERT OR REPLACE INTO meta VALUES ('listing', ?)", JSON.stringify(listing))
}

/** A listing that stopped before its end: what it did not reach is missing. */
export function interrupted(listing: ListingState, error: ErrorReport | null): ListingState {
	if (listing.arrived.length > 0) return {...listing, phase: 'partial', missing: offsetsWithout(listing), error}
	if (error !== null) return {...listing, phase: 'failed', missing: [], error}
	return {...listing, phase: listing.completeAt === null ? 'empty' : 'partial', missing: [], error}
}

function offsetsWithout({total, arrived}: ListingState) {
	const read = new Set(arrived)
	return Array.from({length: pagesOf(total) ?? 0}, (_, page) => page * pageSize).filter(offset => !read.has(offset))
}

function pagesOf(total: number | null) {
	return total === null ? null : Math.max(1, Math.ceil(total / pageSize))
}

/** The last listing as it is when this process reads none: one whose process ended in the middle was interrupted. */
export function readSettled(database: Database): ListingState {
	const listing = readListing(database)
	if (listing.phase !== 'loading') return listing
	const goesOn = listing.owner !== null && listing.owner.pid !== ownIdentity().pid && isAlive(listing.owner)
	return goesOn ? listing : interrupted(listing, null)
}

export function stateOf(listing: ListingState, rows: number, revision: number): InventoryState {
	return {
		phase: listing.phase,
		revision,
		rows,
		total: listing.total,
		pagesRead: listing.arrived.length,
		pages: pagesOf(listing.total),
		completeAt: isoOf(listing.completeAt),
		readAt: isoOf(listing.readAt),
		missing: listing.missing,
		error: listing.error
	}
}
