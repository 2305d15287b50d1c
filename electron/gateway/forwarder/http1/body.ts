import type { BodyLimits, BodyReader, BodySide, BodySink, RequestFraming, ResponseFraming } from '../message-types.ts';
import { createChunkedReader } from './chunked.ts';

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
