import type { Fields, Refusal, RequestFraming, ResponseFraming } from '../message-types.ts';
import { createChunkedReader } from './chunked.ts';

/** Where decoded bytes go; `RequestBodySink` and `UpstreamSink` fit with little. Called from within `push`. */
export interface BodySink {
  /** A slice of what was pushed, not a copy: whoever keeps it keeps the whole piece alive. */
  data(slice: Buffer): void;
  /** Last. `trailers`: as received, not yet filtered. */
  end(trailers: Fields): void;
  /** Last. A rule was broken; nothing of the connection can be used any more. */
  failed(refusal: Refusal): void;
}

export interface BodyLimits {
  /** Bytes of chunk extensions, a message. */
  readonly chunkOverheadBytes: number;
  /** Bytes of the trailer section. */
  readonly headBytes: number;
  readonly fields: number;
}

export type BodySide = 'request' | 'response';

export interface BodyReader {
  /** `done` from the start when there is nothing to read; the sink hears nothing then. */
  readonly state: 'open' | 'done' | 'failed' | 'stopped';
  /** Bytes of data so far, without framing. */
  readonly received: number;
  /** Decodes from `from` to the end of `chunk`; gives the first byte it did not use: when `done`, of the next message. */
  push(chunk: Buffer, from: number): number;
  /** The other side closed. `true`: that is a proper end (`end` is called if it was not); `false`: the body is cut short. */
  close(): boolean;
  /** From within a sink's call too: the sink hears nothing more. */
  stop(): void;
}

class CountedReader implements BodyReader {
  state: BodyReader['state'];
  received = 0;
  readonly #length: number;
  readonly #sink: BodySink;

  constructor(length: number, sink: BodySink) {
    this.#length = length;
    this.#sink = sink;
    this.state = length === 0 ? 'done' : 'open';
  }

  push(chunk: Buffer, from: number): number {
    if (this.state !== 'open' || from >= chunk.length) return from;
    const to = Math.min(chunk.length, from + this.#length - this.received);
    this.received += to - from;
    const isLast = this.received === this.#length;
    this.#sink.data(from === 0 && to === chunk.length ? chunk : chunk.subarray(from, to));
    if (isLast && this.state === 'open') {
      this.state = 'done';
      this.#sink.end([]);
    }
    return to;
  }

  close(): boolean {
    return this.state === 'done';
  }

  stop(): void {
    if (this.state === 'open') this.state = 'stopped';
  }
}

/** Everything until the other side closes: no end but that. */
class ClosingReader implements BodyReader {
  state: BodyReader['state'] = 'open';
  received = 0;
  readonly #sink: BodySink;

  constructor(sink: BodySink) {
    this.#sink = sink;
  }

  push(chunk: Buffer, from: number): number {
    if (this.state !== 'open' || from >= chunk.length) return from;
    this.received += chunk.length - from;
    this.#sink.data(from === 0 ? chunk : chunk.subarray(from));
    return chunk.length;
  }

  close(): boolean {
    if (this.state === 'open') {
      this.state = 'done';
      this.#sink.end([]);
    }
    return this.state === 'done';
  }

  stop(): void {
    if (this.state === 'open') this.state = 'stopped';
  }
}

/** Decodes one message's body from pieces as they come, of any size, without copies. */
export function createBodyReader(
  framing: RequestFraming | ResponseFraming,
  limits: BodyLimits,
  side: BodySide,
  sink: BodySink,
): BodyReader {
  switch (framing.kind) {
    case 'none':
      return new CountedReader(0, sink);
    case 'length':
      return new CountedReader(framing.length, sink);
    case 'close':
      return new ClosingReader(sink);
    case 'chunked':
      return createChunkedReader(limits, side, sink);
  }
}
