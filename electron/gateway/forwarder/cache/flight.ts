/** One request at the instance, and all clients of its answer. */
import type {UpstreamFailure, UpstreamRequest, UpstreamSink} from '../exchange.ts'
import type {Fields, RequestHead, ResponseHead, Refusal} from '../message-types.ts'
import type {Ticked, Ticker} from '../ticker.ts'
import {fitsVary, isForAll, varyOf} from './equal.ts'
import {Bodiless, type Start} from './call.ts'

/* One client's share of a flight. */

interface Passenger {
	head: RequestHead
	sink: UpstreamSink
	start: Start
}

/** The flight as used by a subscriber. */
interface Carrier {
	/** Gives the subscriber what it has not had. */
	deliver(subscriber: Subscriber): void
	leave(subscriber: Subscriber): void
	/** A subscriber's demand has changed. */
	adjust(): void
}

const tooSlow: Refusal = {status: 503, reason: 'too_slow_to_share', detail: 'The answer was taken too slowly.', close: false}

class Subscriber extends Bodiless {
	readonly head: RequestHead
	readonly sink: UpstreamSink
	readonly #start: Start
	readonly #flight: Carrier
	/** Its own request when the flight's answer was not for it. */
	#own: UpstreamRequest | null = null
	/** Number of the next chunk. */
	at = 0
	isPaused = false
	isTold = false
	isBusy = false
	isGone = false

	constructor(flight: Carrier, passenger: Passenger) {
		super()
		this.#flight = flight
		this.head = passenger.head
		this.sink = passenger.sink
		this.#start = passenger.start
	}

	/** A sink may pause or leave during a callback. */
	get mayHear() {
		return !this.isPaused && !this.isGone
	}

	get mayHearHead() {
		return !this.isGone && this.#own === null
	}

