/** The parts of the request pipeline: each decides one thing independently. */
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
import type {Pool} from './upstream/pool.ts'

type Forward = Extract<Decision, {kind: 'forward'}>

/** An answer of this server, ready to be sent. */
export interface OwnAnswer {
	readonly status: number
	readonly reason: string
	readonly fields: Fields
	readonly body: Buffer
}

/** A request as it goes to the instance. */
export interface ForwardedRequest {
	head: RequestHead
	peer: Peer
	decision: Forward
	requestId: string
	/** The result of the access check. */
	identity: Fields
}

/** The compiled configuration: a request keeps the one it began with. */
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
	redirect(location: string, requestId: string): OwnAnswer
	version(requestId: string): OwnAnswer
}

export interface PipelineDependencies {
	ticker: Ticker
	pool: Pool
	access: Access
	rate: RateLimit
	places: Places
	answers: Answers
	counters: Counters
	rules(): Rules
	isDraining(): boolean
	/** The drain time is over: connections that end now are cut by this server. */
	isCutting(): boolean
	onRequest: (record: RequestRecord) => void
	/** An internal error. */
	onTrouble: (error: unknown) => void
}

export type {Forward}
