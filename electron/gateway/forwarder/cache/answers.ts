/** The source of an answer: the instance, another client's equal request, or the last good answer. */
import type {UpstreamRequest, UpstreamSink} from '../exchange.ts'
import type {Fields, Refusal, RequestHead} from '../message-types.ts'
import type {Ticker} from '../ticker.ts'
import type {ForwardedInstance} from '../types.ts'
import type {Start} from './call.ts'
import {type Asked, isShareable, sharedKey} from './equal.ts'
import {type Airspace, Flight, type FlightLimits} from './flight.ts'
import {createLastGood} from './last-good.ts'
import {replayNow, sendGuarded, type StaleParts} from './stale-call.ts'

export interface AnswerRequest {
	readonly head: RequestHead
	readonly instance: Pick<ForwardedInstance, 'id' | 'serveStaleS' | 'singleFlight' | 'state'>
	/** As sent to the instance: rest and query. */
	readonly target: string
	/** The client's path before it. */
	readonly prefix: string
	readonly identity: Fields
	readonly pseudonym: string
	/** Why the instance cannot be reached, if its state says so. */
	readonly unavailable: Refusal | null
}

export interface Answers {
	/** Calls nothing but the sink's `connected` before it returns. */
	send(request: AnswerRequest, sink: UpstreamSink, start: Start): UpstreamRequest
	/** Removes data of deleted instances. */
	retain(instanceIds: ReadonlySet<string>): void
}

export function createAnswers(ticker: Ticker, monotonic: () => number): Answers {
	const lastGood = createLastGood(monotonic)
	const flights = createSingleFlight(ticker)
	return {
		send: (request, sink, start) => send({lastGood, monotonic, pseudonym: request.pseudonym}, flights, request, sink, start),
		retain: instanceIds => lastGood.retain(instanceIds),
	}
}

function send(
	parts: StaleParts,
	flights: SingleFlight,
	request: AnswerRequest,
	sink: UpstreamSink,
	start: Start,
): UpstreamRequest {
	const {head, instance, target, prefix, identity, unavailable} = request
	const asked: Asked = {head, instanceId: instance.id, target, prefix, identity}
	// An operator disabled the instance: nothing of it is served.
	const isWanted = instance.serveStaleS > 0 && instance.state !== 'disabled'
	const mayBeStale = isWanted && (head.method === 'GET' || head.method === 'HEAD')
	const isDown = unavailable !== null || instance.state === 'unhealthy'
	if (mayBeStale && isDown) {
		const refusal = unavailable ?? unhealthy
		const kept = replayNow(parts, {asked, seconds: instance.serveStaleS, sink}, {refusal})
		if (kept !== null) return kept
	}
	if (unavailable !== null) return failing(unavailable, sink)
	const guarded: Start = mayBeStale
		? inner => sendGuarded(parts, {asked, seconds: instance.serveStaleS, sink: inner}, start)
		: start
	if (!instance.singleFlight || !isShareable(head)) return guarded(sink)
	return flights.send(sharedKey(asked), head, sink, guarded)
}

const unhealthy: Refusal = {
	status: 503,
	reason: 'unhealthy',
	proxyError: 'destination_unavailable',
	detail: 'The instance is not healthy.',
	close: false,
}

function failing(refusal: Refusal, sink: UpstreamSink): UpstreamRequest {
	let isOver = false
	queueMicrotask(() => {
		if (!isOver) sink.failed({refusal, stale: false})
	})
	return {write: () => true, end: () => {}, pause: () => {}, resume: () => {}, abort: () => (isOver = true)}
}

/**
 * Equal GETs at the same time cost one request at the instance.
 *
 * The body is read once and held until the slowest client has it, so that one slow client does not slow the others: up to
 * `mostHeld` bytes a flight while all flights hold less than `mostHeldInAll`, else up to `leastHeld`. At that bound the instance
 * waits for the slowest client; when that one takes nothing for `stuckMs` while others wait for it, its answer is cut (and looks
 * cut): the sent part cannot be continued by another request. For a single client nothing is held: the instance waits for it as
 * without a flight. Later clients join while the beginning is still held.
 */
export const flightLimits: FlightLimits = {
	joinBytes: 1 << 20,
	leastHeld: 1 << 20,
	mostHeld: 32 << 20,
	mostHeldInAll: 64 << 20,
	stuckMs: 10_000,
}

/** How long answers to a request are known to be for one client only, so that others do not wait in vain. */
const aloneMs = 60_000
const mostAlone = 1000

export interface SingleFlight {
	/** Joins a flight with this key, or starts one. `start` may be called later, when the answer cannot be shared. */
	send(key: string, head: RequestHead, sink: UpstreamSink, start: Start): UpstreamRequest
	readonly running: number
}

export function createSingleFlight(ticker: Ticker, limits: FlightLimits = flightLimits): SingleFlight {
	return new Flights(ticker, limits)
}

class Flights implements SingleFlight, Airspace {
	held = 0
	readonly ticker: Ticker
	readonly limits: FlightLimits
	readonly #open = new Map<string, Flight>()
	readonly #alone = new Map<string, number>()

	constructor(ticker: Ticker, limits: FlightLimits) {
		this.ticker = ticker
		this.limits = limits
	}

	get running(): number {
		return this.#open.size
	}

	send(key: string, head: RequestHead, sink: UpstreamSink, start: Start): UpstreamRequest {
		const passenger = {head, sink, start}
		const flight = this.#open.get(key)
		if (flight !== undefined) return flight.join(passenger) ?? start(sink)
		if ((this.#alone.get(key) ?? 0) > this.ticker.now) return start(sink)
		const begun = new Flight(key, this)
		this.#open.set(key, begun)
		return begun.begin(passenger)
	}

	closed(flight: Flight): void {
		if (this.#open.get(flight.key) === flight) this.#open.delete(flight.key)
	}

	alone(key: string): void {
		this.#alone.delete(key)
		this.#alone.set(key, this.ticker.now + aloneMs)
		for (const old of this.#alone.keys()) {
			if (this.#alone.size <= mostAlone) break
			this.#alone.delete(old)
		}
	}
}
