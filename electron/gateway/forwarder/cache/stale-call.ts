/** One request at an instance whose answer is kept when it is good, and replaced by the kept one when it is not. */
import type { TakenOver, UpstreamFailure, UpstreamRequest, UpstreamSink } from '../exchange.ts';
import type { Fields, ResponseHead } from '../message-types.ts';
import type { Start } from './call.ts';
import { isEventStream, type Asked } from './equal.ts';
import type { LastGood, Recording } from './last-good.ts';
import { Replay, type Cause } from './replay.ts';

export interface StaleParts {
  readonly lastGood: LastGood;
  readonly monotonic: () => number;
  readonly pseudonym: string;
}

export interface StaleOptions {
  readonly asked: Asked;
  /** How old a kept answer may be, in seconds. */
  readonly seconds: number;
  readonly sink: UpstreamSink;
}

/** The kept answer at once, without asking the instance; `null` when there is none. */
export function replayNow(parts: StaleParts, options: StaleOptions, cause: Cause): UpstreamRequest | null {
  const { asked, seconds, sink } = options;
  const kept = parts.lastGood.find(asked, seconds);
  if (kept === null) return null;
  return new Replay({ asked, kept, cause, sink, now: parts.monotonic(), pseudonym: parts.pseudonym });
}

/** Asks the instance; its answer is kept when it is good. */
export function sendGuarded(parts: StaleParts, options: StaleOptions, start: Start): UpstreamRequest {
  const request = new Switchable();
  const guard = new Guard(parts, options, request);
  request.onAbort = () => guard.drop();
  request.source = start(guard);
  return request;
}

/** What the client's side holds: the request at the instance, later perhaps what stands in for it. */
class Switchable implements UpstreamRequest {
  source: UpstreamRequest | null = null;
  onAbort: (() => void) | null = null;

  write(chunk: Buffer): boolean {
    return this.source?.write(chunk) ?? true;
  }
  end(trailers: Fields): void {
    this.source?.end(trailers);
  }
  pause(): void {
    this.source?.pause();
  }
  resume(): void {
    this.source?.resume();
  }
  abort(): void {
    this.source?.abort();
    this.onAbort?.();
  }
}

class Guard implements UpstreamSink {
  readonly #parts: StaleParts;
  readonly #options: StaleOptions;
  readonly #request: Switchable;
  readonly #sink: UpstreamSink;
  /** Waits for the first byte of the body: until then a broken answer can still be replaced. */
  #held: ResponseHead | null = null;
  #recording: Recording | null = null;
  #isTold = false;

  constructor(parts: StaleParts, options: StaleOptions, request: Switchable) {
    this.#parts = parts;
    this.#options = options;
    this.#request = request;
    this.#sink = options.sink;
  }

  connected(connectMs: number): void {
    this.#sink.connected(connectMs);
  }

  information(status: number, reason: string, fields: Fields): void {
    this.#sink.information(status, reason, fields);
  }

  head(head: ResponseHead): void {
    const { asked } = this.#options;
    if (head.status >= 500 && this.#replace({ status: head.status })) return;
    if (head.status === 304) this.#parts.lastGood.confirm(asked, head);
    this.#recording = this.#parts.lastGood.record(asked, head);
    this.#held = head;
    if (!isWorthWaiting(asked, head)) this.#tell();
  }

  data(chunk: Buffer): void {
    this.#tell();
    this.#recording?.data(chunk);
    this.#sink.data(chunk);
  }

  end(trailers: Fields): void {
    this.#tell();
    this.#recording?.done();
    this.#sink.end(trailers);
  }

  failed(failure: UpstreamFailure): void {
    this.drop();
    if (!this.#isTold && this.#replace({ refusal: failure.refusal })) return;
    this.#sink.failed(failure);
  }

  switched(head: ResponseHead, taken: TakenOver): void {
    this.#sink.switched(head, taken);
  }

  drain(): void {
    this.#sink.drain();
  }

  /** The client left, or the answer broke: what came of it is worth nothing. */
  drop(): void {
    this.#recording?.drop();
    this.#recording = null;
  }

  #tell(): void {
    if (this.#isTold || this.#held === null) return;
    this.#isTold = true;
    this.#sink.head(this.#held);
  }

  #replace(cause: Cause): boolean {
    const instead = replayNow(this.#parts, this.#options, cause);
    if (instead === null) return false;
    this.#request.source?.abort();
    this.#request.source = instead;
    return true;
  }
}

/** Whether the body follows soon: the first event of a stream may be hours away. */
function isWorthWaiting({ head }: Asked, answer: ResponseHead): boolean {
  return head.method === 'GET' && answer.status === 200 && !isEventStream(answer);
}
