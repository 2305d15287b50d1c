/** What the way of a request is made of: each part decides one thing and knows nothing of the others. */
import type {Access} from './access/access.ts'
import type {Answers} from './cache/answers.ts'
import type {Counters} from './counters.ts'
import type {Places} from './rate/places.ts'
import type {RateLimit} from './rate/rate-limit.ts'
import type {Ticker} from './ticker.ts'
import type {Decision, Fields, Peer, Refusal, RequestHead, ResponseHead} from './message-types.ts'
import type {RequestRecord} from './record-types.ts'
import type {ForwardedInstance, ForwarderConfig} from './types.ts'
import type {UpstreamTarget} from './upstream/plan.ts'
import type {UpstreamPool} from './upstream/pool.ts'

type Forward = Extract<Decision, {kind: 'forward'}>

/** An answer of our own, ready to be sent. */
export interface OwnAnswer {
	readonly status: number
	readonly reason: string
	readonly fields: Fields
	readonly body: Buffer
}

/** What is known of a request when its head goes on to the instance. */
export interface ForwardedRequest {
	readonly head: RequestHead
	readonly peer: Peer
	readonly decision: Forward
	readonly requestId: string
	/** Of the access check: who it is. */
	readonly identity: Fields
}

/** The configuration, compiled: a request uses the one that it began with to its end. */
export interface Rules {
	readonly config: ForwarderConfig
	route(head: RequestHead): Decision
	/** Host and origin. */
	policy(head: RequestHead, peer: Peer, decision: Decision): Refusal | null
	requestId(head: RequestHead): string
	target(instance: ForwardedInstance): UpstreamTarget
	/** Latin-1, complete. Throws `UnsafeHead`. */
	requestHead(request: ForwardedRequest, upgrade?: boolean): string
	responseFields(head: ResponseHead, request: ForwardedRequest): Fields
	interimFields(fields: Fields, request: ForwardedRequest): Fields
	trailers(fields: Fields, instance: ForwardedInstance): Fields
	refusal(refusal: Refusal, head: RequestHead, requestId: string): OwnAnswer
	redirect(location: string, head: RequestHead, requestId: string): OwnAnswer
	version(head: RequestHead, requestId: string): OwnAnswer
}

export interface PipelineParts {
	readonly ticker: Ticker
	readonly pool: UpstreamPool
	readonly access: Access
	readonly rate: RateLimit
	readonly places: Places
	readonly answers: Answers
	readonly counters: Counters
	rules(): Rules
	isDraining(): boolean
	/** The time of draining is over: what ends now, we cut. */
	isCutting(): boolean
	readonly onRequest: (record: RequestRecord) => void
	/** A fault of ours. */
	readonly onTrouble: (error: unknown) => void
}

export type {Forward}
