import type { TestResult } from '#shared/model/connection.ts';

/** How to look at the way to a server, layer by layer. Every method rejects with `CordonError` only. */
export interface Probe {
  /** Addresses of a host name. Rejects with `dns`. */
  resolve(host: string, signal: AbortSignal): Promise<readonly string[]>;
  /** Opens and closes a TCP connection. Rejects with `refused`, `unreachable`, `connect_timeout`. */
  connect(server: URL, signal: AbortSignal): Promise<void>;
  /**
   * Shakes hands without judging; through the proxy when there is one. `problem` says in a sentence why the certificate
   * is not trusted, or is `null`. Rejects when there is no TLS at all.
   */
  handshake(server: URL, proxy: URL | null, signal: AbortSignal): Promise<Handshake>;
}

export interface Handshake {
  readonly certificate: NonNullable<TestResult['certificate']>;
  readonly problem: string | null;
}
