/** What a request and an answer are to the forwarding server, whichever HTTP version brought them, and what is decided of them. */
import type { ForwardedInstance } from './types.ts';

/** Header fields in order, as pairs in one flat list: name, value, name, value. Text is Latin-1, byte for byte. */
export type Fields = readonly string[];

export type RequestFraming =
  | { readonly kind: 'none' }
  | { readonly kind: 'length'; readonly length: number }
  | { readonly kind: 'chunked' };

/** A request's head that passed every rule of the parser, whichever HTTP version brought it. */
export interface RequestHead {
  readonly method: string;
  /** Origin form (or `*`): path and query, byte for byte as received; absolute form is already reduced to it. */
  readonly target: string;
  readonly version: '1.0' | '1.1' | '2';
  /** Valid `uri-host[:port]`: of the absolute form, else of `Host` or `:authority`. */
  readonly authority: string;
  /** As received, `Host` included; no empty name, no control character. */
  readonly fields: Fields;
  readonly framing: RequestFraming;
  /** Lower-case tokens of `Connection`. */
  readonly connection: readonly string[];
  /** Whether the client's connection may carry another request after this one. */
  readonly keepAlive: boolean;
  readonly expectContinue: boolean;
  /** Lower-case protocol of `Upgrade` when `Connection` names it and the version is 1.1, else `null`. */
  readonly upgrade: string | null;
  /** Whether `TE: trailers` was said. */
  readonly wantsTrailers: boolean;
}

export type ResponseFraming =
  | { readonly kind: 'none' }
  | { readonly kind: 'length'; readonly length: number }
  | { readonly kind: 'chunked' }
  | { readonly kind: 'close' };

/** An instance's head that passed every rule of the strict parser. */
export interface ResponseHead {
  readonly status: number;
  readonly reason: string;
  readonly version: '1.0' | '1.1';
  readonly fields: Fields;
  readonly framing: ResponseFraming;
  readonly connection: readonly string[];
  /** Whether the instance's connection may be used again after this answer. */
  readonly keepAlive: boolean;
}

/** Why we answer ourselves (route description, 1.6): the log tells apart what one status hides. */
export interface Refusal {
  readonly status: number;
  /** Stable word for log and metrics, such as `unknown_instance`, `not_exposed`, `bad_host`, `head_too_large`. */
  readonly reason: string;
  /** `Proxy-Status` error type (RFC 9209), where one fits. */
  readonly proxyError?: string;
  /** A sentence for the client; holds neither name, path nor any value of the request. */
  readonly detail: string;
  /** Further fields of the answer: `Allow`, `WWW-Authenticate`, `Retry-After`. */
  readonly fields?: Fields;
  /** Whether the client's connection must close after it. */
  readonly close: boolean;
}

/** Where the bytes come from. */
export interface Peer {
  /** The other end of the socket, without an IPv4-mapped prefix. */
  readonly address: string;
  readonly port: number;
  /** Who it is on behalf of: differs from `address` only behind a trusted proxy. */
  readonly client: string;
  /** Port of ours that was reached. */
  readonly localPort: number;
  /** Address of ours that was reached, without an IPv4-mapped prefix; when unknown, any address may stand in `Host`. */
  readonly localAddress?: string | undefined;
  /** Subject and chain of a client certificate, if one was shown. */
  readonly certificate: ClientCertificate | null;
}

export interface ClientCertificate {
  /** DER, leaf first. */
  readonly chain: readonly Uint8Array[];
  readonly commonName: string;
}

/** The routing decision (route description, 1.4). */
export type Decision =
  | {
      readonly kind: 'forward';
      readonly instance: ForwardedInstance;
      /** What goes on to the instance: rest and query, byte for byte. */
      readonly target: string;
      /** `/instance/execute/<encoded name>`, as the client wrote it. */
      readonly prefix: string;
      /** The older name that was used, or `null`. */
      readonly alias: string | null;
    }
  | { readonly kind: 'version' }
  | { readonly kind: 'redirect'; readonly location: string }
  /** `instance`: for the log only. */
  | { readonly kind: 'refuse'; readonly refusal: Refusal; readonly instance: string | null };
