/**
 * The seams of the forwarding server. It is given plain values and callbacks, knows no store, no secret store and no page,
 * and so runs alike in the command line (`cordon forward`), in a thread of the console, and in tests.
 */
import type { InstanceDefinition, InstanceState } from '#shared/model/instance.ts';
import type { ServerParameters } from '#shared/model/server-parameter.ts';

/** An instance as the forwarder needs it; names are NFC. */
export interface ForwardedInstance extends Omit<
  InstanceDefinition,
  'listenPort' | 'access' | 'program' | 'healthCheck'
> {
  readonly id: string;
  readonly listenPort: number;
  readonly aliases: readonly string[];
  readonly access: AccessRule;
  /** `disabled`, `starting` and `stopped` are answered with 503 without asking the instance. */
  readonly state: InstanceState;
}

/** Who may use an instance, with what is needed to check it. Never logged, never sent to a page. */
export type AccessRule =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'basic';
      readonly realm: string;
      /** `scrypt$<log2 N>$<r>$<p>$<salt>$<key>`, base64url. */
      readonly users: readonly { readonly name: string; readonly verifier: string }[];
    }
  | {
      readonly kind: 'bearer';
      readonly header: string;
      /** SHA-256 of each token, hex. */
      readonly verifiers: readonly string[];
    }
  | {
      readonly kind: 'hmac';
      readonly preset: 'slack' | 'github' | 'teams';
      readonly toleranceS: number;
      readonly key: string;
    }
  | { readonly kind: 'certificate'; readonly authorities: string; readonly names: readonly string[] };

/** Limits of the whole server (route description, 3.5). Bytes, milliseconds. */
export interface ServerLimits {
  readonly connections: number;
  /** Loopback is one address for everything on this computer, so it is not held to this. */
  readonly connectionsPerAddress: number;
  readonly requestsPerConnection: number;
  /** The request line and all header lines together. */
  readonly headBytes: number;
  readonly targetBytes: number;
  readonly fields: number;
  /** From the first byte, or the end of the TLS handshake, to the end of the head. */
  readonly headMs: number;
  readonly handshakeMs: number;
  /** Between two requests. */
  readonly keepAliveMs: number;
  /** A request's body may be slower than its instance's `minRate` for so long. */
  readonly bodyGraceMs: number;
  /** A client that takes nothing of its answer for so long is cut off. */
  readonly stallMs: number;
  /** After a last answer that the client may still be talking into: how long its bytes are read and dropped. */
  readonly lingerMs: number;
  /** Bytes of chunk extensions and sizes beyond the data, a message. */
  readonly chunkOverheadBytes: number;
  /** HTTP/2: streams at once, and RST_STREAM frames in ten seconds. */
  readonly streams: number;
  readonly resetsPer10s: number;
}

/** All that decides about a request. Replaced whole; a request that runs goes on with what it began with. */
export interface ForwarderConfig {
  readonly parameters: ServerParameters;
  readonly instances: readonly ForwardedInstance[];
  /** Names that clients may use for this server, lower case, without port; loopback names and own addresses always are. */
  readonly hostnames: readonly string[];
  /** Networks (CIDR) whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: readonly string[];
  readonly platformVersion: string;
  readonly limits: ServerLimits;
  /** Our name in `Via`, `Forwarded` and `Proxy-Status`. */
  readonly pseudonym: string;
  /** Only behind a certificate of a public authority. */
  readonly strictTransportSecurity: boolean;
}

/** What the TLS side offers. PEM, leaf first. Never logged. */
export interface Credentials {
  readonly certificate: string;
  readonly key: string;
}

export interface Listen {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
}

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

export type EndedBy = 'done' | 'client' | 'instance' | 'cordon';

/** One finished request, for the live log and the counters. Queries are cut: they may hold secrets. */
export interface RequestRecord {
  readonly id: string;
  /** Unix milliseconds of the first byte of its head. */
  readonly at: number;
  /** Name of the instance, `null` when none was found. */
  readonly instance: string | null;
  readonly alias: string | null;
  readonly protocol: 'HTTP/1.0' | 'HTTP/1.1' | 'HTTP/2' | 'WebSocket';
  readonly method: string;
  /** Path without query. */
  readonly path: string;
  readonly status: number;
  readonly client: string;
  /** Body bytes. */
  readonly received: number;
  readonly sent: number;
  readonly endedBy: EndedBy;
  /** Word of the refusal or failure, `null` when all went well. */
  readonly reason: string | null;
  /** Where the answer came from: the instance, the last good answer, another client's equal request, or us. */
  readonly source: 'instance' | 'stale' | 'shared' | 'cordon';
  readonly phases: Phases;
}

/** Milliseconds each phase took; `null` when it did not happen. */
export interface Phases {
  /** Of the connection's handshake, told with its first request. */
  readonly tls: number | null;
  readonly access: number | null;
  readonly queue: number | null;
  /** `0` on a kept connection. */
  readonly connect: number | null;
  /** From the request's last byte of head to the answer's first. */
  readonly firstByte: number | null;
  readonly body: number | null;
}

/** What the server tells of itself; counts grow from its start. */
export interface ForwarderCounters {
  readonly startedAt: number;
  readonly connections: { readonly open: number; readonly accepted: number; readonly refused: number };
  readonly requests: { readonly running: number; readonly total: number };
  readonly instances: Readonly<Record<string, InstanceCounters>>;
}

export interface InstanceCounters {
  readonly running: number;
  readonly total: number;
  /** Answers by class of status: `2xx`, …; failures of the instance are `5xx` of ours. */
  readonly statuses: Readonly<Record<string, number>>;
  readonly failures: number;
  readonly received: number;
  readonly sent: number;
  /** Open connections to the instance. */
  readonly upstream: number;
  /** Unix milliseconds, `null` before the first. */
  readonly lastRequest: number | null;
}

export interface ForwarderOptions {
  readonly listen: Listen;
  readonly config: ForwarderConfig;
  readonly credentials: Credentials;
  /** Called once for each finished request; must be quick and must not throw. */
  readonly onRequest?: ((record: RequestRecord) => void) | undefined;
  /** What the operator should know: a listener that failed, a client that was shut out. */
  readonly onTrouble?: ((message: string, error?: unknown) => void) | undefined;
}

/** A running forwarding server. Whoever started it calls `stop`. */
export interface Forwarder {
  /** As bound. */
  readonly listen: Listen;
  /** For new requests at once; running ones end with what they began with. */
  reload(config: ForwarderConfig): void;
  /** For new connections at once. */
  setCredentials(credentials: Credentials): void;
  counters(): ForwarderCounters;
  /** No new connections; running requests get so many milliseconds, then everything closes. A second call waits for the first. */
  stop(drainMs: number): Promise<void>;
}
