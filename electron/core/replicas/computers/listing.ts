import {CordonError, reportError, hasCode} from '#contract/errors.ts'

import type {Clock} from '#base/ports.ts'
import {changedWhileRead} from '#core/service/api/pages.ts'
import type {Database} from '#core/store/database.ts'
import {ownIdentity} from '#core/store/process-identity.ts'
import {interrupted, readSettled, writeListing, type ListingState} from './listing-state.ts'
import type {InventoryPage, InventorySource, ListingOutcome} from './source.ts'
import type {WriteThread} from './write-thread.ts'

export interface ListingDependencies {
	database: Database
	clock: Clock
	source: InventorySource
	thread: WriteThread
	/** Awaited before each page is asked for. */
	room: () => Promise<void>
	/** Called after rows or the state changed. */
	onProgress: (listing: ListingState) => void
}

/**
 * Reads the listing of computers, whole or only its missing pages, and the groups. What arrives is written at once and kept,
 * whatever comes later. Resolves with how it ended; rejects only when the local file cannot be written.
 */
export async function readWholeListing(deps: ListingDependencies, signal: AbortSignal): Promise<ListingState> {
	const before = readSettled(deps.database)
	const startedAt = deps.clock.now()
	const readAt = (before.readAt ?? 0) > startedAt ? null : before.readAt
	const begun = begin(deps, {...before, total: null, arrived: [], startedAt, readAt})
	const after = await walk(deps, begun, undefined, signal)
	// Stopped before anything was read: nothing happened.
	return signal.aborted && after.arrived.length === 0 ? end(deps, before, null) : after
}

/** Reads what the last listing could not; everything, when that is not known or the service's total has changed since. */
export async function readMissingPages(deps: ListingDependencies, signal: AbortSignal): Promise<ListingState> {
	const before = readSettled(deps.database)
	if (before.phase === 'complete') return before
	if (before.missing.length === 0) return readWholeListing(deps, signal)
	const after = await walk(deps, begin(deps, before), before.missing, signal)
	const unsure = after.phase === 'partial' && after.missing.length === 0 && !signal.aborted
	return unsure ? readWholeListing(deps, signal) : after
}

function begin(deps: ListingDependencies, listing: ListingState) {
	const begun: ListingState = {...listing, phase: 'loading', owner: ownIdentity(), missing: [], error: null}
	deps.database.transaction(() => writeListing(deps.database, begun))
	deps.onProgress(begun)
	return begun
}

/** `whole`: when the listing began, if it is complete. */
async function end({thread, clock, onProgress}: ListingDependencies, listing: ListingState, startedAt: number | null) {
	const whole = startedAt === null ? null : {startedAt, at: lastOf(listing, clock)}
	await thread.write({kind: 'end', listing, whole})
	onProgress(listing)
	return listing
}

/** No row of the listing is newer, even if the clock was set back meanwhile. */
function lastOf({startedAt, readAt}: ListingState, clock: Clock) {
	return Math.max(clock.now(), startedAt, readAt ?? 0)
}

async function walk(deps: ListingDependencies, begun: ListingState, offsets: readonly number[] | undefined, signal: AbortSignal) {
	const intake = makeIntake(deps, begun, signal)
	const groups = readGroups(deps, intake.signal)
	const {room} = deps
	const {take: onPage, read, signal: until} = intake
	const outcome = await endOf(deps.source.computers({offsets, onPage, read, room, signal: until}))
	const groupsError = await groups
	const arrived = await intake.end()
	if (!('total' in outcome)) return end(deps, interrupted(arrived, outcome), null)
	const ended = conclude(deps, begun, arrived, outcome)
	const startedAt = ended.phase === 'complete' ? begun.startedAt : null
	return end(deps, {...ended, error: ended.error ?? groupsError}, startedAt)
}

/** A source rejects only when it was stopped; the reason becomes the listing's error. */
async function endOf(listing: Promise<ListingOutcome>) {
	try {
		return await listing
	} catch (error) {
		return reportError(error)
	}
}

/** Only a complete listing tells that a computer is gone. */
function conclude(deps: ListingDependencies, begun: ListingState, arrived: ListingState, outcome: ListingOutcome): ListingState {
	const now = deps.clock.now()
	if (isWhole(deps.database, begun, outcome, lastOf(arrived, deps.clock))) {
		return {...arrived, phase: 'complete', missing: [], completeAt: now, total: outcome.total, error: null}
	}
	const error = outcome.error ?? reportError(new CordonError('incomplete', changedWhileRead))
	if (arrived.arrived.length === 0) return {...arrived, phase: 'failed', missing: [], error}
	return {...arrived, phase: 'partial', missing: outcome.missing, error}
}

/** After missing pages were read, the sum counts: as many computers since the listing began as the service has. */
function isWhole(database: Database, begun: ListingState, outcome: ListingOutcome, last: number) {
	if (outcome.complete) return true
	if (begun.total === null || outcome.missing.length > 0 || outcome.total !== begun.total) return false
	const sql = 'SELECT count(*) AS n FROM computer JOIN reading USING (id) WHERE read_at BETWEEN ? AND ? AND vanished_at IS NULL'
	return (database.get<{n: number}>(sql, begun.startedAt, last)?.n ?? 0) >= begun.total
}

/** Resolves with what kept the groups from being read, or `null`. */
async function readGroups(deps: ListingDependencies, signal: AbortSignal) {
	try {
		const {groups, at} = await deps.source.groups(signal)
		await deps.thread.write({kind: 'groups', groups, at})
		return null
	} catch (error) {
		return reportError(error)
	}
}

/** Hands pages over to the writing thread; what it has written is what arrived. */
function makeIntake(deps: ListingDependencies, begun: ListingState, signal: AbortSignal) {
	const broken = new AbortController()
	let taken = begun
	let written = begun
	let failure: {error: unknown} | undefined
	let work = Promise.resolve()

	const write = async (page: InventoryPage, listing: ListingState) => {
		try {
			// By a clock that was set back, or rounded, it may look older, and its rows gone at the end.
			const at = Math.max(page.at, begun.startedAt)
			await deps.thread.write({kind: 'page', held: page.held, at, listing})
			written = listing
			deps.onProgress(listing)
		} catch (error) {
			fail(error)
		}
	}
	const fail = (error: unknown) => {
		failure ??= {error}
		broken.abort(error)
	}
	return {
		read: async (bytes: Uint8Array, encoding: string) => {
			try {
				return await deps.thread.read(bytes, encoding)
			} catch (error) {
				// Not the page is at fault, but the file.
				if (hasCode(error, 'storage')) fail(error)
				throw error
			}
		},
		/** Aborted by the caller, or when a page cannot be written. */
		signal: AbortSignal.any([signal, broken.signal]),
		take: (page: InventoryPage) => {
			if (failure !== undefined) return
			taken = withPage(taken, page)
			const own = write(page, taken)
			work = work.then(() => own)
		},
		/** Resolves when every page that was taken is written; rejects with what kept one from being written. */
		end: async () => {
			await work
			if (failure !== undefined) throw failure.error
			return written
		}
	}
}

function withPage(listing: ListingState, page: InventoryPage): ListingState {
	const arrived = [...new Set([...listing.arrived, page.offset])]
	const readAt = Math.max(listing.readAt ?? 0, page.at)
	return {...listing, arrived, readAt, total: page.total ?? listing.total}
}
