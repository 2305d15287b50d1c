import http, {type Agent, type ClientRequest, type IncomingMessage, type RequestOptions} from 'node:http'
import https from 'node:https'

import type {AxiosInstance, AxiosRequestConfig} from 'axios'

import {makeAgents, type Agents} from './agents.ts'
import {maxBodyBytes} from './body.ts'
import type {RawAnswer, Shipment} from './call.ts'
import {invalid} from './checks.ts'
import {isWrite} from './errors.ts'
import {abortError, failed, type Failure, type Outcome} from './failure.ts'
import type {Headers} from './headers.ts'
import {wayTo} from './proxy.ts'
import {Session, type Wire} from './session.ts'
import {transportFailure, TransportError, type Phase} from './transport-errors.ts'
import {systemCa} from './trust.ts'
import type {ApiClient, ApiRequest, ClientOptions, Timeouts} from './types.ts'
import {checkServerUrl} from './url.ts'

const defaultTimeouts: Timeouts = {connectMs: 10_000, responseMs: 60_000}

/** One connection's way to the service. Throws `invalid_argument` or `insecure_url` when the address cannot be used. */
export function createApiClient(options: ClientOptions): ApiClient {
	const server = checkServerUrl(options.url)
	if (options.clientId.includes(':')) throw invalid('clientId', 'must not hold a colon')
	const session = new Session(options, server, new AxiosWire(options, server))
	// An object of functions, so that each can be handed on by itself.
	return {
		call: (request, callOptions) => session.call(request, callOptions),
		budget: () => session.budget(),
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

	async send(shipment: Shipment): Promise<Outcome<RawAnswer>> {
		const axios = await (this.#axios ??= makeInstance())
		const watch = new PhaseWatch(Math.min(this.#timeouts.responseMs, Math.max(1, shipment.withinMs)), shipment)
		try {
			watch.signal.throwIfAborted()
			const answer = await axios.request<Buffer>(this.#configOf(shipment, watch))
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

	#configOf({request, url, apiKey}: Shipment, watch: PhaseWatch): AxiosRequestConfig {
		const agent = this.#agentFor(request)
		const start = (given: RequestOptions, onAnswer: OnAnswer): ClientRequest => watch.start(given, onAnswer)
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

	#agentFor(request: ApiRequest): Agent {
		this.#agents ??= this.#makeAgents()
		return isWrite(request) ? this.#agents.fresh : this.#agents.kept
	}

	#makeAgents(): Agents {
		const {insecure, extraCa = [], proxyEnvironment, proxy: own} = this.#options
		const read = this.#options.systemCa ?? systemCa
		const [server, {connectMs}] = [this.#server, this.#timeouts]
		const proxy = wayTo(server, proxyEnvironment, own)
		return makeAgents({server, insecure, extraCa, systemCa: read, connectMs, proxy})
	}
}

async function makeInstance(): Promise<AxiosInstance> {
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

	constructor(responseMs: number, {request, signal, cut}: Shipment) {
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

	#heed(signal: AbortSignal, act: () => void): void {
		if (signal.aborted) act()
		else signal.addEventListener('abort', act, {once: true, signal: this.#leaving.signal})
	}

	#end(because: 'late' | AbortSignal): void {
		this.#because ??= because
		this.#ending.abort()
	}

	#tooLate(): TransportError {
		return new TransportError(
			'response_timeout',
			`No complete answer within ${Number((this.#responseMs / 1000).toFixed(2))} seconds.`,
		)
	}
}
