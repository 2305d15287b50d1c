import {aborted} from '#base/due.ts'
import type {Clock} from '#base/ports.ts'
import {CordonError} from '#contract/errors.ts'
import type {QuotaState} from '#model/frame.ts'
import {isFromFuture, mergeQuota, observeQuota} from './quota-record.ts'
import {abortError} from './failure.ts'
import type {QuotaLedger, QuotaRecord, Purpose} from './types.ts'

/** Calls that got no answer, and answers on their way: fewer than this are no proof of anybody else. */
const leastNoticed = 10
/** The service counts by the hour (API reference, "Rate limit"). */
const windowMs = 3_600_000

/** What the answers cannot be explained by: calls of this window that no process on this profile made. Pure. */
export function othersOf(record: QuotaRecord, own: number | null, inFlight: number): QuotaState['others'] {
	if (own === null) return null
	const used = record.limit - record.remaining - own - inFlight
	if (used < leastNoticed) return null
	return {calls: used, since: new Date(record.resetAt - windowMs).toISOString()}
}

interface Entry {
	purpose: Purpose
	signal: AbortSignal | undefined
	/** How long this entry may wait at most. */
	maxWaitMs: number
	/** Told whenever it has to wait for the window to end. */
	onWait: (untilMs: number) => void
}

/** Called exactly once, when the call is over. */
export interface Pass {
	readonly waitedMs: number
	leave(): void
}

/** The gate that every call passes. */
export type Quota = ReturnType<typeof createQuota>

/**
 * Calls kept back for releases and stops: 5 % of the limit, rounded down, at most 150.
 * The service's 3,000 give 150; a test quota of 20 gives 1, and one below 20 none, so that it can be used at all.
 */
export function reserveOf(limit: number) {
	return Math.min(150, Math.floor(limit * 0.05))
}

/** Calls that programs and assistants leave to people, the reserve among them: a quarter of the limit. */
function peopleShareOf(limit: number) {
	return Math.floor(limit / 4)
}

/** Why a call may not go out yet; `until` is `null` while only calls under way stand in front of it. */
interface Block {
	until: number | null
	/** Only what jobs have set aside stands in front of it: they may give it back at any time, in any process. */
	isSetAside?: boolean
}

/** How often to look whether jobs have given something back: nobody tells. */
const lookAgainMs = 2000

interface Waiter {
	until: number | null
	wake: () => void
}

interface Services {
	clock: Clock
	ledger: QuotaLedger
	changed: () => void
}

export function createQuota({clock, ledger, changed}: Services) {
	const known = createKnown({clock, ledger})
	const waiters = createWaiters({clock, changed})
	let inFlight = 0
	/** When the service wanted no more calls, and until when; measured, for the clock may be set. */
	let refused = {at: -Infinity, until: -Infinity}

	/** What this purpose leaves alone: all but releases the reserve, and background reading also what jobs have set aside. */
	const keptFrom = (purpose: Purpose, limit: number) => {
		if (purpose === 'release') return 0
		if (purpose === 'program') return peopleShareOf(limit)
		return reserveOf(limit) + (purpose === 'background' ? known.reserved() : 0)
	}
	const blockOf = (purpose: Purpose): Block | null => {
		const record = known.current()
		if (record === null) return null
		const reserve = keptFrom(purpose, record.limit)
		// A window that nobody has seen yet: as many calls go out as fit into it, and always one that asks.
		if (clock.now() >= record.resetAt) return inFlight === 0 || record.limit - reserve > inFlight ? null : {until: null}
		if (record.remaining - reserve <= 0) return {until: record.resetAt, isSetAside: record.remaining > reserveOf(record.limit)}
		return record.remaining - reserve > inFlight ? null : {until: null}
	}
	const admit = (waitedMs: number): Pass => {
		let inside = true
		inFlight += 1
		const leave = () => {
			if (!inside) return
			inside = false
			inFlight -= 1
			waiters.wakeAll()
		}
		return {waitedMs, leave}
	}
	const keep = (record: QuotaRecord, counted: boolean) => {
		known.keep(record, counted)
		waiters.wakeAll()
		changed()
	}
	return {
		/** Rejects with `rate_limited` when it would have to wait too long, or with the signal's reason. */
		enter: async ({purpose, signal, maxWaitMs, onWait}: Entry) => {
			const from = clock.monotonic()
			let told: number | null = null
			for (;;) {
				if (signal?.aborted === true) throw abortError(signal)
				const block = blockOf(purpose)
				const waitedMs = clock.monotonic() - from
				if (block === null) return admit(told === null ? 0 : waitedMs)
				if (block.until !== null) {
					if (waitedMs + block.until - clock.now() > maxWaitMs) throw leftOver(purpose, block.until)
					if (block.until !== told) onWait(block.until)
					told = block.until
				}
				await waiters.wait(block, signal)
			}
		},
		/** `counted`: the service counted the call that told this; a refusal it did not. `sentAt`: measured. */
		observe: (record: QuotaRecord, counted: boolean, sentAt: number) => {
			// What was under way when the service refused lifts no refusal.
			if (sentAt > refused.at || clock.monotonic() >= refused.until) keep(known.with(record), counted)
		},
		/** The service answered 429: nothing more goes out before `untilMs`. */
		refuse: (untilMs: number) => {
			const [now, at] = [clock.now(), clock.monotonic()]
			refused = {at, until: at + untilMs - now}
			keep({limit: known.current()?.limit ?? 0, remaining: 0, resetAt: untilMs, observedAt: now}, false)
		},
		state: (): QuotaState | null => {
			const record = known.current()
			if (record === null) return null
			const ends = waiters.ends()
			return {
				limit: record.limit,
				remaining: record.remaining,
				resetAt: iso(record.resetAt),
				observedAt: iso(record.observedAt),
				reserve: reserveOf(record.limit),
				waitingUntil: ends.length === 0 ? null : iso(Math.max(...ends)),
				waiting: ends.length,
				reserved: known.reserved(),
				others: othersOf(record, known.ownOf(record), inFlight)
			}
		}
	}
}

