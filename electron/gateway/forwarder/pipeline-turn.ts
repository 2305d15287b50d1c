/** Requests without a body that several clients may share wait for their place only when the instance is really asked. */
import { Bodiless, type Start } from './cache/call.ts';
import type { TakenOver, UpstreamFailure, UpstreamRequest, UpstreamSink } from './exchange.ts';
import { isPlace, type Place, type Places } from './rate/places.ts';
import type { Fields, Refusal, ResponseHead } from './message-types.ts';
import type { ForwardedInstance } from './types.ts';

/** `start` when its turn comes; the place is given back when the answer has ended, however it ends. */
export function inTurn(places: Places, { id, limits }: ForwardedInstance, start: Start): Start {
  if (limits.concurrency <= 0) return start;
  return (sink) => new Turn(sink, start, (onTurn) => places.enter(id, limits.concurrency, limits.queue, onTurn));
}

class Turn extends Bodiless {
  readonly #sink: Leaving;
  readonly #start: Start;
  #place: Place | null = null;
  #request: UpstreamRequest | null = null;
  #isPaused = false;
  #isOver = false;

  constructor(sink: UpstreamSink, start: Start, enter: (onTurn: () => void) => Place | Refusal) {
    super();
    this.#start = start;
    this.#sink = new Leaving(sink, () => this.#leave());
    const place = enter(() => this.#begin());
    if (isPlace(place)) {
      this.#place = place;
      if (!place.waits) this.#begin();
    } else queueMicrotask(() => this.#refused(place));
  }

  pause(): void {
    this.#isPaused = true;
    this.#request?.pause();
  }

  resume(): void {
    this.#isPaused = false;
    this.#request?.resume();
  }

  abort(): void {
    this.#leave();
    this.#request?.abort();
  }

  #begin(): void {
    if (this.#isOver) return;
    this.#request = this.#start(this.#sink);
    if (this.#isPaused) this.#request.pause();
  }

  #refused(refusal: Refusal): void {
    if (!this.#isOver) this.#sink.failed({ refusal, stale: false });
  }

  #leave(): void {
    this.#isOver = true;
    this.#place?.leave();
  }
}

class Leaving implements UpstreamSink {
  readonly #sink: UpstreamSink;
  readonly #leave: () => void;

  constructor(sink: UpstreamSink, leave: () => void) {
    this.#sink = sink;
    this.#leave = leave;
  }

  source(source: 'stale' | 'shared'): void {
    this.#sink.source?.(source);
  }

  connected(connectMs: number): void {
    this.#sink.connected(connectMs);
  }

  information(status: number, reason: string, fields: Fields): void {
    this.#sink.information(status, reason, fields);
  }

  head(head: ResponseHead): void {
    this.#sink.head(head);
  }

  data(chunk: Buffer): void {
    this.#sink.data(chunk);
  }

  end(trailers: Fields): void {
    this.#leave();
    this.#sink.end(trailers);
  }

  failed(failure: UpstreamFailure): void {
    this.#leave();
    this.#sink.failed(failure);
  }

  switched(head: ResponseHead, taken: TakenOver): void {
    this.#leave();
    this.#sink.switched(head, taken);
  }

  drain(): void {
    this.#sink.drain();
  }
}
