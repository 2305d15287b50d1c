/** One client's share of a flight. */
import type {UpstreamFailure, UpstreamRequest, UpstreamSink} from '../exchange.ts'
import type {Refusal, RequestHead} from '../message-types.ts'
import {Bodiless, type Start} from './call.ts'

export interface Passenger {
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

export const tooSlow: Refusal = {
	status: 503,
	reason: 'too_slow_to_share',
	detail: 'The answer was taken too slowly.',
	close: false,
}

export class Rider extends Bodiless {
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
