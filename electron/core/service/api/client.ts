import http, {type ClientRequest, type IncomingMessage, type RequestOptions} from 'node:http'
import https from 'node:https'

import type {AxiosInstance, AxiosRequestConfig} from 'axios'

import {CordonError, reportError, type ErrorCode} from '#contract/errors.ts'
import type {QuotaState, LinkState} from '#model/frame.ts'
import {makeAgents, type Agents} from './agents.ts'
import {maxBodyBytes} from './body.ts'
import {
	type RawAnswer,
	type PreparedRequest,
	attemptCall,
	guardWrite,
	type Call,
	type CallServices,
	type TimedAnswer,
} from './call.ts'
import {invalid} from './checks.ts'
import {isWrite} from './errors.ts'
import {abortError, failed, type Failure, type Outcome, readError, writeError} from './failure.ts'
import {type Headers, quotaOf, clockSkewOf} from './headers.ts'
import {wayTo} from './proxy.ts'
import {transportFailure, TransportError, type Phase} from './transport-errors.ts'
import {systemCa} from './trust.ts'
import type {ApiClient, ApiRequest, ClientOptions, Timeouts, ApiAnswer, CallOptions} from './types.ts'
import {checkServerUrl, requestUrl} from './url.ts'
import {createQuota, type Quota} from './quota.ts'
import {withRetries, type Attempt} from './retry.ts'

const defaultDeadlineMs = 180_000
const defaultQuotaWaitMs = 3_600_000

/** The service was reached and knew us: the way to it is in order, whatever it thinks of the request. */
const linkIsGood: ReadonlySet<ErrorCode> = new Set([
	'bad_request',
	'forbidden',
	'not_found',
	'isolation_not_allowed',
	'conflict',
	'rate_limited',
])

/** Bytes to and from one server. */
interface Wire {
	/** Loads what sending needs, so that the first exchange is not measured with it. */
	prepare(): Promise<void>
	/** One exchange, without retries. Never rejects. */
	send(prepared: PreparedRequest): Promise<Outcome<RawAnswer>>
	close(): void
}

/** What one connection knows of its service, and the calls over it. */
class Session implements ApiClient {
	readonly #options: ClientOptions
	readonly #server: URL
	readonly #wire: Wire
	readonly #quota: Quota
	readonly #services: CallServices
	/** Nothing new, and nothing more of what may still be ended without harm. */
	readonly #stopping = new AbortController()
	/** Nothing at all any more. */
	readonly #cut = new AbortController()
	readonly #calls = new Set<Promise<unknown>>()
	readonly #listeners = new Set<() => void>()
	#link: LinkState = {kind: 'untried'}
	#skewMs: number | null = null
	#goodKey: string | undefined

