import http, {type IncomingMessage, type RequestOptions} from 'node:http'
import https from 'node:https'

import type {AxiosInstance, AxiosRequestConfig} from 'axios'

import {mostQuotaWaitMs} from '#base/acting.ts'
import {CordonError, reportError, type ErrorCode} from '#contract/errors.ts'
import type {LinkState} from '#model/frame.ts'
import {makeAgents, type Agents} from './agents.ts'
import {maxBodyBytes} from './body.ts'
import {type RawAnswer, type PreparedRequest, attemptCall, guardWrite, type Call, type CallServices, type TimedAnswer} from './call.ts'
import {invalid} from './checks.ts'
import {isWrite} from './errors.ts'
import {abortError, failed, type Outcome, readError, writeError} from './failure.ts'
import {type Headers, quotaOf, clockSkewOf} from './headers.ts'
import {wayTo} from './proxy.ts'
import {transportFailure, TransportError, type Phase} from './transport-errors.ts'
import {systemCa} from './trust.ts'
import type {ApiClient, ApiRequest, ClientOptions, Timeouts} from './types.ts'
import {checkServerUrl, requestUrl} from './url.ts'
import {createQuota} from './quota.ts'
import {withRetries, type Attempt} from './retry.ts'

const defaultDeadlineMs = 180_000
const defaultQuotaWaitMs = 3_600_000

/** The service was reached and knew us: the way to it is in order, whatever it thinks of the request. */
const linkIsGood: ReadonlySet<ErrorCode> = new Set(['bad_request', 'forbidden', 'not_found', 'isolation_not_allowed', 'conflict', 'rate_limited'])

/** One connection's way to the service. Throws `invalid_argument` or `insecure_url` when the address cannot be used. */
export function createApiClient(options: ClientOptions): ApiClient {
	const server = checkServerUrl(options.url)
	if (options.clientId.includes(':')) throw invalid('clientId', 'must not hold a colon')
	const {clock} = options
	const wire = axiosWire(options, server)
	/** Nothing new, and nothing more of what may still be ended without harm. */
	const stopping = new AbortController()
	/** Nothing at all any more. */
	const cut = new AbortController()
	const calls = new Set<Promise<unknown>>()
	const listeners = new Set<() => void>()
	let link: LinkState = {kind: 'untried'}
	let skewMs: number | null = null
	let goodKey: string | undefined

	const changed = () => {
		for (const listener of listeners) listener()
	}
	const quota = createQuota({clock, ledger: options.ledger, changed})
	/** Every answer tells the quota and the time, also a refusal. */
	const learn = (prepared: PreparedRequest, {headers, status, at, durationMs}: TimedAnswer, sentAt: number) => {
		const record = quotaOf(headers, at)
		if (record !== undefined) quota.observe(record, status !== 429, sentAt)
		skewMs = clockSkewOf(headers, at, durationMs) ?? skewMs
		if (status === 200 && !isWrite(prepared.request)) goodKey = prepared.apiKey
	}
	const exchange = async (prepared: PreparedRequest): Promise<Outcome<TimedAnswer>> => {
		await wire.prepare()
		const [asked, from] = [clock.now(), clock.monotonic()]
		const outcome = await wire.send(prepared)
		if (!outcome.ok) return outcome
		const at = clock.now()
		const answer = {...outcome.value, at, durationMs: durationOf(at - asked, clock.monotonic() - from)}
		learn(prepared, answer, from)
		return {ok: true, value: answer}
	}
	const services: CallServices = {options, quota, exchange, keyIsKnown: key => key === goodKey}
	const attempt = async (call: Call, how: Attempt) => {
		const outcome = await attemptCall(services, call, how)
		const error = outcome.ok ? undefined : outcome.failure.error
		if (error?.code === 'cancelled') return outcome
		link = linkAfter(link, error, new Date(clock.now()).toISOString())
		changed()
		return outcome
	}
	const read = (call: Call) => {
		const {onProgress, deadlineMs = defaultDeadlineMs} = call.options
		return withRetries(how => attempt(call, how), {clock, signal: call.signal, deadlineMs, onProgress, random: Math.random})
	}
	return {
		call: async (request, callOptions = {}) => {
			guardWrite(options, request, callOptions)
			const most = mostQuotaWaitMs()
			const {signal, maxQuotaWaitMs = most ?? defaultQuotaWaitMs} = callOptions
			const call: Call = {
				request,
				url: requestUrl(server, request),
				options: callOptions,
				signal: signal === undefined ? stopping.signal : AbortSignal.any([signal, stopping.signal]),
				cut: cut.signal,
				quotaWaitLeftMs: Math.min(maxQuotaWaitMs, most ?? Infinity)
			}
			const running = isWrite(request) ? attempt(call, once) : read(call)
			calls.add(running)
			const outcome = await running.finally(() => calls.delete(running))
			if (outcome.ok) return outcome.value
			throw isWrite(request) ? writeError(outcome.failure) : readError(outcome.failure, request, call.url)
		},
		quota: quota.state,
		link: () => link,
		clockSkewMs: () => skewMs,
		onChange: listener => {
			listeners.add(listener)
			return () => listeners.delete(listener)
		},
		stop: async (how = 'at_once') => {
			const reason = new CordonError('cancelled', 'The connection was closed.')
			stopping.abort(reason)
			if (how === 'after_changes') await Promise.allSettled(calls)
			cut.abort(reason)
			wire.close()
		}
	}
}

