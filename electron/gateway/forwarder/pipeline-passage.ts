/** One request from its head to its record: access, rate, and turn. */
import {isAllowed} from './access/addresses.ts'
import type {AccessVerdict, NeedsBody} from './access/verdict.ts'
import type {BodyPace, ClientExchange} from './exchange.ts'
import type {Fields, Peer, Refusal, RequestHead, ResponseFraming} from './message-types.ts'
import {Delivery, type DeliveryHost} from './pipeline-delivery.ts'
import type {Forward, ForwardedRequest, OwnAnswer, PipelineDependencies, Rules} from './pipeline-parts.ts'
import {Recorder} from './pipeline-record.ts'
import {methodRefusal, sizeRefusal} from './policy.ts'
import {isPlace, type Place} from './rate/places.ts'
import type {EndedBy} from './record-types.ts'
import {badRequest, refused} from './refusals.ts'
import {readUpgrade} from './upgrade.ts'

export class Passage implements DeliveryHost {
	readonly deps: PipelineDependencies
	readonly rules: Rules
	readonly exchange: ClientExchange
	readonly record: Recorder
	readonly #peer: Peer
	#delivery: Delivery | null = null
	#place: Place | null = null
	#isOver = false

	constructor(deps: PipelineDependencies, rules: Rules, exchange: ClientExchange, peer: Peer) {
		this.deps = deps
		this.rules = rules
		this.exchange = exchange
		this.#peer = peer
		this.record = new Recorder(deps, exchange, peer, rules.requestId(exchange.head))
		exchange.onAbort = () => this.ended('client', 'client_left')
	}