	constructor(options: ClientOptions, server: URL, wire: Wire) {
		this.#options = options
		this.#server = server
		this.#wire = wire
		this.#quota = createQuota({clock: options.clock, ledger: options.ledger, changed: () => this.#changed()})
		this.#services = {
			options,
			quota: this.#quota,
			exchange: prepared => this.#exchange(prepared),
			keyIsKnown: key => key === this.#goodKey,
		}
	}

	async call(request: ApiRequest, options: CallOptions = {}): Promise<ApiAnswer> {
		guardWrite(this.#options, request, options)
		const call = this.#callOf(request, options)
		const outcome = await this.#counted(isWrite(request) ? this.#attempt(call, once) : this.#read(call))
		if (outcome.ok) return outcome.value
		throw isWrite(request) ? writeError(outcome.failure) : readError(outcome.failure, request, call.url)
	}

	quota(): QuotaState | null {
		return this.#quota.state()
	}

	link(): LinkState {
		return this.#link
	}

	clockSkewMs(): number | null {
		return this.#skewMs
	}

	onChange(listener: () => void): () => void {
		this.#listeners.add(listener)
		return () => this.#listeners.delete(listener)
	}

	async stop(how: 'at_once' | 'after_changes' = 'at_once'): Promise<void> {
		const reason = new CordonError('cancelled', 'The connection was closed.')
		this.#stopping.abort(reason)
		if (how === 'after_changes') await Promise.allSettled(this.#calls)
		this.#cut.abort(reason)
		this.#wire.close()
	}

	#callOf(request: ApiRequest, options: CallOptions): Call {
		const stopping = this.#stopping.signal
		return {
			request,
			url: requestUrl(this.#server, request),
			options,
			signal: options.signal === undefined ? stopping : AbortSignal.any([options.signal, stopping]),
			cut: this.#cut.signal,
			quotaWaitLeftMs: options.maxQuotaWaitMs ?? defaultQuotaWaitMs,
		}
	}

	async #counted<T>(call: Promise<T>) {
		this.#calls.add(call)
		try {
			return await call
		} finally {
			this.#calls.delete(call)
		}
	}

	#read(call: Call) {
		const {onProgress, deadlineMs = defaultDeadlineMs} = call.options
		const policy = {clock: this.#options.clock, signal: call.signal, deadlineMs, onProgress, random: Math.random}
		return withRetries(how => this.#attempt(call, how), policy)
	}

	async #attempt(call: Call, how: Attempt) {
		const outcome = await attemptCall(this.#services, call, how)
		this.#noteLink(outcome)
		return outcome
	}

	async #exchange(prepared: PreparedRequest): Promise<Outcome<TimedAnswer>> {
		const {clock} = this.#options
		await this.#wire.prepare()
		const [asked, from] = [clock.now(), clock.monotonic()]
		const outcome = await this.#wire.send(prepared)
		if (!outcome.ok) return outcome
		const at = clock.now()
		const answer = {...outcome.value, at, durationMs: durationOf(at - asked, clock.monotonic() - from)}
		this.#learn(prepared, answer)
		return {ok: true, value: answer}
	}

	/** Every answer tells the quota and the time, also a refusal. */
	#learn(prepared: PreparedRequest, {headers, status, at, durationMs}: TimedAnswer) {
		const record = quotaOf(headers, at)
		if (record !== undefined) this.#quota.observe(record, status !== 429)
		this.#skewMs = clockSkewOf(headers, at, durationMs) ?? this.#skewMs
		if (status === 200 && !isWrite(prepared.request)) this.#goodKey = prepared.apiKey
	}

	#noteLink(outcome: Outcome<ApiAnswer>) {
		const error = outcome.ok ? undefined : outcome.failure.error
		if (error?.code === 'cancelled') return
		const now = new Date(this.#options.clock.now()).toISOString()
		if (error === undefined || linkIsGood.has(error.code)) this.#link = {kind: 'ok', at: now}
		else this.#link = {kind: 'failing', since: this.#link.kind === 'failing' ? this.#link.since : now, error: reportError(error)}
		this.#changed()
	}

	#changed() {
		for (const listener of this.#listeners) listener()
	}
}

/** As the clock of the day has it, so that `askedAt` is exact, unless that was set meanwhile. */
function durationOf(byDay: number, ms: number) {
	return Math.abs(byDay - ms) < 2 ? byDay : Math.round(ms)
}

/** A change has one attempt, however long it takes to get through the gate. */
const once: Attempt = {leftMs: Number.POSITIVE_INFINITY, waited: () => {}}

const defaultTimeouts: Timeouts = {connectMs: 10_000, responseMs: 60_000}

/** One connection's way to the service. Throws `invalid_argument` or `insecure_url` when the address cannot be used. */
export function createApiClient(options: ClientOptions): ApiClient {
	const server = checkServerUrl(options.url)
	if (options.clientId.includes(':')) throw invalid('clientId', 'must not hold a colon')
	const session = new Session(options, server, new AxiosWire(options, server))
	// An object of functions, so that each can be handed on by itself.
	return {
		call: (request, callOptions) => session.call(request, callOptions),
		quota: () => session.quota(),
		link: () => session.link(),
		clockSkewMs: () => session.clockSkewMs(),
		onChange: listener => session.onChange(listener),
		stop: how => session.stop(how),
	}
}

/** axios and the agents are made on first use: much of what starts never calls. */
class AxiosWire implements Wire {
	readonly #options: ClientOptions
	readonly #server: URL
	readonly #timeouts: Timeouts
	#agents: Agents | undefined
	#axios: Promise<AxiosInstance> | undefined

	constructor(options: ClientOptions, server: URL) {
		this.#options = options
		this.#server = server
		this.#timeouts = {...defaultTimeouts, ...options.timeouts}
	}

