/** The source of an answer: the instance, another client's equal request, or the last good answer. */
import type {UpstreamRequest, UpstreamSink, TakenOver, UpstreamFailure} from '../exchange.ts'
import type {Fields, Refusal, RequestHead, ResponseHead} from '../message-types.ts'
import {proxyName} from '../headers/names.ts'
import {unavailable} from '../refusals.ts'
import type {Ticker} from '../ticker.ts'
import type {ForwardedInstance} from '../types.ts'
import {type Start, Bodiless} from './call.ts'
import {type Asked, isShareable, sharedKey, isEventStream, withoutFields} from './equal.ts'
import {type CoalescingContext, Flight, type FlightLimits} from './flight.ts'
import {LastGood, isKnownTo, type Kept, type Recording} from './last-good.ts'

export interface AnswerRequest {
	head: RequestHead
	instance: Pick<ForwardedInstance, 'origin' | 'serveStaleS' | 'singleFlight' | 'state'>
	/** As sent to the instance: rest and query. */
	target: string
	/** The client's path before it. */
	prefix: string
	identity: Fields
	pseudonym: string
	/** Why the instance cannot be reached, if its state says so. */
	unavailable: Refusal | null
}

export type Answers = ReturnType<typeof createAnswers>

export function createAnswers(ticker: Ticker, monotonic: () => number) {
	const lastGood = new LastGood(monotonic)
	const flights = new SingleFlight(ticker)
	return {
		/** Calls nothing but the sink's `connected` before it returns. */
		send: (request: AnswerRequest, sink: UpstreamSink, start: Start) =>
			send({lastGood, monotonic, pseudonym: request.pseudonym}, flights, request, sink, start),
		/** Removes data of deleted instances and replaced programs. */
		retain: (origins: ReadonlySet<string>) => lastGood.retain(origins)
	}
}

function send(deps: StaleDependencies, flights: SingleFlight, request: AnswerRequest, sink: UpstreamSink, start: Start) {
	const {head, instance, target, prefix, identity, unavailable} = request
	const asked: Asked = {head, origin: instance.origin, target, prefix, identity}
	// An operator disabled the instance: nothing of it is served.
	const isWanted = instance.serveStaleS > 0 && instance.state !== 'disabled'
	const mayBeStale = isWanted && (head.method === 'GET' || head.method === 'HEAD')
	const isDown = unavailable !== null || instance.state === 'unhealthy'
	if (mayBeStale && isDown) {
		const refusal = unavailable ?? unhealthy
		const kept = replayNow(deps, {asked, seconds: instance.serveStaleS, sink}, {refusal})
		if (kept !== null) return kept
	}
	if (unavailable !== null) return failing(unavailable, sink)
	const guarded: Start = mayBeStale ? inner => sendGuarded(deps, {asked, seconds: instance.serveStaleS, sink: inner}, start) : start
	if (!instance.singleFlight || !isShareable(head)) return guarded(sink)
	return flights.send(sharedKey(asked), head, sink, guarded)
}

const unhealthy = unavailable('unhealthy', 'The instance is not healthy.', '30')

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
export const flightLimits: FlightLimits = {joinBytes: 1 << 20, leastHeld: 1 << 20, mostHeld: 32 << 20, mostHeldInAll: 64 << 20, stuckMs: 10_000}

/** How long answers to a request are known to be for one client only, so that others do not wait in vain. */
const aloneMs = 60_000
const mostAlone = 1000

export class SingleFlight implements CoalescingContext {
	held = 0
	readonly ticker: Ticker
	readonly limits: FlightLimits
	readonly #open = new Map<string, Flight>()
	readonly #alone = new Map<string, number>()

	constructor(ticker: Ticker, limits: FlightLimits = flightLimits) {
		this.ticker = ticker
		this.limits = limits
	}

	get running() {
		return this.#open.size
	}

