/** A kept answer, told again as if an instance told it. */
import type { UpstreamSink } from '../exchange.ts';
import type { Fields, Refusal, ResponseHead } from '../message-types.ts';
import { Bodiless } from './call.ts';
import { withoutFields, type Asked } from './equal.ts';
import { isKnownTo, type Kept } from './last-good.ts';

/** Why the instance was not heard: what it answered, or what went wrong. */
export type Cause = { readonly status: number } | { readonly refusal: Refusal };

export interface ReplayOptions {
  readonly asked: Asked;
  readonly kept: Kept;
  readonly cause: Cause;
  readonly sink: UpstreamSink;
  /** Milliseconds that never go backwards. */
  readonly now: number;
  /** Ours, in `Proxy-Status`. */
  readonly pseudonym: string;
}

const framingFields = ['content-length', 'transfer-encoding', 'trailer', 'age', 'proxy-status'];

export class Replay extends Bodiless {
  readonly #options: ReplayOptions;
  #at = -1;
  #isPaused = false;
  #isOver = false;
  #isTelling = false;

  constructor(options: ReplayOptions) {
    super();
    this.#options = options;
    queueMicrotask(() => this.#tell());
  }

  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    if (this.#at >= 0) this.#tell();
  }

  abort(): void {
    this.#isOver = true;
  }

  #tell(): void {
    if (this.#isTelling || this.#isOver) return;
    this.#isTelling = true;
    const { sink, asked, kept } = this.#options;
    const isKnown = isKnownTo(asked, kept);
    const chunks = isKnown || asked.head.method === 'HEAD' ? [] : kept.chunks;
    if (this.#at < 0) {
      this.#at = 0;
      sink.source?.('stale');
      sink.head(staleHead(this.#options, isKnown));
    }
    while (!this.#isHeldUp() && this.#at < chunks.length) {
      const chunk = chunks[this.#at++];
      if (chunk !== undefined && chunk.length > 0) sink.data(chunk);
    }
    this.#isTelling = false;
    if (this.#isHeldUp()) return;
    this.#isOver = true;
    sink.end([]);
  }

  /** A sink may stop us from within what it is told. */
  #isHeldUp(): boolean {
    return this.#isPaused || this.#isOver;
  }
}

function staleHead({ asked, kept, cause, now, pseudonym }: ReplayOptions, isKnown: boolean): ResponseHead {
  const age = kept.age + Math.max(0, Math.floor((now - kept.keptAt) / 1000));
  const marks = ['Age', String(age), 'Proxy-Status', proxyStatus(pseudonym, cause)];
  const fields = [...withoutFields(kept.head.fields, framingFields), ...marks];
  const common = { version: '1.1', connection: kept.head.connection, keepAlive: true } as const;
  if (isKnown) {
    const left = withoutFields(fields, ['content-type', 'content-encoding', 'content-language', 'content-range']);
    return { ...common, status: 304, reason: 'Not Modified', fields: left, framing: { kind: 'none' } };
  }
  const { status, reason } = kept.head;
  if (asked.head.method === 'HEAD') {
    const length: Fields = ['Content-Length', String(kept.size)];
    return { ...common, status, reason, fields: [...fields, ...length], framing: { kind: 'none' } };
  }
  return { ...common, status, reason, fields, framing: { kind: 'length', length: kept.size } };
}

/** RFC 9209. The name of a server must be a token that begins with a letter, or stand in quotes (RFC 8941, 3.3). */
function proxyStatus(pseudonym: string, cause: Cause): string {
  const name = pseudonym.replaceAll(/[^A-Za-z0-9._-]/g, '-') || 'cordon';
  const us = /^[A-Za-z]/.test(name) ? name : `"${name}"`;
  const why =
    'status' in cause
      ? `received-status=${cause.status}`
      : `error=${cause.refusal.proxyError ?? 'destination_unavailable'}`;
  return `${us}; ${why}; details="the last good answer"`;
}
