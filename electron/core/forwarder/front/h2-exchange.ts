/** One stream of HTTP/2 as the exchange that every version shares. */
import { constants, type ServerHttp2Stream } from 'node:http2';

import type { ClientExchange, RequestBodySink, TakenOver } from '../exchange.ts';
import type { Fields, Peer, RequestHead, ResponseFraming } from '../types.ts';

/** Never on an HTTP/2 answer: node:http2 throws on them (RFC 9113, section 8.2.2). */
const ofTheConnection = new Set(['connection', 'keep-alive', 'proxy-connection', 'transfer-encoding', 'upgrade', 'te']);
/** Must not be in a trailer section (RFC 9110, section 6.5.1), whatever a list of names lets through. */
const neverTrailing = new Set([...ofTheConnection, 'content-length', 'trailer', 'host']);

export interface StreamStart {
  readonly head: RequestHead;
  readonly peer: Peer;
  /** Unix milliseconds. */
  readonly startedAt: number;
  readonly tlsMs: number | null;
}

export class Http2Exchange implements ClientExchange {
  readonly head: RequestHead;
  readonly peer: Peer;
  readonly startedAt: number;
  readonly tlsMs: number | null;
  onDrain: (() => void) | null = null;
  onAbort: (() => void) | null = null;
  received = 0;
  sent = 0;
  /** Whether we reset the stream ourselves: such a reset is not held against the client. */
  aborted = false;
  readonly #stream: ServerHttp2Stream;
  #body: RequestBodySink | null = null;
  #bodyOver: boolean;
  #trailers: Fields = [];
  #answerTrailers: Fields | null = null;
  #waitsForTrailers = false;
  #ended = false;
  #continued = false;

  constructor(stream: ServerHttp2Stream, start: StreamStart) {
    this.#stream = stream;
    this.head = start.head;
    this.peer = start.peer;
    this.startedAt = start.startedAt;
    this.tlsMs = start.tlsMs;
    this.#bodyOver = start.head.framing.kind === 'none';
    stream.on('drain', () => this.onDrain?.());
    stream.on('close', () => this.#closed());
    stream.on('finish', () => this.#finished());
    stream.on('wantTrailers', () => this.#sendTrailers());
  }

  readBody(sink: RequestBodySink): void {
    if (this.#body !== null) return;
    this.#body = sink;
    if (this.#bodyOver) {
      sink.end([]);
      return;
    }
    if (this.#stream.destroyed) return this.#failBody();
    // The fourth argument is not in the types: names and values in turn, as received.
    this.#stream.on('trailers', (_fields: unknown, _flags: number, ...rest: unknown[]) => {
      this.#trailers = rawFields(rest[0]);
    });
    this.#stream.on('data', (chunk: Buffer) => {
      this.received += chunk.length;
      if (!this.#bodyOver) sink.data(chunk);
    });
    this.#stream.on('end', () => this.#endBody());
  }

  pauseBody(): void {
    this.#stream.pause();
  }

  resumeBody(): void {
    if (this.#body !== null && !this.#bodyOver) this.#stream.resume();
  }

  sendContinue(): void {
    if (this.#continued || !this.head.expectContinue) return;
    this.#continued = true;
    this.sendInformation(100, []);
  }

  sendInformation(status: number, fields: Fields): void {
    const stream = this.#stream;
    // 101 does not exist in HTTP/2.
    if (stream.destroyed || stream.closed || stream.headersSent || status === 101) return;
    const headers: Record<string, string | string[] | number> = { ':status': status };
    for (const [name, value] of pairs(fields, ofTheConnection)) add(headers, name, value);
    try {
      stream.additionalHeaders(headers);
    } catch {
      // A hint that HTTP/2 cannot carry is left out: the answer itself still comes.
    }
  }

  sendHead(status: number, _reason: string, fields: Fields, framing: ResponseFraming): void {
    const stream = this.#stream;
    if (stream.destroyed || stream.closed) return;
    const raw: string[] = [':status', String(status)];
    for (const [name, value] of pairs(fields, ofTheConnection)) {
      // With no body the field tells the length that a GET would have; else the framing tells it.
      if (name !== 'content-length' || framing.kind === 'none') raw.push(name, value);
    }
    if (framing.kind === 'length') raw.push('content-length', String(framing.length));
    const endStream = framing.kind === 'none' || (framing.kind === 'length' && framing.length === 0);
    this.#waitsForTrailers = framing.kind === 'chunked' && this.head.wantsTrailers;
    try {
      stream.respond(raw, { endStream, waitForTrailers: this.#waitsForTrailers });
    } catch {
      this.abort();
    }
  }

  sendData(chunk: Buffer): boolean {
    if (this.#ended || this.#stream.destroyed || this.#stream.writableEnded) return true;
    this.sent += chunk.length;
    return this.#stream.write(chunk);
  }

  sendEnd(trailers: Fields): void {
    if (this.#ended) return;
    this.#ended = true;
    if (this.#stream.destroyed) return;
    this.#answerTrailers = trailers;
    this.#stream.end();
  }

  abort(): void {
    if (this.#stream.destroyed) return;
    this.aborted = true;
    this.#ended = true;
    this.#bodyOver = true;
    this.#stream.close(constants.NGHTTP2_INTERNAL_ERROR);
  }

  takeOver(): TakenOver | null {
    return null;
  }

  /** The answer is out; whatever else of the request comes is not wanted (RFC 9113, section 8.1). */
  #finished(): void {
    if (this.#ended && !this.#bodyOver && !this.#stream.destroyed) {
      this.aborted = true;
      this.#stream.close(constants.NGHTTP2_NO_ERROR);
    }
  }

  #endBody(): void {
    if (this.#bodyOver) return;
    // A stream that the client reset ends its readable side too: that is no end of the body.
    if (this.#stream.closed || this.#stream.destroyed) return this.#failBody();
    this.#bodyOver = true;
    this.#body?.end(this.#trailers);
  }

  #failBody(): void {
    if (this.#bodyOver) return;
    this.#bodyOver = true;
    this.#body?.failed(null);
  }

  #closed(): void {
    this.#failBody();
    const left = !this.#ended;
    this.#ended = true;
    if (left) this.onAbort?.();
  }

  #sendTrailers(): void {
    const headers: Record<string, string | string[] | number> = {};
    for (const [name, value] of pairs(this.#answerTrailers ?? [], neverTrailing)) add(headers, name, value);
    try {
      this.#stream.sendTrailers(headers);
    } catch {
      this.#stream.close(constants.NGHTTP2_INTERNAL_ERROR);
    }
  }
}

function* pairs(fields: Fields, without: ReadonlySet<string>): Generator<[string, string]> {
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const name = (fields[at] ?? '').toLowerCase();
    if (!without.has(name)) yield [name, fields[at + 1] ?? ''];
  }
}

function add(headers: Record<string, string | string[] | number>, name: string, value: string): void {
  const before = headers[name];
  if (before === undefined) headers[name] = value;
  else headers[name] = [...(Array.isArray(before) ? before : [String(before)]), value];
}

function rawFields(value: unknown): Fields {
  return Array.isArray(value) ? value.map(String) : [];
}
