import {CordonError} from '#shared/contract/errors.ts'

import type {Listing, ReadPage, WalkPlan} from './pages.ts'
import {walkOnce, wantOf, type Pass} from './walk.ts'

/**
 * Reads a listing: the first page tells the total, the rest follows by offset, at most four pages at once.
 * A page that cannot be read is named in `missing` and the others are kept; it rejects when nothing at all could be
 * read or when the signal says so. When records moved during a walk to the end, everything is read once more.
 */
export async function walkPages<T>(read: ReadPage<T>, plan: WalkPlan<T>): Promise<Listing<T>> {
	const emitted = new Set<string>()
	const first = await walkOnce(read, plan, emitted)
	if (plan.offsets !== undefined) return listingOf(first, first.missing.length === 0, false)
	if (first.steady || !first.ended || first.missing.length > 0) return listingOf(first, whole(first), false)
	const second = await readAgain(read, plan, emitted)
	if (second === undefined) return listingOf(first, false, false)
	// Twice the same number: what looked like movement are records that the service lists twice.
	const calm = whole(second) || (second.ended && second.missing.length === 0 && sameSize(first, second))
	return listingOf(calm ? second : united(first, second, plan), calm, true)
}

/** `undefined` when it fails: what the first reading brought is worth more than that. */
async function readAgain<T>(read: ReadPage<T>, plan: WalkPlan<T>, emitted: Set<string>): Promise<Pass<T> | undefined> {
	try {
		return await walkOnce(read, plan, emitted)
	} catch (error) {
		if (plan.signal?.aborted === true || !(error instanceof CordonError)) throw error
		return undefined
	}
}

function whole(pass: Pass<unknown>): boolean {
	return pass.ended && pass.steady && pass.missing.length === 0
}

function sameSize(first: Pass<unknown>, second: Pass<unknown>): boolean {
	const still = !first.totalChanged && !second.totalChanged && first.total === second.total
	return still && first.size === second.size
}

/** Nobody knows which of the two readings is right, so nothing of either is lost. */
function united<T>(first: Pass<T>, second: Pass<T>, plan: WalkPlan<T>): Pass<T> {
	const known = new Set(second.records.map(plan.key))
	const rest = first.records.filter(record => !known.has(plan.key(record)))
	return {...second, records: [...second.records, ...rest].slice(0, wantOf(plan))}
}

function listingOf<T>(pass: Pass<T>, complete: boolean, reread: boolean): Listing<T> {
	const {ended: _ended, size: _size, steady: _steady, totalChanged: _changed, ...listing} = pass
	return {...listing, complete, reread}
}
