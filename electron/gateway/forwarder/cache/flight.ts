/** One request at the instance, and all clients of its answer. */
import type {UpstreamFailure, UpstreamRequest, UpstreamSink} from '../exchange.ts'
import type {Fields, RequestHead, ResponseHead, Refusal} from '../message-types.ts'
import type {Ticked, Ticker} from '../ticker.ts'
import {fitsVary, isForAll, varyOf} from './equal.ts'
import {Bodiless, type Start} from './call.ts'

/* One client's share of a flight. */

interface Passenger {
	readonly head: RequestHead
	readonly sink: UpstreamSink
	readonly start: Start
}

/** The flight as used by a rider. */
interface Carrier {
	/** Gives the rider what it has not had. */
	deliver(rider: Rider): void
	leave(rider: Rider): void
	/** A rider's demand has changed. */
	adjust(): void
}

const tooSlow: Refusal = {status: 503, reason: 'too_slow_to_share', detail: 'The answer was taken too slowly.', close: false}

class Rider extends Bodiless {
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
	get mayHear(): boolean {
		return !this.isPaused && !this.isGone
	}

	get mayHearHead(): boolean {
		return !this.isGone && this.#own === null
	}

	override pause(): void {
		this.isPaused = true
		if (this.#own === null) this.#flight.adjust()
		else this.#own.pause()
	}

	override resume(): void {
		this.isPaused = false
		if (this.#own === null) this.#flight.deliver(this)
		else this.#own.resume()
	}

	override abort(): void {
		if (this.#own === null) this.#flight.leave(this)
		else this.#own.abort()
		this.isGone = true
	}

	goAlone(): void {
		try {
			this.#own = this.#start(this.sink)
			if (this.isPaused) this.#own.pause()
		} catch {
			this.failed({refusal: {...tooSlow, reason: 'internal', detail: 'The request could not be sent.'}, stale: false})
		}
	}

	failed(failure: UpstreamFailure): void {
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
	get end(): number {
		return this.#dropped + this.#chunks.length
	}

	at(number: number): Buffer | undefined {
		return this.#chunks[number - this.#dropped]
	}

	push(chunk: Buffer): void {
		this.#chunks.push(chunk)
		this.size += chunk.length
		this.#hold(chunk.length)
	}

	dropBefore(number: number): void {
		const count = Math.min(this.#chunks.length, number - this.#dropped)
		if (count <= 0) return
		for (const chunk of this.#chunks.splice(0, count)) this.#hold(-chunk.length)
		this.#dropped += count
	}

	clear(): void {
		this.dropBefore(this.end)
	}

	#hold(bytes: number): void {
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
export interface Airspace {
	readonly ticker: Ticker
	readonly limits: FlightLimits
	/** Of all flights together. */
	held: number
	/** Closed for joining. */
	closed(flight: Flight): void
	/** The answers to this request are for one client only. */
	alone(key: string): void
}

export class Flight implements UpstreamSink, Ticked {
	readonly key: string
	readonly #airspace: Airspace
	#upstream: UpstreamRequest | null = null
	readonly #riders = new Set<Rider>()
	/** The client whose request was sent, and the answer to it. */
	#leader: Rider | null = null
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

	constructor(key: string, airspace: Airspace) {
		this.key = key
		this.#airspace = airspace
		this.#body = new HeldBody(airspace)
	}

	begin(passenger: Passenger): UpstreamRequest {
		const rider = new Rider(this, passenger)
		this.#leader = rider
		this.#asked = passenger.head
		this.#riders.add(rider)
		try {
			this.#upstream = passenger.start(this)
		} catch (error) {
			this.#close()
			throw error
		}
		return rider
	}

	/** `null`: the answer varies with a field in which this client differs. */
	join(passenger: Passenger): UpstreamRequest | null {
		if (this.#head !== null && !fitsVary(this.#vary, passenger.head)) return null
		const rider = new Rider(this, passenger)
		this.#riders.add(rider)
		if (this.#head !== null) queueMicrotask(() => this.#catchUp(rider))
		return rider
	}

	// ---- the instance ----

	source(source: 'stale' | 'shared'): void {
		this.#source = source
	}

	connected(connectMs: number): void {
		this.#leader?.sink.connected(connectMs)
	}

	information(status: number, reason: string, fields: Fields): void {
		for (const rider of [...this.#riders]) rider.sink.information(status, reason, fields)
	}

	head(head: ResponseHead): void {
		this.#head = head
		const isShared = isForAll(head)
		if (!isShared) {
			this.#airspace.alone(this.key)
			this.#close()
		}
		this.#vary = this.#asked === null ? [] : varyOf(head, this.#asked)
		for (const rider of [...this.#riders]) {
			const mayHave = rider === this.#leader || (isShared && fitsVary(this.#vary, rider.head))
			if (mayHave) this.#tellHead(rider, head)
			else this.#dismiss(rider)
		}
		if (this.#riders.size === 0) this.#abandon()
	}

	data(chunk: Buffer): void {
		this.#body.push(chunk)
		if (this.#isOpen && this.#body.size > this.#airspace.limits.joinBytes) this.#close()
		for (const rider of [...this.#riders]) this.#give(rider)
		this.adjust()
	}

	end(trailers: Fields): void {
		this.#trailers = trailers
		this.#close()
		for (const rider of [...this.#riders]) this.#give(rider)
		this.#trim()
	}

	failed(failure: UpstreamFailure): void {
		this.#close()
		const all = [...this.#riders]
		this.#riders.clear()
		this.#forget()
		for (const rider of all) rider.failed(failure)
	}

	/** Shared answers never leave HTTP. */
	switched(_head: ResponseHead, taken: {readonly socket: {destroy(): void}}): void {
		taken.socket.destroy()
		this.failed({refusal: tooSlow, stale: false})
	}

	drain(): void {}

	// ---- riders ----

	deliver(rider: Rider): void {
		this.#give(rider)
		this.adjust()
	}

	leave(rider: Rider): void {
		if (!this.#riders.has(rider)) return
		this.#remove(rider)
		if (this.#riders.size === 0) this.#abandon()
		else this.adjust()
	}

	/** Pauses the instance when no client reads, or when too much is held for the slowest. */
	adjust(): void {
		if (this.#riders.size === 0) return
		this.#trim()
		const {limits, held, ticker} = this.#airspace
		const bound = held > limits.mostHeldInAll ? limits.leastHeld : limits.mostHeld
		const isFull = this.#riders.size > 1 && this.#body.held > bound
		const shouldPause = isFull || [...this.#riders].every(rider => rider.isPaused)
		this.#watch(isFull, ticker.after(limits.stuckMs))
		if (shouldPause === this.#isPaused || this.#trailers !== null) return
		this.#isPaused = shouldPause
		if (shouldPause) this.#upstream?.pause()
		else this.#upstream?.resume()
	}

	tick(now: number): void {
		if (now < this.#stuckAt) return
		const at = this.#slowest()
		const all = [...this.#riders]
		// All are equally slow: nobody waits.
		if (all.every(rider => rider.at === at)) return
		for (const rider of all) {
			if (rider.at > at) continue
			this.#remove(rider)
			rider.failed({refusal: tooSlow, stale: false})
		}
		this.adjust()
	}

	// ----

	/** Gives a rider what it has not had, as far as it accepts. */
	#give(rider: Rider): void {
		if (rider.isBusy || !rider.isTold) return
		rider.isBusy = true
		while (rider.mayHear && rider.at < this.#body.end) {
			const chunk = this.#body.at(rider.at)
			rider.at += 1
			if (chunk !== undefined) rider.sink.data(chunk)
		}
		rider.isBusy = false
		const hasAll = this.#trailers !== null && rider.at >= this.#body.end
		if (!rider.mayHear || !hasAll) return
		this.#remove(rider)
		rider.sink.end(this.#trailers ?? [])
	}

	/** All clients have left. */
	#abandon(): void {
		this.#close()
		if (this.#trailers === null) this.#upstream?.abort()
		this.#trailers = []
	}

	#catchUp(rider: Rider): void {
		if (this.#head === null || !rider.mayHearHead) return
		this.#tellHead(rider, this.#head)
		this.deliver(rider)
	}

	#tellHead(rider: Rider, head: ResponseHead): void {
		if (rider.isTold || !this.#riders.has(rider)) return
		rider.isTold = true
		if (rider !== this.#leader || this.#source === 'stale') rider.sink.source?.(this.#source)
		rider.sink.head(head)
	}

	/** This client cannot share the answer: it sends its own request. */
	#dismiss(rider: Rider): void {
		this.#riders.delete(rider)
		rider.goAlone()
	}

	#watch(isFull: boolean, deadline: number): void {
		const slowest = isFull ? this.#slowest() : -1
		if (slowest === this.#slowestWas) return
		this.#slowestWas = slowest
		this.#stuckAt = isFull ? deadline : Infinity
		if (isFull) this.#airspace.ticker.add(this)
		else this.#airspace.ticker.remove(this)
	}

	#slowest(): number {
		let at = Infinity
		for (const rider of this.#riders) at = Math.min(at, rider.at)
		return at
	}

	/** While clients can join, the beginning is held. */
	#trim(): void {
		if (!this.#isOpen) this.#body.dropBefore(this.#slowest())
	}

	#remove(rider: Rider): void {
		this.#riders.delete(rider)
		if (this.#leader === rider) this.#leader = null
		rider.isGone = true
		if (this.#riders.size === 0) this.#forget()
	}

	#forget(): void {
		this.#airspace.ticker.remove(this)
		this.#stuckAt = Infinity
		this.#body.clear()
	}

	#close(): void {
		if (!this.#isOpen) return
		this.#isOpen = false
		this.#airspace.closed(this)
	}
}
