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
	readonly purpose: Purpose
	readonly signal: AbortSignal | undefined
	/** How long this entry may wait at most. */
	readonly maxWaitMs: number
	/** Told whenever it has to wait for the window to end. */
	readonly onWait: (untilMs: number) => void
}

/** Called exactly once, when the call is over. */
export interface Pass {
	readonly waitedMs: number
	leave(): void
}

/** The gate that every call passes. */
export interface Quota {
	/** Rejects with `rate_limited` when it would have to wait too long, or with the signal's reason. */
	enter(entry: Entry): Promise<Pass>
	/** `counted`: the service counted the call that told this; a refusal it did not. */
	observe(record: QuotaRecord, counted?: boolean): void
	/** The service answered 429: nothing more goes out before `untilMs`. */
	refuse(untilMs: number): void
	state(): QuotaState | null
}

/**
 * Calls kept back for releases and stops: 5 % of the limit, rounded down, at most 150.
 * The service's 3,000 give 150; a test quota of 20 gives 1, and one below 20 none, so that it can be used at all.
 */
export function reserveOf(limit: number): number {
	return Math.min(150, Math.floor(limit * 0.05))
}

/** Calls that programs and assistants leave to people, the reserve among them: a quarter of the limit. */
function peopleShareOf(limit: number) {
	return Math.floor(limit / 4)
}

/** Why a call may not go out yet; `until` is `null` while only calls under way stand in front of it. */
interface Block {
	readonly until: number | null
	/** Only what jobs have set aside stands in front of it: they may give it back at any time, in any process. */
	readonly isSetAside?: boolean
}

/** How often to look whether jobs have given something back: nobody tells. */
const lookAgainMs = 2000

interface Waiter {
	readonly until: number | null
	readonly wake: () => void
}

interface Services {
	readonly clock: Clock
	readonly ledger: QuotaLedger
	readonly changed: () => void
}

export function createQuota(services: Services): Quota {
	return new Gate(services)
}

class Gate implements Quota {
	readonly #services: Services
	readonly #waiters = new Set<Waiter>()
	#own: QuotaRecord | null = null
	#inFlight = 0

	constructor(services: Services) {
		this.#services = services
	}

	async enter(entry: Entry): Promise<Pass> {
		const {clock} = this.#services
		const from = clock.monotonic()
		let told: number | null = null
		for (;;) {
			if (entry.signal?.aborted === true) throw abortError(entry.signal)
			const block = this.#blockOf(entry.purpose)
			const waitedMs = clock.monotonic() - from
			if (block === null) return this.#admit(told === null ? 0 : waitedMs)
			if (block.until !== null) {
				if (waitedMs + block.until - clock.now() > entry.maxWaitMs) throw leftOver(entry.purpose, block.until)
				if (block.until !== told) entry.onWait(block.until)
				told = block.until
			}
			await this.#wait(block, entry.signal)
		}
	}

	observe(record: QuotaRecord, counted = true): void {
		this.#keep(observeQuota(this.#own, record), counted)
	}

	refuse(untilMs: number): void {
		const limit = this.#current()?.limit ?? 0
		this.#keep({limit, remaining: 0, resetAt: untilMs, observedAt: this.#services.clock.now()}, false)
	}