	decide() {
		const {rules, record} = this
		const {head} = this.exchange
		if (this.deps.isDraining()) return this.refuse(refused.draining)
		const decision = rules.route(head)
		if (decision.kind === 'refuse') record.instance = decision.instance
		if (decision.kind === 'forward') record.enter(decision.instance.name, decision.alias)
		const refusal = decision.kind === 'refuse' ? decision.refusal : rules.policy(head, this.#peer, decision)
		if (refusal !== null) this.refuse(refusal)
		else if (decision.kind === 'redirect') this.#answer(rules.redirect(decision.location, record.id))
		else if (decision.kind === 'version') this.#answer(rules.version(record.id))
		else if (decision.kind === 'forward') this.#admit(decision)
	}

	/** Answers instead of the instance; a started answer is visibly cut. */
	refuse(refusal: Refusal, by: EndedBy = 'cordon') {
		if (this.#isOver) return
		this.#delivery?.abort()
		if (this.#delivery?.isHeadSent === true) {
			this.exchange.abort()
			return this.ended(by, refusal.reason)
		}
		if (refusal.close) this.exchange.closeAfter?.()
		this.record.reason = refusal.reason
		this.#answer(this.rules.refusal(refusal, this.exchange.head, this.record.id), by)
	}

	readonly broken = (error: unknown) => {
		this.deps.onTrouble(error)
		this.refuse(internal)
	}

	ended(by: EndedBy, reason: string | null) {
		if (this.#isOver) return
		this.#isOver = true
		if (by !== 'done') this.#delivery?.abort()
		this.#place?.leave()
		// A connection closed by this server looks like one the client left.
		if (by === 'client' && reason !== null && this.deps.isCutting()) this.record.end('cordon', refused.draining.reason)
		else this.record.end(by, reason)
	}

	#admit(decision: Forward) {
		const {id, allow, limits, access} = decision.instance
		const {client} = this.#peer
		if (!isAllowed(allow, client)) return this.refuse(refused.notAllowed)
		const tooMany = this.deps.rate.take(id, client, limits.ratePerSecond, limits.burst)
		if (tooMany !== null) return this.refuse(tooMany)
		const verdict = this.deps.access.check(access, this.exchange.head, this.#peer, id)
		if (verdict instanceof Promise) {
			void verdict.then(late => this.#judge(decision, late)).catch(this.broken)
		} else this.#judge(decision, verdict)
	}

	#judge(decision: Forward, verdict: AccessVerdict) {
		if (this.#isOver) return
		this.record.admitted()
		if (verdict.kind === 'refused') return this.refuse(verdict.refusal)
		const {head} = this.exchange
		const {instance} = decision
		const refusal = methodRefusal(instance, head.method) ?? sizeRefusal(instance, head.framing)
		if (refusal !== null) return this.refuse(refusal)
		if (verdict.kind === 'needs_body') this.#collect(decision, verdict)
		else this.#prepare(decision, verdict.fields, null)
	}

	#collect(decision: Forward, verdict: NeedsBody) {
		const {limits, timeouts} = decision.instance
		const most = limits.body === 0 ? verdict.limitBytes : Math.min(limits.body, verdict.limitBytes)
		const pace = {minRate: timeouts.minRate, idleMs: timeouts.idleS * 1000}
		if (this.exchange.head.framing.kind === 'length' && this.exchange.head.framing.length > most) {
			return this.refuse(refused.bodyTooLarge)
		}
		this.exchange.sendContinue()
		collectBody(this.exchange, most, pace, {
			done: body => {
				const proof = verdict.verify(body)
				if (proof.kind === 'refused') this.refuse(proof.refusal)
				else this.#prepare(decision, proof.fields, body)
			},
			failed: refusal => (refusal === null ? this.ended('client', 'client_left') : this.refuse(refusal, 'client'))
		})
	}

	#prepare(decision: Forward, identity: Fields, body: Buffer | null) {
		const wish = readUpgrade(this.exchange.head, decision.instance)
		if (wish.kind === 'refused') return this.refuse(wish.refusal)
		const head = body === null ? this.exchange.head : withLength(this.exchange.head, body.length)
		const request = {head, peer: this.#peer, decision, requestId: this.record.id, identity}
		this.#queue(request, body, wish.kind === 'websocket')
	}

	#queue(request: ForwardedRequest, body: Buffer | null, upgrade: boolean) {
		if (Delivery.isShared(request, upgrade)) return this.#deliver(request, body, upgrade)
		const {id, limits} = request.decision.instance
		const place = this.deps.places.enter(id, limits.concurrency, limits.queue, () => this.#deliver(request, body, upgrade))
		if (!isPlace(place)) return this.refuse(place)
		this.#place = place
		if (!place.waits) this.#deliver(request, body, upgrade)
	}

	#deliver(request: ForwardedRequest, body: Buffer | null, upgrade: boolean) {
		if (this.#isOver) return
		this.#delivery = new Delivery(this, request)
		try {
			this.#delivery.start(body, upgrade)
		} catch (error) {
			this.broken(error)
		}
	}

	#answer(answer: OwnAnswer, by: EndedBy = 'cordon') {
		const isHead = this.exchange.head.method === 'HEAD'
		this.record.answered(answer.status, 'cordon')
		this.exchange.sendHead(answer.status, answer.reason, answer.fields, framingOf(answer, isHead))
		if (!isHead) this.exchange.sendData(answer.body)
		this.exchange.sendEnd([])
		this.ended(by, this.record.reason)
	}
}

const internal: Refusal = {
	status: 500,
	reason: 'internal',
	proxyError: 'proxy_internal_error',
	detail: 'The request could not be handled.',
	close: true
}

/** The body was read whole: it is sent with its length, whatever its framing was. */
function withLength(head: RequestHead, length: number): RequestHead {
	return {...head, framing: {kind: 'length', length}}
}

function framingOf(answer: OwnAnswer, isHead: boolean): ResponseFraming {
	const isBodiless = isHead || answer.status === 204
	return isBodiless ? {kind: 'none'} : {kind: 'length', length: answer.body.length}
}

interface Collected {
	done(body: Buffer): void
	failed(refusal: Refusal | null): void
}

/** Reads a whole body, up to `limit` bytes; above that it is 413. Trailers are dropped. */
function collectBody(exchange: ClientExchange, limit: number, pace: BodyPace, collected: Collected) {
	const chunks: Buffer[] = []
	let size = 0
	exchange.readBody(
		{
			data: chunk => {
				const isFull = size > limit
				size += chunk.length
				if (size <= limit) chunks.push(chunk)
				else if (!isFull) collected.failed(badRequest.tooLarge)
			},
			end: () => {
				if (size <= limit) collected.done(Buffer.concat(chunks, size))
			},
			failed: refusal => {
				if (size <= limit) collected.failed(refusal)
			}
		},
		pace
	)
}