function linkAfter(link: LinkState, error: CordonError | undefined, now: string): LinkState {
	if (error === undefined || linkIsGood.has(error.code)) return {kind: 'ok', at: now}
	return {kind: 'failing', since: link.kind === 'failing' ? link.since : now, error: reportError(error)}
}

/** As the clock of the day has it, so that `askedAt` is exact, unless that was set meanwhile. */
function durationOf(byDay: number, ms: number) {
	return Math.abs(byDay - ms) < 2 ? byDay : Math.round(ms)
}

/** A change has one attempt, however long it takes to get through the gate. */
const once: Attempt = {leftMs: Number.POSITIVE_INFINITY, waited: () => {}}

const defaultTimeouts: Timeouts = {connectMs: 10_000, responseMs: 60_000}

/** Bytes to and from one server. axios and the agents are made on first use: much of what starts never calls. */
function axiosWire(options: ClientOptions, server: URL) {
	const {insecure, extraCa = [], proxyEnvironment, proxy, systemCa: trusted = systemCa} = options
	const {connectMs, responseMs}: Timeouts = {...defaultTimeouts, ...options.timeouts}
	let agents: Agents | undefined
	let axios: Promise<AxiosInstance> | undefined
	const instance = () => (axios ??= makeInstance())
	const configOf = ({request, url, apiKey}: PreparedRequest, watch: ReturnType<typeof watchPhases>): AxiosRequestConfig => {
		agents ??= makeAgents({server, insecure, extraCa, systemCa: trusted, connectMs, proxy: wayTo(server, proxyEnvironment, proxy)})
		const agent = isWrite(request) ? agents.fresh : agents.kept
		return {
			url: url.href,
			method: request.method,
			headers: headersOf(options, request, apiKey),
			data: request.body === undefined ? undefined : JSON.stringify(request.body),
			httpAgent: agent,
			httpsAgent: agent,
			transport: {request: watch.start},
			signal: watch.signal
		}
	}
	return {
		/** Loads what sending needs, so that the first exchange is not measured with it. */
		prepare: async () => void (await instance()),
		/** One exchange, without retries. Never rejects. */
		send: async (prepared: PreparedRequest): Promise<Outcome<RawAnswer>> => {
			const sending = await instance()
			const watch = watchPhases(Math.min(responseMs, Math.max(1, prepared.withinMs)), prepared)
			try {
				watch.signal.throwIfAborted()
				const answer = await sending.request<Buffer>(configOf(prepared, watch))
				// axios types headers as a class of its own; as an object they are what Node gave.
				return {ok: true, value: {status: answer.status, headers: {...answer.headers} as Headers, bytes: answer.data}}
			} catch (error) {
				return {ok: false, failure: watch.failureOf(error, server)}
			} finally {
				watch.end()
			}
		},
		close: () => agents?.destroy()
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
		validateStatus: () => true
	})
}

function headersOf(options: ClientOptions, request: ApiRequest, apiKey: string): Record<string, string | false> {
	return {
		Accept: request.expects === 'text' ? 'application/xml, text/xml, text/plain' : 'application/json',
		'Accept-Encoding': 'gzip',
		Authorization: `Basic ${Buffer.from(`${options.clientId}:${apiKey}`).toString('base64')}`,
		'User-Agent': options.userAgent,
		// `false` keeps axios from adding a type to a request without a body.
		'Content-Type': request.body === undefined ? false : 'application/json'
	}
}

type OnAnswer = (answer: IncomingMessage) => void

/**
 * Knows how far a request got, and ends it for one of three reasons: it is late, everything stops, or its caller gave
 * up, which counts for a change only until it is on its way. The agent hands over ready connections only, so that is
 * when it gets one, and there the time for the answer begins.
 */
function watchPhases(responseMs: number, {request: asked, signal, cut}: PreparedRequest) {
	const ending = new AbortController()
	const leaving = new AbortController()
	const isChange = isWrite(asked)
	let phase: Phase = 'connecting'
	let timer: NodeJS.Timeout | undefined
	let because: 'late' | AbortSignal | undefined

	const end = (why: 'late' | AbortSignal) => {
		because ??= why
		ending.abort()
	}
	const heed = (heeded: AbortSignal, act: () => void) => {
		if (heeded.aborted) act()
		else heeded.addEventListener('abort', act, {once: true, signal: leaving.signal})
	}
	heed(cut, () => end(cut))
	heed(signal, () => {
		if (!isChange || phase === 'connecting') end(signal)
	})
	return {
		signal: ending.signal,
		start: (options: RequestOptions, onAnswer: OnAnswer) => {
			const request = (options.protocol === 'https:' ? https : http).request(options, onAnswer)
			request.once('socket', () => {
				phase = 'sent'
				timer = setTimeout(() => end('late'), responseMs)
			})
			request.once('response', () => (phase = 'answering'))
			return request
		},
		failureOf: (error: unknown, server: URL) => {
			const unknown = phase !== 'connecting'
			if (because === 'late') return transportFailure(tooLate(responseMs), phase, server)
			if (because !== undefined) return {error: abortError(because), retry: false, unknown}
			const tooLarge = error instanceof Error && error.message.startsWith('maxContentLength')
			return tooLarge ? failed('too_large', undefined, {unknown}) : transportFailure(error, phase, server)
		},
		/** The exchange is over. */
		end: () => {
			clearTimeout(timer)
			leaving.abort()
		}
	}
}

function tooLate(responseMs: number) {
	return new TransportError('response_timeout', `No complete answer within ${Number((responseMs / 1000).toFixed(2))} seconds.`)
}