	state(): QuotaState | null {
		const record = this.#current()
		if (record === null) return null
		const ends = [...this.#waiters].flatMap(waiter => waiter.until ?? [])
		return {
			limit: record.limit,
			remaining: record.remaining,
			resetAt: iso(record.resetAt),
			observedAt: iso(record.observedAt),
			reserve: reserveOf(record.limit),
			waitingUntil: ends.length === 0 ? null : iso(Math.max(...ends)),
			waiting: ends.length,
			reserved: this.#told(ledger => ledger.reserved()) ?? 0,
			others: othersOf(record, this.#told(ledger => ledger.own(record.resetAt)) ?? null, this.#inFlight),
		}
	}

	/** What the other processes know; a profile in trouble leaves what this one knows. */
	#told<T>(ask: (ledger: QuotaLedger) => T) {
		try {
			return ask(this.#services.ledger)
		} catch {
			return null
		}
	}

	#current() {
		const shared = this.#told(ledger => ledger.read())
		const record = mergeQuota(shared, this.#own)
		// Written before the clock was set back: its end may be days away, and only an answer can tell the new one.
		return record !== null && isFromFuture(record, this.#services.clock.now()) ? null : record
	}

	#blockOf(purpose: Purpose): Block | null {
		const record = this.#current()
		if (record === null) return null
		const reserve = this.#keptFrom(purpose, record.limit)
		if (this.#services.clock.now() >= record.resetAt) return this.#newWindow(record.limit - reserve)
		if (record.remaining - reserve <= 0) return {until: record.resetAt, isSetAside: record.remaining > reserveOf(record.limit)}
		return record.remaining - reserve > this.#inFlight ? null : {until: null}
	}

	/** What this purpose leaves alone: all but releases the reserve, and background reading also what jobs have set aside. */
	#keptFrom(purpose: Purpose, limit: number) {
		if (purpose === 'release') return 0
		if (purpose === 'program') return peopleShareOf(limit)
		const reserved = purpose === 'background' ? (this.#told(ledger => ledger.reserved()) ?? 0) : 0
		return reserveOf(limit) + reserved
	}

	/** A window that nobody has seen yet: as many calls go out as fit into it, and always one that asks. */
	#newWindow(size: number): Block | null {
		return this.#inFlight === 0 || size > this.#inFlight ? null : {until: null}
	}

	async #wait(block: Block, signal: AbortSignal | undefined) {
		const {clock, changed} = this.#services
		const woken = new AbortController()
		const waiter: Waiter = {until: block.until, wake: () => woken.abort()}
		const either = signal === undefined ? woken.signal : AbortSignal.any([signal, woken.signal])
		this.#waiters.add(waiter)
		changed()
		try {
			await (block.until === null ? aborted(either) : clock.sleep(pauseOf(block, block.until - clock.now()), either))
		} catch (error) {
			if (!either.aborted) throw error
		} finally {
			this.#waiters.delete(waiter)
			changed()
		}
	}

	#admit(waitedMs: number): Pass {
		let inside = true
		this.#inFlight += 1
		const leave = () => {
			if (!inside) return
			inside = false
			this.#inFlight -= 1
			this.#wakeAll()
		}
		return {waitedMs, leave}
	}

	#keep(record: QuotaRecord, counted: boolean) {
		this.#own = record
		try {
			this.#services.ledger.observe(record, counted)
		} catch {
			// The answer that told this stands: a full disk must not turn a change that was carried out into a failure.
		}
		this.#wakeAll()
		this.#services.changed()
	}

	#wakeAll() {
		for (const waiter of this.#waiters) waiter.wake()
	}
}

function leftOver(purpose: Purpose, untilMs: number) {
	const error = rateLimited(untilMs)
	if (purpose !== 'program') return error
	const why = 'A quarter of the API limit is left to people, and programs have spent the rest.'
	return new CordonError('rate_limited', `${why} ${error.message.replace('API limit reached. ', '')}`, error.details)
}

/** `rate_limited` with the time at which the window ends. */
export function rateLimited(untilMs: number, details: {readonly status?: number; readonly requestId?: string} = {}): CordonError {
	const retryAt = iso(untilMs)
	return new CordonError('rate_limited', `API limit reached. Calls are available again at ${retryAt.slice(11, 19)} UTC.`, {
		...details,
		retryAt,
	})
}

function pauseOf({isSetAside = false}: Block, leftMs: number) {
	return Math.max(0, isSetAside ? Math.min(leftMs, lookAgainMs) : leftMs)
}

function iso(ms: number) {
	return new Date(ms).toISOString()
}
