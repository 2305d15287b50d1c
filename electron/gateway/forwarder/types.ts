/**
 * The seams of the forwarding server. It is given plain values and callbacks, knows no store, no secret store and no page,
 * and so runs alike in the command line (`cordon forward`), in a thread of the console, and in tests.
 */
import type {InstanceDefinition, InstanceState} from '#shared/model/instance.ts'
import type {ServerParameters} from '#shared/model/server-parameter.ts'

import type {ForwarderCounters, RequestRecord} from './record-types.ts'

/** An instance as the forwarder needs it; names are NFC. */
export interface ForwardedInstance extends Omit<InstanceDefinition, 'listenPort' | 'access' | 'program' | 'healthCheck'> {
	readonly id: string
	readonly listenPort: number
	readonly aliases: readonly string[]
	readonly access: AccessRule
	/** `disabled`, `starting` and `stopped` are answered with 503 without asking the instance. */
	readonly state: InstanceState
}

/** Who may use an instance, with what is needed to check it. Never logged, never sent to a page. */
export type AccessRule =
	| {readonly kind: 'none'}
	| {
			readonly kind: 'basic'
			readonly realm: string
			/** `scrypt$<log2 N>$<r>$<p>$<salt>$<key>`, base64url. */
			readonly users: readonly {readonly name: string; readonly verifier: string}[]
	  }
	| {
			readonly kind: 'bearer'
			readonly header: string
			/** SHA-256 of each token, hex. */
			readonly verifiers: readonly string[]
	  }
	| {
			readonly kind: 'hmac'
			readonly preset: 'slack' | 'github' | 'teams' | 'standard'
			readonly toleranceS: number
			readonly key: string
	  }
	| {readonly kind: 'certificate'; readonly authorities: string; readonly names: readonly string[]}

/** Limits of the whole server (route description, 3.5). Bytes, milliseconds. */
export interface ServerLimits {
	readonly connections: number
	/** Loopback is one address for everything on this computer, so it is not held to this. */
	readonly connectionsPerAddress: number
	readonly requestsPerConnection: number
	/** The request line and all header lines together. */
	readonly headBytes: number
	readonly targetBytes: number
	readonly fields: number
	/** From the first byte, or the end of the TLS handshake, to the end of the head. */
	readonly headMs: number
	readonly handshakeMs: number
	/** Between two requests. */
	readonly keepAliveMs: number
	/** A request's body may be slower than its instance's `minRate` for so long. */
	readonly bodyGraceMs: number
	/** A client that takes nothing of its answer for so long is cut off. */
	readonly stallMs: number
	/** Bytes a second of what waits for it that a client takes at least; it may be slower for `stallMs`. 0: any. */
	readonly minTakeRate: number
	/** After a last answer that the client may still be talking into: how long its bytes are read and dropped. */
	readonly lingerMs: number
	/** Bytes of chunk extensions and sizes beyond the data, a message. */
	readonly chunkOverheadBytes: number
	/** HTTP/2: streams at once, and RST_STREAM frames in ten seconds. */
	readonly streams: number
	readonly resetsPer10s: number
}

/** All that decides about a request. Replaced whole; a request that runs goes on with what it began with. */
export interface ForwarderConfig {
	readonly parameters: ServerParameters
	readonly instances: readonly ForwardedInstance[]
	/** Names that clients may use for this server, lower case, without port; loopback names and own addresses always are. */
	readonly hostnames: readonly string[]
	/** Networks (CIDR) whose `X-Forwarded-For` is believed. */
	readonly trustedProxies: readonly string[]
	readonly platformVersion: string
	readonly limits: ServerLimits
	/** Our name in `Via`, `Forwarded` and `Proxy-Status`. */
	readonly pseudonym: string
	/** Only behind a certificate of a public authority. */
	readonly strictTransportSecurity: boolean
}

/** What the TLS side offers. PEM, leaf first. Never logged. */
export interface Credentials {
	readonly certificate: string
	readonly key: string
}

export interface Listen {
	readonly host: string
	/** 0: any free one. */
	readonly port: number
}

export interface ForwarderOptions {
	readonly listen: Listen
	readonly config: ForwarderConfig
	readonly credentials: Credentials
	/** Called once for each finished request; must be quick and must not throw. */
	readonly onRequest?: ((record: RequestRecord) => void) | undefined
	/** What the operator should know: a listener that failed, a client that was shut out. */
	readonly onTrouble?: ((message: string, error?: unknown) => void) | undefined
}

/** A running forwarding server. Whoever started it calls `stop`. */
export interface Forwarder {
	/** As bound. */
	readonly listen: Listen
	/** For new requests at once; running ones end with what they began with. */
	reload(config: ForwarderConfig): void
	/** For new connections at once. */
	setCredentials(credentials: Credentials): void
	counters(): ForwarderCounters
	/** No new connections; running requests get so many milliseconds, then everything closes. A second call waits for the first. */
	stop(drainMs: number): Promise<void>
}