	async prepare(): Promise<void> {
		await (this.#axios ??= makeInstance())
	}

	async send(prepared: PreparedRequest): Promise<Outcome<RawAnswer>> {
		const axios = await (this.#axios ??= makeInstance())
		const watch = new PhaseWatch(Math.min(this.#timeouts.responseMs, Math.max(1, prepared.withinMs)), prepared)
		try {
			watch.signal.throwIfAborted()
			const answer = await axios.request<Buffer>(this.#configOf(prepared, watch))
			// axios types headers as a class of its own; as an object they are what Node gave.
			return {ok: true, value: {status: answer.status, headers: {...answer.headers} as Headers, bytes: answer.data}}
		} catch (error) {
			return {ok: false, failure: watch.failureOf(error, this.#server)}
		} finally {
			watch.end()
		}
	}

	close(): void {
		this.#agents?.destroy()
	}

	#configOf({request, url, apiKey}: PreparedRequest, watch: PhaseWatch): AxiosRequestConfig {
		const agent = this.#agentFor(request)
		const start = (given: RequestOptions, onAnswer: OnAnswer) => watch.start(given, onAnswer)
		return {
			url: url.href,
			method: request.method,
			headers: headersOf(this.#options, request, apiKey),
			data: request.body === undefined ? undefined : JSON.stringify(request.body),
			httpAgent: agent,
			httpsAgent: agent,
			transport: {request: start},
			signal: watch.signal,
		}
	}

	#agentFor(request: ApiRequest) {
		this.#agents ??= this.#makeAgents()
		return isWrite(request) ? this.#agents.fresh : this.#agents.kept
	}

	#makeAgents() {
		const {insecure, extraCa = [], proxyEnvironment, proxy: own} = this.#options
		const read = this.#options.systemCa ?? systemCa
		const [server, {connectMs}] = [this.#server, this.#timeouts]
		const proxy = wayTo(server, proxyEnvironment, own)
		return makeAgents({server, insecure, extraCa, systemCa: read, connectMs, proxy})
	}
}

async function makeInstance() {
	const {default: axios} = await import('axios')
	return axios.create({
		adapter: 'http',
		proxy: false,
		maxRedirects: 0,
		// Bodies are unpacked and parsed in body.ts, which distinguishes truncated from broken and keeps integers exact.
		responseType: 'arraybuffer',
		decompress: false,
		transformRequest: [],
		transformResponse: [],
		maxContentLength: maxBodyBytes,
		validateStatus: () => true,
	})
}

function headersOf(options: ClientOptions, request: ApiRequest, apiKey: string): Record<string, string | false> {
	return {
		Accept: request.expects === 'text' ? 'application/xml, text/xml, text/plain' : 'application/json',
		'Accept-Encoding': 'gzip',
		Authorization: `Basic ${Buffer.from(`${options.clientId}:${apiKey}`).toString('base64')}`,
		'User-Agent': options.userAgent,
		// `false` keeps axios from adding a type to a request without a body.
		'Content-Type': request.body === undefined ? false : 'application/json',
	}
}

type OnAnswer = (answer: IncomingMessage) => void

/**
 * Knows how far a request got, and ends it for one of three reasons: it is late, everything stops, or its caller gave
 * up, which counts for a change only until it is on its way. The agent hands over ready connections only, so that is
 * when it gets one, and there the time for the answer begins.
 */
class PhaseWatch {
	readonly #ending = new AbortController()
	readonly #leaving = new AbortController()
	readonly #responseMs: number
	readonly #change: boolean
	#phase: Phase = 'connecting'
	#timer: NodeJS.Timeout | undefined
	#because: 'late' | AbortSignal | undefined

	constructor(responseMs: number, {request, signal, cut}: PreparedRequest) {
		this.#responseMs = responseMs
		this.#change = isWrite(request)
		this.#heed(cut, () => this.#end(cut))
		this.#heed(signal, () => {
			if (!this.#change || this.#phase === 'connecting') this.#end(signal)
		})
	}

	get signal(): AbortSignal {
		return this.#ending.signal
	}

	start(options: RequestOptions, onAnswer: OnAnswer): ClientRequest {
		const request = (options.protocol === 'https:' ? https : http).request(options, onAnswer)
		request.once('socket', () => {
			this.#phase = 'sent'
			this.#timer = setTimeout(() => this.#end('late'), this.#responseMs)
		})
		request.once('response', () => (this.#phase = 'answering'))
		return request
	}

	failureOf(error: unknown, server: URL): Failure {
		const unknown = this.#phase !== 'connecting'
		if (this.#because === 'late') return transportFailure(this.#tooLate(), this.#phase, server)
		if (this.#because !== undefined) return {error: abortError(this.#because), retry: false, unknown}
		const tooLarge = error instanceof Error && error.message.startsWith('maxContentLength')
		return tooLarge ? failed('too_large', undefined, {unknown}) : transportFailure(error, this.#phase, server)
	}

	/** The exchange is over. */
	end(): void {
		clearTimeout(this.#timer)
		this.#leaving.abort()
	}

	#heed(signal: AbortSignal, act: () => void) {
		if (signal.aborted) act()
		else signal.addEventListener('abort', act, {once: true, signal: this.#leaving.signal})
	}

	#end(because: 'late' | AbortSignal) {
		this.#because ??= because
		this.#ending.abort()
	}

	#tooLate() {
		return new TransportError(
			'response_timeout',
			`No complete answer within ${Number((this.#responseMs / 1000).toFixed(2))} seconds.`,
		)
	}
}
