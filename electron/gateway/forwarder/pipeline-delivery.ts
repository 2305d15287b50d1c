/** A request at its instance: what is sent there, and what is returned to the client. */
import {Bodiless, type Start} from './cache/call.ts'
import type {ClientExchange, TakenOver, UpstreamFailure, UpstreamRequest, UpstreamSink} from './exchange.ts'
import {valuesOf} from './headers/lookup.ts'
import type {Fields, Refusal, ResponseHead} from './message-types.ts'
import type {ForwardedRequest, PipelineDependencies, Rules} from './pipeline-parts.ts'
import type {Recorder} from './pipeline-record.ts'
import {stateRefusal} from './policy.ts'
import {isPlace, type Place, type Places} from './rate/places.ts'
import type {EndedBy} from './record-types.ts'
import {refused} from './refusals.ts'
import {openTunnel, Tunnel} from './tunnel.ts'
import type {ForwardedInstance} from './types.ts'
import type {UpstreamPlan} from './upstream/plan.ts'

/* Shareable requests without a body wait for a place only when the instance is actually asked. */

/** Calls `start` on its turn; releases the place when the answer has ended in any way. */
function inTurn(places: Places, {id, limits}: ForwardedInstance, start: Start): Start {
	if (limits.concurrency <= 0) return start
	return sink => new Turn(sink, start, onTurn => places.enter(id, limits.concurrency, limits.queue, onTurn))
}

class Turn extends Bodiless {
	readonly #sink: UpstreamSink
	readonly #start: Start
	#place: Place | null = null
	#request: UpstreamRequest | null = null
	#isPaused = false
	#isOver = false

