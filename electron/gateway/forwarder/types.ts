/**
 * The interfaces of the forwarding server. It gets plain values and callbacks, without access to stores, secrets or pages, and so
 * runs alike in the command line (`cordon forward`), in a thread of the console, and in tests.
 */
import type {InstanceDefinition, InstanceState} from '#model/instance.ts'
import type {ServerParameters} from '#model/server-parameter.ts'

import type {ForwarderCounters, RequestRecord} from './record-types.ts'
import type {Ticker} from './ticker.ts'

/** An instance as used by the forwarder; names are NFC. */
export interface ForwardedInstance extends Omit<InstanceDefinition, 'listenPort' | 'access' | 'program' | 'healthCheck'> {
	readonly id: string
	/** Tells it and its program from all others: their answers are not given as its own. */
	readonly origin: string
	readonly listenPort: number
	readonly aliases: readonly string[]
	readonly access: AccessRule
	/** `disabled`, `starting` and `stopped` are answered with 503 without asking the instance. */
	readonly state: InstanceState
}

/** Access rules of an instance, with verifiers and keys. Never logged, never sent to a page. */
export type AccessRule =
	| {kind: 'none'}
	| {
			kind: 'basic'
			realm: string
			/** `scrypt$<log2 N>$<r>$<p>$<salt>$<key>`, base64url. */
			users: readonly {name: string; verifier: string}[]
	  }
	| {
			kind: 'bearer'
			header: string
			/** SHA-256 of each token, hex. */
			verifiers: readonly string[]
	  }
	| {kind: 'hmac'; preset: 'slack' | 'github' | 'teams' | 'standard'; toleranceS: number; key: string}
	| {kind: 'certificate'; authorities: string; names: readonly string[]}

/** Limits of the whole server (route description, 3.5). Bytes, milliseconds. */
export interface ServerLimits {
	readonly connections: number
	/** Loopback is exempt: it is one address for all programs of this computer. */
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
	/** How long a request's body may be slower than its instance's `minRate`. */
	readonly bodyGraceMs: number
	/** How long a client may take nothing of its answer. */
	readonly stallMs: number
	/** Minimum bytes per second taken by a client; it may be slower for `stallMs`. 0: any. */
	readonly minTakeRate: number
	/** After a last answer: how long further client bytes are read and dropped. */
	readonly lingerMs: number
	/** Bytes of chunk extensions and sizes beyond the data, a message. */
	readonly chunkOverheadBytes: number
	/** HTTP/2: streams at once, and RST_STREAM frames in ten seconds. */
	readonly streams: number
	readonly resetsPer10s: number
}

/** All settings for a request. Replaced as a whole; a running request keeps its own. */
export interface ForwarderConfig {
	readonly parameters: ServerParameters
	readonly instances: readonly ForwardedInstance[]
	/** Names that clients may use for this server, lower case, without port; loopback names and own addresses always are. */
	readonly hostnames: readonly string[]
	/** Networks (CIDR) whose `X-Forwarded-For` is trusted. */
	readonly trustedProxies: readonly string[]
	readonly platformVersion: string
	readonly limits: ServerLimits
	/** The server's name in `Via`, `Forwarded` and `Proxy-Status`. */
	readonly pseudonym: string
	/** Only behind a certificate of a public authority. */
	readonly strictTransportSecurity: boolean
}

/** TLS credentials. PEM, leaf first. Never logged. */
export interface Credentials {
	readonly certificate: string
	readonly key: string
}

export interface Listen {
	readonly host: string
	/** 0: any free port. */
	readonly port: number
}

export interface ForwarderOptions {
	listen: Listen
	config: ForwarderConfig
	credentials: Credentials
	/** Called once per finished request; must be quick and must not throw. */
	onRequest?: ((record: RequestRecord) => void) | undefined
	/** For the operator: a failed listener, a delayed client. */
	onTrouble?: ((message: string, error?: unknown) => void) | undefined
	/** Otherwise one in real time. */
	ticker?: Ticker | undefined
}

/** A running forwarding server. Its owner calls `stop`. */
export interface Forwarder {
	/** As bound. */
	readonly listen: Listen
	/** Applies to new requests; running ones keep their configuration. */
	reload(config: ForwarderConfig): void
	/** Applies to new connections. */
	setCredentials(credentials: Credentials): void
	counters(): ForwarderCounters
	/**
	 * Refuses new connections; running requests get this many milliseconds, then everything closes. A second call waits for the
	 * first.
	 */
	stop(drainMs: number): Promise<void>
}
