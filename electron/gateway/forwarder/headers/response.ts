/** What the client is told of an instance's answer (route description, 1.5). The framing is left to whoever writes it. */
import { contentLength } from '../http1/fields.ts';
import type { ForwardedRequest } from '../pipeline-parts.ts';
import type { Fields, ResponseHead } from '../message-types.ts';
import type { ForwardedInstance, ForwarderConfig } from '../types.ts';
import { scopeCookie } from './cookie.ts';
import { ownAuthorities, rewriteReference, rewriteRefresh } from './location.ts';
import { combined, only } from './lookup.ts';
import { notFromInstances } from './names.ts';
import { announced, compileTrailers, passTrailers } from './trailers.ts';

export interface ResponseReader {
  fields(head: ResponseHead, request: ForwardedRequest): Fields;
  /** Of an interim answer. */
  interim(fields: Fields, request: ForwardedRequest): Fields;
  /** Those that the list allows. */
  trailers(fields: Fields): Fields;
}

/** What browsers are told behind a certificate that everyone trusts: a year. */
export const strictTransport = 'max-age=31536000';

class Reader implements ResponseReader {
  readonly #instance: ForwardedInstance;
  readonly #isStrict: boolean;
  readonly #own: readonly string[];
  readonly #trailers: ReadonlySet<string>;

  constructor(instance: ForwardedInstance, config: ForwarderConfig) {
    this.#instance = instance;
    this.#isStrict = config.strictTransportSecurity;
    this.#own = ownAuthorities(instance);
    this.#trailers = compileTrailers(instance.trailers);
  }

  fields(head: ResponseHead, request: ForwardedRequest): Fields {
    const { fields, connection } = head;
    const passed: string[] = [];
    let hasDate = false;
    for (let at = 0; at < fields.length; at += 2) {
      const name = fields[at] ?? '';
      const lower = name.toLowerCase();
      if (notFromInstances.has(lower) || (connection.length > 0 && connection.includes(lower))) continue;
      if (lower === 'date') {
        if (hasDate) continue;
        hasDate = true;
      }
      passed.push(name, this.#value(lower, fields[at + 1] ?? '', request));
    }
    if (!hasDate) passed.push('Date', new Date().toUTCString());
    passed.push('X-Request-Id', request.requestId);
    if (this.#isStrict) passed.push('Strict-Transport-Security', strictTransport);
    return this.#framed(passed, head, request);
  }

  interim(fields: Fields, request: ForwardedRequest): Fields {
    const passed: string[] = [];
    for (let at = 0; at < fields.length; at += 2) {
      const name = fields[at] ?? '';
      const lower = name.toLowerCase();
      // Nothing that must be said once, at the end, may be said early.
      if (notFromInstances.has(lower) || lower === 'set-cookie' || lower === 'date') continue;
      passed.push(name, this.#value(lower, fields[at + 1] ?? '', request));
    }
    return passed;
  }

  trailers(fields: Fields): Fields {
    return passTrailers(fields, this.#trailers);
  }

  #value(name: string, value: string, request: ForwardedRequest): string {
    switch (name) {
      case 'location':
      case 'content-location':
        return this.#instance.rewriteLocation ? this.#reference(value, request) : value;
      case 'refresh':
        return this.#instance.rewriteLocation ? rewriteRefresh(value, (one) => this.#reference(one, request)) : value;
      case 'set-cookie':
        return this.#instance.scopeCookies ? scopeCookie(value, request.decision.prefix) : value;
      default:
        return value;
    }
  }

  #reference(value: string, { decision, head }: ForwardedRequest): string {
    return rewriteReference(value, decision.prefix, head.authority, this.#own);
  }

  /** A length without a body is information: answers to HEAD and 304 keep it. Trailers are announced when they may come. */
  #framed(passed: string[], { framing, status, fields }: ResponseHead, { head }: ForwardedRequest): string[] {
    if (framing.kind === 'none' && (status === 304 || (head.method === 'HEAD' && status >= 200 && status !== 204))) {
      const length = contentLength(only(fields, 'content-length') ?? '');
      if (length !== null) passed.push('Content-Length', String(length));
    }
    if (framing.kind === 'chunked' && head.wantsTrailers) {
      const trailer = announced(combined(fields, 'trailer'), this.#trailers);
      if (trailer !== null) passed.push('Trailer', trailer);
    }
    return passed;
  }
}

/** All that is the same for each answer of an instance is worked out once. */
export function compileResponseReader(instance: ForwardedInstance, config: ForwarderConfig): ResponseReader {
  return new Reader(instance, config);
}