	constructor(sink: UpstreamSink, start: Start, enter: (onTurn: () => void) => Place | Refusal) {
		super()
		this.#start = start
		this.#sink = leaving(sink, () => this.#leave())
		const place = enter(() => this.#begin())
		if (isPlace(place)) {
			this.#place = place
			if (!place.waits) this.#begin()
		} else queueMicrotask(() => this.#refused(place))
	}

	pause() {
		this.#isPaused = true
		this.#request?.pause()
	}

	resume() {
		this.#isPaused = false
		this.#request?.resume()
	}

	abort() {
		this.#leave()
		this.#request?.abort()
	}

	#begin() {
		if (this.#isOver) return
		this.#request = this.#start(this.#sink)
		if (this.#isPaused) this.#request.pause()
	}

	#refused(refusal: Refusal) {
		if (!this.#isOver) this.#sink.failed({refusal, stale: false})
	}

	#leave() {
		this.#isOver = true
		this.#place?.leave()
	}
}

function leaving(sink: UpstreamSink, leave: () => void): UpstreamSink {
	return {
		source: source => sink.source?.(source),
		connected: connectMs => sink.connected(connectMs),
		information: (...said) => sink.information(...said),
		head: head => sink.head(head),
		data: chunk => sink.data(chunk),
		end: trailers => {
			leave()
			sink.end(trailers)
		},
		failed: failure => {
			leave()
			sink.failed(failure)
		},
		switched: (...switched) => {
			leave()
			sink.switched(...switched)
		},
		drain: () => sink.drain()
	}
}

/** The owner of the request. */
export interface DeliveryHost {
	deps: PipelineDependencies
	rules: Rules
	exchange: ClientExchange
	record: Recorder
	/** `by`: who caused it. */
	refuse(refusal: Refusal, by: EndedBy): void
	broken(error: unknown): void
	ended(by: EndedBy, reason: string | null): void
}

export class Delivery implements UpstreamSink {
	isHeadSent = false
	readonly #host: DeliveryHost
	readonly #request: ForwardedRequest
	readonly #instance: ForwardedInstance
	#upstream: UpstreamRequest | null = null

	constructor(host: DeliveryHost, request: ForwardedRequest) {
		this.#host = host
		this.#request = request
		this.#instance = request.decision.instance
	}

	// ---- the request ----

	/** `body`: if it was read before. Throws `UnsafeHead`. */
	start(body: Buffer | null, upgrade: boolean) {
		const {exchange} = this.#host
		exchange.onDrain = () => this.#upstream?.resume()
		this.#upstream = this.#send(upgrade)
		if (body !== null) {
			if (body.length > 0) this.#upstream?.write(body)
			this.#upstream?.end([])
		} else if (exchange.head.framing.kind !== 'none') this.#readBody()
	}

	abort() {
		this.#upstream?.abort()
	}

	/** Requests that may be answered without the instance wait for their turn later, if at all. */
	static isShared({head, decision}: ForwardedRequest, upgrade: boolean): boolean {
		const {singleFlight, serveStaleS} = decision.instance
		const isReading = (head.method === 'GET' || head.method === 'HEAD') && head.framing.kind === 'none'
		return isReading && !upgrade && (singleFlight || serveStaleS > 0)
	}

	#send(upgrade: boolean) {
		const {deps, rules, record} = this.#host
		const request = this.#request
		const unavailable = stateRefusal(this.#instance)
		const isShared = Delivery.isShared(request, upgrade)
		if (unavailable !== null && !isShared) {
			this.#host.refuse(unavailable, 'cordon')
			return null
		}
		const plan = planOf(request, rules, upgrade)
		const start: Start = sink => {
			record.queued()
			return deps.pool.send(rules.target(this.#instance), plan, sink)
		}
		if (!isShared) return start(this)
		const {head, decision} = request
		const {target, prefix} = decision
		const {pseudonym} = rules.config
		const {access} = this.#instance
		// Whose token it is, is known to the instance alone.
		const token = access.kind === 'bearer' ? valuesOf(head.fields, access.header.toLowerCase()) : []
		const identity = [...request.identity, ...token]
		const asked = {head, instance: this.#instance, target, prefix, identity, pseudonym, unavailable}
		return deps.answers.send(asked, this, inTurn(deps.places, this.#instance, start))
	}

	#readBody() {
		const {exchange, rules} = this.#host
		const {limits, timeouts} = this.#instance
		exchange.readBody(
			{
				data: chunk => {
					if (limits.body > 0 && exchange.received > limits.body) this.#host.refuse(refused.bodyTooLarge, 'client')
					else if (this.#upstream?.write(chunk) === false) exchange.pauseBody()
				},
				end: trailers => this.#upstream?.end(rules.trailers(trailers, this.#instance)),
				failed: refusal => {
					if (refusal === null) this.#host.ended('client', 'client_left')
					else this.#host.refuse(refusal, 'client')
				}
			},
			{minRate: timeouts.minRate, idleMs: timeouts.idleS * 1000}
		)
	}

	// ---- the answer. Nothing from an instance may end the process: what cannot be written fails this one request ----

	source(source: 'stale' | 'shared') {
		this.#host.record.source = source
	}

	connected(connectMs: number) {
		this.#host.record.connected(connectMs)
		this.#host.exchange.sendContinue()
	}

	information(status: number, reason: string, fields: Fields): void {
		try {
			this.#host.exchange.sendInformation(status, reason, this.#host.rules.interimFields(fields, this.#request))
		} catch (error) {
			this.#host.broken(error)
		}
	}

	head(head: ResponseHead): void {
		const {exchange, record, rules} = this.#host
		record.answered(head.status, 'instance')
		try {
			exchange.sendHead(head.status, head.reason, rules.responseFields(head, this.#request), head.framing)
			this.isHeadSent = true
		} catch (error) {
			this.#host.broken(error)
		}
	}

	data(chunk: Buffer) {
		if (!this.#host.exchange.sendData(chunk)) this.#upstream?.pause()
	}

	borrow(bytes: Buffer) {
		const {exchange} = this.#host
		const mayGoOn = exchange.sendBorrowed?.(bytes) ?? exchange.sendData(Buffer.from(bytes))
		if (!mayGoOn) this.#upstream?.pause()
	}

	end(trailers: Fields): void {
		const {exchange, rules} = this.#host
		try {
			exchange.sendEnd(trailers.length === 0 ? trailers : rules.trailers(trailers, this.#instance))
		} catch (error) {
			return this.#host.broken(error)
		}
		this.#host.ended('done', null)
	}

	failed({refusal}: UpstreamFailure) {
		this.#host.refuse(refusal, 'instance')
	}

	switched(answer: ResponseHead, instance: TakenOver): void {
		const {exchange, deps, record, rules} = this.#host
		try {
			const opened = openTunnel({
				exchange,
				answer,
				fields: rules.responseFields(answer, this.#request),
				instance,
				idleMs: this.#instance.timeouts.idleS * 1000,
				ticker: deps.ticker,
				onEnd: ({endedBy, reason}) => this.#host.ended(reason === null ? 'done' : endedBy, reason)
			})
			if (opened instanceof Tunnel) record.tunnelled(opened)
			else this.#host.refuse(opened, 'instance')
		} catch (error) {
			instance.socket.destroy()
			this.#host.broken(error)
		}
	}

	drain() {
		this.#host.exchange.resumeBody()
	}
}

function planOf(request: ForwardedRequest, rules: Rules, upgrade: boolean): UpstreamPlan {
	const {timeouts} = request.decision.instance
	return {
		method: request.head.method,
		head: rules.requestHead(request, upgrade),
		framing: request.head.framing,
		upgrade,
		connectMs: timeouts.connectS * 1000,
		firstByteMs: timeouts.firstByteS * 1000,
		idleMs: timeouts.idleS * 1000,
		limits: rules.config.limits
	}
}
