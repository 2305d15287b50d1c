import {CordonError, reportError, type ErrorCode} from '#shared/contract/errors.ts'
import type {BudgetState, LinkState} from '#shared/model/frame.ts'

import {createBudget, type Budget} from './budget.ts'
import {attemptCall, guardWrite, type Call, type CallServices, type RawAnswer, type Shipment, type TimedAnswer} from './call.ts'
import {isWrite} from './errors.ts'
import {readError, writeError, type Outcome} from './failure.ts'
import {budgetOf, clockSkewOf} from './headers.ts'
import {withRetries, type Attempt} from './retry.ts'
import type {ApiAnswer, ApiClient, ApiRequest, CallOptions, ClientOptions} from './types.ts'
import {requestUrl} from './url.ts'

const defaultDeadlineMs = 180_000
const defaultBudgetWaitMs = 3_600_000

/** The service was reached and knew us: the way to it is in order, whatever it thinks of the request. */
const linkIsGood: ReadonlySet<ErrorCode> = new Set([
	'bad_request',
	'forbidden',
	'not_found',
	'isolation_not_allowed',
	'conflict',
	'rate_limited',
])

/** Bytes to and from one server. */
export interface Wire {
	/** Loads what sending needs, so that the first exchange is not measured with it. */
	prepare(): Promise<void>
	/** One exchange, without retries. Never rejects. */
	send(shipment: Shipment): Promise<Outcome<RawAnswer>>
	close(): void
}

/** What one connection knows of its service, and the calls over it. */
export class Session implements ApiClient {
	readonly #options: ClientOptions
	readonly #server: URL
	readonly #wire: Wire
	readonly #budget: Budget
	readonly #services: CallServices
	/** Nothing new, and nothing more of what may still be ended without harm. */
	readonly #stopping = new AbortController()
	/** Nothing at all any more. */
	readonly #cut = new AbortController()
	readonly #calls = new Set<Promise<unknown>>()
	readonly #listeners = new Set<() => void>()
	#link: LinkState = {kind: 'untried'}
	#skewMs: number | null = null
	#goodKey: string | undefined

	constructor(options: ClientOptions, server: URL, wire: Wire) {
		this.#options = options
		this.#server = server
		this.#wire = wire
		this.#budget = createBudget({clock: options.clock, ledger: options.ledger, changed: () => this.#changed()})
		this.#services = {
			options,
			budget: this.#budget,
			exchange: shipment => this.#exchange(shipment),
			keyIsKnown: key => key === this.#goodKey,
		}
	}

	async call(request: ApiRequest, options: CallOptions = {}): Promise<ApiAnswer> {
		guardWrite(this.#options, request, options)
		const call = this.#callOf(request, options)
		const outcome = await this.#counted(isWrite(request) ? this.#attempt(call, once) : this.#read(call))
		if (outcome.ok) return outcome.value
		throw isWrite(request) ? writeError(outcome.failure) : readError(outcome.failure, request, call.url)
	}

	budget(): BudgetState | null {
		return this.#budget.state()
	}

	link(): LinkState {
		return this.#link
	}

	clockSkewMs(): number | null {
		return this.#skewMs
	}

	onChange(listener: () => void): () => void {
		this.#listeners.add(listener)
		return () => this.#listeners.delete(listener)
	}

	async stop(how: 'at_once' | 'after_changes' = 'at_once'): Promise<void> {
		const reason = new CordonError('cancelled', 'The connection was closed.')
		this.#stopping.abort(reason)
		if (how === 'after_changes') await Promise.allSettled(this.#calls)
		this.#cut.abort(reason)
		this.#wire.close()
	}

	#callOf(request: ApiRequest, options: CallOptions): Call {
		const stopping = this.#stopping.signal
		return {
			request,
			url: requestUrl(this.#server, request),
			options,
			signal: options.signal === undefined ? stopping : AbortSignal.any([options.signal, stopping]),
			cut: this.#cut.signal,
			budgetWaitLeftMs: options.maxBudgetWaitMs ?? defaultBudgetWaitMs,
		}
	}

	async #counted<T>(call: Promise<T>): Promise<T> {
		this.#calls.add(call)
		try {
			return await call
		} finally {
			this.#calls.delete(call)
		}
	}

	#read(call: Call): Promise<Outcome<ApiAnswer>> {
		const {onProgress, deadlineMs = defaultDeadlineMs} = call.options
		const policy = {clock: this.#options.clock, signal: call.signal, deadlineMs, onProgress, random: Math.random}
		return withRetries(how => this.#attempt(call, how), policy)
	}

	async #attempt(call: Call, how: Attempt): Promise<Outcome<ApiAnswer>> {
		const outcome = await attemptCall(this.#services, call, how)
		this.#noteLink(outcome)
		return outcome
	}

	async #exchange(shipment: Shipment): Promise<Outcome<TimedAnswer>> {
		const {clock} = this.#options
		await this.#wire.prepare()
		const from = clock.monotonic()
		const outcome = await this.#wire.send(shipment)
		if (!outcome.ok) return outcome
		const answer = {...outcome.value, at: clock.now(), durationMs: Math.round(clock.monotonic() - from)}
		this.#learn(shipment, answer)
		return {ok: true, value: answer}
	}

	/** Every answer tells the budget and the time, also a refusal. */
	#learn(shipment: Shipment, {headers, status, at, durationMs}: TimedAnswer): void {
		const record = budgetOf(headers, at)
		if (record !== undefined) this.#budget.observe(record, status !== 429)
		this.#skewMs = clockSkewOf(headers, at, durationMs) ?? this.#skewMs
		if (status === 200 && !isWrite(shipment.request)) this.#goodKey = shipment.apiKey
	}

	#noteLink(outcome: Outcome<ApiAnswer>): void {
		const error = outcome.ok ? undefined : outcome.failure.error
		if (error?.code === 'cancelled') return
		const now = new Date(this.#options.clock.now()).toISOString()
		if (error === undefined || linkIsGood.has(error.code)) this.#link = {kind: 'ok', at: now}
		else this.#link = {kind: 'failing', since: this.#link.kind === 'failing' ? this.#link.since : now, error: reportError(error)}
		this.#changed()
	}

	#changed(): void {
		for (const listener of this.#listeners) listener()
	}
}

/** A change has one attempt, however long it takes to get through the gate. */
const once: Attempt = {leftMs: Number.POSITIVE_INFINITY, waited: () => {}}