	override pause() {
		this.isPaused = true
		if (this.#own === null) this.#flight.adjust()
		else this.#own.pause()
	}

	override resume() {
		this.isPaused = false
		if (this.#own === null) this.#flight.deliver(this)
		else this.#own.resume()
	}

	override abort() {
		if (this.#own === null) this.#flight.leave(this)
		else this.#own.abort()
		this.isGone = true
	}

	goAlone() {
		try {
			this.#own = this.#start(this.sink)
			if (this.isPaused) this.#own.pause()
		} catch {
			this.failed({refusal: {...tooSlow, reason: 'internal', detail: 'The request could not be sent.'}, stale: false})
		}
	}

	failed(failure: UpstreamFailure) {
		this.isGone = true
		this.sink.failed(failure)
	}
}

/** The part of a body that clients may still need. */
class HeldBody {
	/** Total bytes, and held bytes. */
	size = 0
	held = 0
	#chunks: Buffer[] = []
	/** Number of chunks dropped from the beginning. */
	#dropped = 0
	readonly #all: {held: number}

	/** `all`: counts the bytes of all bodies. */
	constructor(all: {held: number}) {
		this.#all = all
	}

	/** Number of the next chunk. */
	get end() {
		return this.#dropped + this.#chunks.length
	}

	at(number: number) {
		return this.#chunks[number - this.#dropped]
	}

	push(chunk: Buffer) {
		this.#chunks.push(chunk)
		this.size += chunk.length
		this.#hold(chunk.length)
	}

	dropBefore(number: number) {
		const count = Math.min(this.#chunks.length, number - this.#dropped)
		if (count <= 0) return
		for (const chunk of this.#chunks.splice(0, count)) this.#hold(-chunk.length)
		this.#dropped += count
	}

	clear() {
		this.dropBefore(this.end)
	}

	#hold(bytes: number) {
		this.held += bytes
		this.#all.held += bytes
	}
}

export interface FlightLimits {
	/** Bytes held from the beginning for later clients. */
	readonly joinBytes: number
	readonly leastHeld: number
	readonly mostHeld: number
	readonly mostHeldInAll: number
	readonly stuckMs: number
}

/** State shared by all flights. */
export interface CoalescingContext {
	ticker: Ticker
	limits: FlightLimits
	/** Of all flights together. */
	held: number
	/** Closed for joining. */
	closed(flight: Flight): void
	/** The answers to this request are for one client only. */
	alone(key: string): void
}

export class Flight implements UpstreamSink, Ticked {
	readonly key: string
	readonly #context: CoalescingContext
	#upstream: UpstreamRequest | null = null
	readonly #subscribers = new Set<Subscriber>()
	/** The client whose request was sent, and the answer to it. */
	#leader: Subscriber | null = null
	#asked: RequestHead | null = null
	#head: ResponseHead | null = null
	#vary: Fields = []
	#source: 'shared' | 'stale' = 'shared'
	readonly #body: HeldBody
	#isOpen = true
	#trailers: Fields | null = null
	#isPaused = false
	#stuckAt = Infinity
	#slowestWas = -1

	constructor(key: string, context: CoalescingContext) {
		this.key = key
		this.#context = context
		this.#body = new HeldBody(context)
	}

	begin(passenger: Passenger): UpstreamRequest {
		const subscriber = new Subscriber(this, passenger)
		this.#leader = subscriber
		this.#asked = passenger.head
		this.#subscribers.add(subscriber)
		try {
			this.#upstream = passenger.start(this)
		} catch (error) {
			this.#close()
			throw error
		}
		return subscriber
	}

	/** `null`: the answer varies with a field in which this client differs. */
	join(passenger: Passenger): UpstreamRequest | null {
		if (this.#head !== null && !fitsVary(this.#vary, passenger.head)) return null
		const subscriber = new Subscriber(this, passenger)
		this.#subscribers.add(subscriber)
		if (this.#head !== null) queueMicrotask(() => this.#catchUp(subscriber))
		return subscriber
	}

	// ---- the instance ----

	source(source: 'stale' | 'shared') {
		this.#source = source
	}

	connected(connectMs: number) {
		this.#leader?.sink.connected(connectMs)
	}

	information(status: number, reason: string, fields: Fields) {
		for (const subscriber of [...this.#subscribers]) subscriber.sink.information(status, reason, fields)
	}

	head(head: ResponseHead) {
		this.#head = head
		const isShared = isForAll(head)
		if (!isShared) {
			this.#context.alone(this.key)
			this.#close()
		}
		this.#vary = this.#asked === null ? [] : varyOf(head, this.#asked)
		for (const subscriber of [...this.#subscribers]) {
			const mayHave = subscriber === this.#leader || (isShared && fitsVary(this.#vary, subscriber.head))
			if (mayHave) this.#tellHead(subscriber, head)
			else this.#dismiss(subscriber)
		}
		if (this.#subscribers.size === 0) this.#abandon()
	}

	data(chunk: Buffer) {
		this.#body.push(chunk)
		if (this.#isOpen && this.#body.size > this.#context.limits.joinBytes) this.#close()
		for (const subscriber of [...this.#subscribers]) this.#give(subscriber)
		this.adjust()
	}

	end(trailers: Fields) {
		this.#trailers = trailers
		this.#close()
		for (const subscriber of [...this.#subscribers]) this.#give(subscriber)
		this.#trim()
	}

	failed(failure: UpstreamFailure) {
		this.#close()
		const all = [...this.#subscribers]
		this.#subscribers.clear()
		this.#forget()
		for (const subscriber of all) subscriber.failed(failure)
	}

	/** Shared answers never leave HTTP. */
	switched(_head: ResponseHead, taken: {socket: {destroy(): void}}) {
		taken.socket.destroy()
		this.failed({refusal: tooSlow, stale: false})
	}

	drain() {}

	// ---- subscribers ----

	deliver(subscriber: Subscriber) {
		this.#give(subscriber)
		this.adjust()
	}

	leave(subscriber: Subscriber) {
		if (!this.#subscribers.has(subscriber)) return
		this.#remove(subscriber)
		if (this.#subscribers.size === 0) this.#abandon()
		else this.adjust()
	}

	/** Pauses the instance when no client reads, or when too much is held for the slowest. */
	adjust() {
		if (this.#subscribers.size === 0) return
		this.#trim()
		const {limits, held, ticker} = this.#context
		const bound = held > limits.mostHeldInAll ? limits.leastHeld : limits.mostHeld
		const isFull = this.#subscribers.size > 1 && this.#body.held > bound
		const shouldPause = isFull || [...this.#subscribers].every(subscriber => subscriber.isPaused)
		this.#watch(isFull, ticker.after(limits.stuckMs))
		if (shouldPause === this.#isPaused || this.#trailers !== null) return
		this.#isPaused = shouldPause
		if (shouldPause) this.#upstream?.pause()
		else this.#upstream?.resume()
	}

	tick(now: number) {
		if (now < this.#stuckAt) return
		const at = this.#slowest()
		const all = [...this.#subscribers]
		// All are equally slow: nobody waits.
		if (all.every(subscriber => subscriber.at === at)) return
		for (const subscriber of all) {
			if (subscriber.at > at) continue
			this.#remove(subscriber)
			subscriber.failed({refusal: tooSlow, stale: false})
		}
		this.adjust()
	}

	// ----

	/** Gives a subscriber what it has not had, as far as it accepts. */
	#give(subscriber: Subscriber) {
		if (subscriber.isBusy || !subscriber.isTold) return
		subscriber.isBusy = true
		while (subscriber.mayHear && subscriber.at < this.#body.end) {
			const chunk = this.#body.at(subscriber.at)
			subscriber.at += 1
			if (chunk !== undefined) subscriber.sink.data(chunk)
		}
		subscriber.isBusy = false
		const hasAll = this.#trailers !== null && subscriber.at >= this.#body.end
		if (!subscriber.mayHear || !hasAll) return
		this.#remove(subscriber)
		subscriber.sink.end(this.#trailers ?? [])
	}

	/** All clients have left. */
	#abandon() {
		this.#close()
		if (this.#trailers === null) this.#upstream?.abort()
		this.#trailers = []
	}

	#catchUp(subscriber: Subscriber) {
		if (this.#head === null || !subscriber.mayHearHead) return
		this.#tellHead(subscriber, this.#head)
		this.deliver(subscriber)
	}

	#tellHead(subscriber: Subscriber, head: ResponseHead) {
		if (subscriber.isTold || !this.#subscribers.has(subscriber)) return
		subscriber.isTold = true
		if (subscriber !== this.#leader || this.#source === 'stale') subscriber.sink.source?.(this.#source)
		subscriber.sink.head(head)
	}

	/** This client cannot share the answer: it sends its own request. */
	#dismiss(subscriber: Subscriber) {
		this.#subscribers.delete(subscriber)
		subscriber.goAlone()
	}

	#watch(isFull: boolean, deadline: number) {
		const slowest = isFull ? this.#slowest() : -1
		if (slowest === this.#slowestWas) return
		this.#slowestWas = slowest
		this.#stuckAt = isFull ? deadline : Infinity
		if (isFull) this.#context.ticker.add(this)
		else this.#context.ticker.remove(this)
	}

	#slowest() {
		let at = Infinity
		for (const subscriber of this.#subscribers) at = Math.min(at, subscriber.at)
		return at
	}

	/** While clients can join, the beginning is held. */
	#trim() {
		if (!this.#isOpen) this.#body.dropBefore(this.#slowest())
	}

	#remove(subscriber: Subscriber) {
		this.#subscribers.delete(subscriber)
		if (this.#leader === subscriber) this.#leader = null
		subscriber.isGone = true
		if (this.#subscribers.size === 0) this.#forget()
	}

	#forget() {
		this.#context.ticker.remove(this)
		this.#stuckAt = Infinity
		this.#body.clear()
	}

	#close() {
		if (!this.#isOpen) return
		this.#isOpen = false
		this.#context.closed(this)
	}
}
