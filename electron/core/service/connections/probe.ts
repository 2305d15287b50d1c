import type {TestResult} from '#model/connection.ts'

import type {Proxy} from '../api/proxy.ts'

/** How to look at the way to a server, layer by layer. Every method rejects with `CordonError` only. */
export interface Probe {
	/** Addresses of a host name. Rejects with `dns`. */
	resolve(host: string, signal: AbortSignal): Promise<readonly string[]>
	/**
	 * Opens and closes a TCP connection; with a proxy, one through its tunnel.
	 * Rejects with `refused`, `unreachable`, `connect_timeout`, `proxy`.
	 */
	connect(way: Way, signal: AbortSignal): Promise<void>
	/**
	 * Shakes hands without judging; through the proxy when there is one. `problem` says in a sentence why the certificate
	 * is not trusted, or is `null`. Rejects when there is no TLS at all.
	 */
	handshake(way: Way, signal: AbortSignal): Promise<Handshake>
}

export interface Way {
	readonly server: URL
	readonly proxy: Proxy | null
	/** Authorities (PEM) that the connection trusts beside the known ones. */
	readonly extraCa: readonly string[]
}

export interface Handshake {
	readonly certificate: NonNullable<TestResult['certificate']>
	readonly problem: string | null
}