/** What this process and the others know; a profile in trouble leaves what this one knows. */
function createKnown({clock, ledger}: Pick<Services, 'clock' | 'ledger'>) {
	let own: QuotaRecord | null = null
	const told = <T>(ask: () => T) => {
		try {
			return ask()
		} catch {
			return null
		}
	}
	return {
		current: () => {
			const shared = told(() => ledger.read())
			const record = mergeQuota(shared, own)
			// Written before the clock was set back: its end may be days away, and only an answer can tell the new one.
			return record !== null && isFromFuture(record, clock.now()) ? null : record
		},
		with: (record: QuotaRecord) => observeQuota(own, record),
		/** The answer that told this stands: a full disk must not turn a change that was carried out into a failure. */
		keep: (record: QuotaRecord, counted: boolean) => {
			own = record
			told(() => ledger.observe(record, counted))
		},
		reserved: () => told(() => ledger.reserved()) ?? 0,
		ownOf: ({resetAt}: QuotaRecord) => told(() => ledger.own(resetAt))
	}
}

function createWaiters({clock, changed}: Pick<Services, 'clock' | 'changed'>) {
	const waiters = new Set<Waiter>()
	return {
		wait: async (block: Block, signal: AbortSignal | undefined) => {
			const woken = new AbortController()
			const waiter: Waiter = {until: block.until, wake: () => woken.abort()}
			const either = signal === undefined ? woken.signal : AbortSignal.any([signal, woken.signal])
			waiters.add(waiter)
			changed()
			try {
				await (block.until === null ? aborted(either) : clock.sleep(pauseOf(block, block.until - clock.now()), either))
			} catch (error) {
				if (!either.aborted) throw error
			} finally {
				waiters.delete(waiter)
				changed()
			}
		},
		wakeAll: () => {
			for (const waiter of waiters) waiter.wake()
		},
		ends: () => [...waiters].flatMap(({until}) => until ?? [])
	}
}

function leftOver(purpose: Purpose, untilMs: number) {
	const error = rateLimited(untilMs)
	if (purpose !== 'program') return error
	const why = 'A quarter of the API limit is left to people, and programs have spent the rest.'
	return new CordonError('rate_limited', `${why} ${error.message.replace('API limit reached. ', '')}`, error.details)
}

/** `rate_limited` with the time at which the window ends. */
export function rateLimited(untilMs: number, details: {status?: number; requestId?: string} = {}) {
	const retryAt = iso(untilMs)
	return new CordonError('rate_limited', `API limit reached. Calls are available again at ${retryAt.slice(11, 19)} UTC.`, {...details, retryAt})
}

function pauseOf({isSetAside = false}: Block, leftMs: number) {
	return Math.max(0, isSetAside ? Math.min(leftMs, lookAgainMs) : leftMs)
}

function iso(ms: number) {
	return new Date(ms).toISOString()
}