	/** Joins a flight with this key, or starts one. `start` may be called later, when the answer cannot be shared. */
	send(key: string, head: RequestHead, sink: UpstreamSink, start: Start) {
		const passenger = {head, sink, start}
		const flight = this.#open.get(key)
		if (flight !== undefined) return flight.join(passenger) ?? start(sink)
		if ((this.#alone.get(key) ?? 0) > this.ticker.now) return start(sink)
		const begun = new Flight(key, this)
		this.#open.set(key, begun)
		return begun.begin(passenger)
	}

	closed(flight: Flight) {
		if (this.#open.get(flight.key) === flight) this.#open.delete(flight.key)
	}

	alone(key: string) {
		this.#alone.delete(key)
		this.#alone.set(key, this.ticker.now + aloneMs)
		for (const old of this.#alone.keys()) {
			if (this.#alone.size <= mostAlone) break
			this.#alone.delete(old)
		}
	}
}

/* One request at an instance. A good answer is stored; a bad one is replaced by the stored one. */

/* A stored answer, replayed as if from the instance. */

/** Why the instance's answer was not used: its status, or the failure. */
type Cause = {status: number} | {refusal: Refusal}

interface ReplayOptions {
	asked: Asked
	kept: Kept
	cause: Cause
	sink: UpstreamSink
	/** Monotonic milliseconds. */
	now: number
	/** The server's name in `Proxy-Status`. */
	pseudonym: string
}

const framingFields = ['content-length', 'transfer-encoding', 'trailer', 'age', 'proxy-status']

class Replay extends Bodiless {
	readonly #options: ReplayOptions
	#at = -1
	#isPaused = false
	#isOver = false
	#isTelling = false

	constructor(options: ReplayOptions) {
		super()
		this.#options = options
		queueMicrotask(() => this.#tell())
	}

	pause() {
		this.#isPaused = true
	}

	resume() {
		this.#isPaused = false
		if (this.#at >= 0) this.#tell()
	}

	abort() {
		this.#isOver = true
	}

	#tell() {
		if (this.#isTelling || this.#isOver) return
		this.#isTelling = true
		const {sink, asked, kept} = this.#options
		const isKnown = isKnownTo(asked, kept)
		const chunks = isKnown || asked.head.method === 'HEAD' ? [] : kept.chunks
		if (this.#at < 0) {
			this.#at = 0
			sink.source?.('stale')
			sink.head(staleHead(this.#options, isKnown))
		}
		while (!this.#isHeldUp() && this.#at < chunks.length) {
			const chunk = chunks[this.#at++]
			if (chunk !== undefined && chunk.length > 0) sink.data(chunk)
		}
		this.#isTelling = false
		if (this.#isHeldUp()) return
		this.#isOver = true
		sink.end([])
	}

	/** A sink may pause the replay during a callback. */
	#isHeldUp() {
		return this.#isPaused || this.#isOver
	}
}

function staleHead({asked, kept, cause, now, pseudonym}: ReplayOptions, isKnown: boolean): ResponseHead {
	const age = kept.age + Math.max(0, Math.floor((now - kept.keptAt) / 1000))
	const marks = ['Age', String(age), 'Proxy-Status', proxyStatus(pseudonym, cause)]
	const fields = [...withoutFields(kept.head.fields, framingFields), ...marks]
	const common = {version: '1.1', connection: kept.head.connection, keepAlive: true} as const
	if (isKnown) {
		const left = withoutFields(fields, ['content-type', 'content-encoding', 'content-language', 'content-range'])
		return {...common, status: 304, reason: 'Not Modified', fields: left, framing: {kind: 'none'}}
	}
	const {status, reason} = kept.head
	if (asked.head.method === 'HEAD') {
		const length: Fields = ['Content-Length', String(kept.size)]
		return {...common, status, reason, fields: [...fields, ...length], framing: {kind: 'none'}}
	}
	return {...common, status, reason, fields, framing: {kind: 'length', length: kept.size}}
}

/** RFC 9209. */
function proxyStatus(pseudonym: string, cause: Cause) {
	const why = 'status' in cause ? `received-status=${cause.status}` : `error=${cause.refusal.proxyError ?? 'destination_unavailable'}`
	return `${proxyName({pseudonym})}; ${why}; details="the last good answer"`
}

interface StaleDependencies {
	lastGood: LastGood
	monotonic: () => number
	pseudonym: string
}

interface StaleOptions {
	asked: Asked
	/** Maximum age of a stored answer, in seconds. */
	seconds: number
	sink: UpstreamSink
}

/** Replays the stored answer without asking the instance; `null` without one. */
function replayNow(deps: StaleDependencies, {asked, seconds, sink}: StaleOptions, cause: Cause) {
	const kept = deps.lastGood.find(asked, seconds)
	if (kept === null) return null
	return new Replay({asked, kept, cause, sink, now: deps.monotonic(), pseudonym: deps.pseudonym})
}

/** Asks the instance; stores a good answer. */
function sendGuarded(deps: StaleDependencies, options: StaleOptions, start: Start) {
	const request = new Switchable()
	const guard = new Guard(deps, options, request)
	request.onAbort = () => guard.drop()
	request.source = start(guard)
	return request
}

/** The request as held by the client's side: at first the instance's, later perhaps its replacement. */
class Switchable implements UpstreamRequest {
	source: UpstreamRequest | null = null
	onAbort: (() => void) | null = null

	write(chunk: Buffer) {
		return this.source?.write(chunk) ?? true
	}
	end(trailers: Fields) {
		this.source?.end(trailers)
	}
	pause() {
		this.source?.pause()
	}
	resume() {
		this.source?.resume()
	}
	abort() {
		this.source?.abort()
		this.onAbort?.()
	}
}

class Guard implements UpstreamSink {
	readonly #deps: StaleDependencies
	readonly #options: StaleOptions
	readonly #request: Switchable
	readonly #sink: UpstreamSink
	/** Waits for the first byte of the body: until then a broken answer can be replaced. */
	#held: ResponseHead | null = null
	#recording: Recording | null = null
	#isTold = false

	constructor(deps: StaleDependencies, options: StaleOptions, request: Switchable) {
		this.#deps = deps
		this.#options = options
		this.#request = request
		this.#sink = options.sink
	}

	connected(connectMs: number) {
		this.#sink.connected(connectMs)
	}

	information(status: number, reason: string, fields: Fields) {
		this.#sink.information(status, reason, fields)
	}

	head(head: ResponseHead) {
		const {asked} = this.#options
		if (head.status >= 500 && this.#replace({status: head.status})) return
		if (head.status === 304) this.#deps.lastGood.confirm(asked, head)
		this.#recording = this.#deps.lastGood.record(asked, head)
		this.#held = head
		if (!isWorthWaiting(asked, head)) this.#tell()
	}

	data(chunk: Buffer) {
		this.#tell()
		this.#recording?.data(chunk)
		this.#sink.data(chunk)
	}

	end(trailers: Fields) {
		this.#tell()
		this.#recording?.done()
		this.#sink.end(trailers)
	}

	failed(failure: UpstreamFailure) {
		this.drop()
		if (!this.#isTold && this.#replace({refusal: failure.refusal})) return
		this.#sink.failed(failure)
	}

	switched(head: ResponseHead, taken: TakenOver) {
		this.#sink.switched(head, taken)
	}

	drain() {
		this.#sink.drain()
	}

	/** The client left, or the answer broke: the recording is dropped. */
	drop() {
		this.#recording?.drop()
		this.#recording = null
	}

	#tell() {
		if (this.#isTold || this.#held === null) return
		this.#isTold = true
		this.#sink.head(this.#held)
	}

	#replace(cause: Cause) {
		const instead = replayNow(this.#deps, this.#options, cause)
		if (instead === null) return false
		this.#request.source?.abort()
		this.#request.source = instead
		return true
	}
}

/** Whether the body follows soon: the first event of a stream may be hours away. */
function isWorthWaiting({head}: Asked, answer: ResponseHead) {
	return head.method === 'GET' && answer.status === 200 && !isEventStream(answer)
}
