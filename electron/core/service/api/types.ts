import type {RunProgress} from '#contract/live.ts'
import type {QuotaState, LinkState, WriteMode} from '#model/frame.ts'

import type {Clock} from '#base/ports.ts'
import type {WriteToken} from './write-token.ts'

/** What one connection says of its way to the service, before what the system says. */
export interface OwnProxy {
	/** `http://host:port`, or `direct` for no proxy at all. */
	readonly address: string
	/** `user:password`; asked for with each tunnel, so that a changed one counts at once. */
	login(): Promise<string | undefined>
}

export type Method = 'GET' | 'OPTIONS' | 'PUT' | 'POST' | 'PATCH' | 'DELETE'

/** One request in values. `path` holds raw segments behind `/v1`; the client encodes each of them. */
export interface ApiRequest {
	method: Method
	path: readonly string[]
	query?: readonly (readonly [name: string, value: string])[]
	body?: Readonly<Record<string, string | readonly (string | number)[]>>
	/** What the answer's body is; `text` is handed on as it came. Default: `json`. */
	expects?: 'json' | 'text'
}

/** A good answer: 2xx, without `errors`, with the JSON that the endpoint promises. */
export interface ApiAnswer {
	readonly status: number
	/** The parsed body with exact integers, or its text where that was asked for; `undefined` for 204. */
	readonly body: unknown
	/** The `Allow` header of OPTIONS, upper case. */
	readonly allow: readonly string[]
	readonly requestId: string | undefined
	/** Of the last attempt. */
	readonly durationMs: number
	/** Unix milliseconds when the answer arrived. */
	readonly at: number
}

/**
 * What a call is for. Jobs and background reading leave the reserve alone, releases and stops may spend it.
 * Interactive calls leave it alone too, so that a release always goes through. Background reading also leaves alone what
 * jobs have set aside.
 */
export type Purpose = 'interactive' | 'background' | 'job' | 'release' | 'program'

export interface CallOptions {
	/**
	 * Ends a reading at any time. A change it ends only until the request is on its way: from then on its answer is
	 * awaited, because only the answer tells its outcome.
	 */
	signal?: AbortSignal | undefined
	/** Proof that the runner's guards passed; without it nothing but GET and OPTIONS is sent. */
	token?: WriteToken | undefined
	purpose?: Purpose | undefined
	/** How long to wait for the quota at most; then the error is `rate_limited`. Default: one hour. */
	maxQuotaWaitMs?: number | undefined
	/** Deadline over all attempts of a read. Default: 180 s, time spent waiting for the quota apart. */
	deadlineMs?: number | undefined
	onProgress?: ((progress: RunProgress) => void) | undefined
	/** Reads the body of a success in place of the client. */
	read?: BodyReader | undefined
}

/**
 * Owns the bytes, and resolves with what becomes `ApiAnswer.body`, such as what another thread made of them; one with `errors` fails
 * the call. Rejects with a `CordonError`.
 */
export type BodyReader = (bytes: Uint8Array, encoding: string) => Promise<unknown>

/** One connection's way to the service. Rejects with `CordonError` only. */
export interface ApiClient {
	call(request: ApiRequest, options?: CallOptions): Promise<ApiAnswer>
	quota(): QuotaState | null
	link(): LinkState
	/** Milliseconds that this computer is ahead of the service, from the last `Date` header. */
	clockSkewMs(): number | null
	/** Called after quota, link or clock changed; returns the way to stop listening. */
	onChange(listener: () => void): () => void
	/**
	 * Takes nothing new. `at_once` (default) cuts off what is under way: a change that was sent ends as
	 * `outcome_unknown`. `after_changes` cancels the rest, but lets changes that were sent have their answer.
	 */
	stop(how?: 'at_once' | 'after_changes'): Promise<void>
}

/** The quota as every process on the profile knows it; kept in the profile's database. */
export interface QuotaLedger {
	read(): QuotaRecord | null
	/** Keeps the record unless a newer one of the same or a later window is there. `counted` (default): it was a call of ours. */
	observe(record: QuotaRecord, counted?: boolean): void
	/** Calls that all processes on the profile made in the window that ends then; `null` when nobody counted. */
	own(windowEnd: number): number | null
	/** Calls that running jobs have set aside. */
	reserved(): number
}

/** Unix milliseconds. */
export interface QuotaRecord {
	readonly limit: number
	readonly remaining: number
	readonly resetAt: number
	readonly observedAt: number
}

export interface ClientOptions {
	/** Id of the connection: write tokens of any other are refused. */
	connection: string
	/** `https://host[:port]`, or `http:` on a loopback address. */
	url: string
	clientId: string
	/** Asked for before each call, so that a replaced key counts at once. */
	apiKey: () => Promise<string>
	insecure: boolean
	clock: Clock
	proxyEnvironment: Readonly<Record<string, string | undefined>>
	/** The connection's own proxy, before the one that the system names. */
	proxy?: OwnProxy | undefined
	ledger: QuotaLedger
	/** Read before every write: a read-only connection or the lock refuses it here too. */
	mode: () => WriteMode
	/** `User-Agent`, such as `Cordon/0.1.0`. */
	userAgent: string
	/** Certificates (PEM) that are trusted beside the ones Node knows. */
	extraCa?: readonly string[] | undefined
	/** Reads the system's store of authorities; asked when the ones that Node knows are not enough. Default: the real one. */
	systemCa?: (() => readonly string[]) | undefined
	/** Real time, not the clock's: a socket lives in it. Default: 10 s and 60 s. */
	timeouts?: Partial<Timeouts> | undefined
}

export interface Timeouts {
	/** From the start to an encrypted connection: name resolution, TCP, proxy and TLS together. */
	readonly connectMs: number
	/** From then to the last byte of the answer. */
	readonly responseMs: number
}

/** What an endpoint's function gives back: the parsed `data` with the facts that the log keeps. */
export interface Answered<T> extends Pick<ApiAnswer, 'status' | 'requestId' | 'durationMs' | 'at'> {
	readonly data: T
}
