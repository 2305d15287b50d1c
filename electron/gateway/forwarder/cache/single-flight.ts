/**
 * Equal GETs at the same time cost one request at the instance.
 *
 * The body is read once and held until the slowest client has it, so that one slow client does not slow the others: up to
 * `mostHeld` bytes a flight while all flights hold less than `mostHeldInAll`, else up to `leastHeld`. At that bound the
 * instance waits for the slowest client; when that one takes nothing for `stuckMs` while others wait for it, its answer is
 * cut (and looks cut): what it has already got cannot be continued by another request. A client alone is not held for:
 * the instance waits for it as if there were no flight. Who comes later joins while the beginning is still held.
 */
import type { UpstreamRequest, UpstreamSink } from '../exchange.ts';
import type { Ticker } from '../ticker.ts';
import type { RequestHead } from '../message-types.ts';
import type { Start } from './call.ts';
import { Flight, type Airspace, type FlightLimits } from './flight.ts';

export const flightLimits: FlightLimits = {
  joinBytes: 1 << 20,
  leastHeld: 1 << 20,
  mostHeld: 32 << 20,
  mostHeldInAll: 64 << 20,
  stuckMs: 10_000,
};

/** How long the answers to a request are known to be for one client only, so that others do not wait for nothing. */
const aloneMs = 60_000;
const mostAlone = 1000;

export interface SingleFlight {
  /** Joins a flight with this key, or starts one. `start` may be called later, when the answer turns out not to be shareable. */
  send(key: string, head: RequestHead, sink: UpstreamSink, start: Start): UpstreamRequest;
  readonly running: number;
}

export function createSingleFlight(ticker: Ticker, limits: FlightLimits = flightLimits): SingleFlight {
  return new Flights(ticker, limits);
}

class Flights implements SingleFlight, Airspace {
  held = 0;
  readonly ticker: Ticker;
  readonly limits: FlightLimits;
  readonly #open = new Map<string, Flight>();
  readonly #alone = new Map<string, number>();

  constructor(ticker: Ticker, limits: FlightLimits) {
    this.ticker = ticker;
    this.limits = limits;
  }

  get running(): number {
    return this.#open.size;
  }

  send(key: string, head: RequestHead, sink: UpstreamSink, start: Start): UpstreamRequest {
    const passenger = { head, sink, start };
    const flight = this.#open.get(key);
    if (flight !== undefined) return flight.join(passenger) ?? start(sink);
    if ((this.#alone.get(key) ?? 0) > this.ticker.now) return start(sink);
    const begun = new Flight(key, this);
    this.#open.set(key, begun);
    return begun.begin(passenger);
  }

  closed(flight: Flight): void {
    if (this.#open.get(flight.key) === flight) this.#open.delete(flight.key);
  }

  alone(key: string): void {
    this.#alone.delete(key);
    this.#alone.set(key, this.ticker.now + aloneMs);
    for (const old of this.#alone.keys()) {
      if (this.#alone.size <= mostAlone) break;
      this.#alone.delete(old);
    }
  }
}
