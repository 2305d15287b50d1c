import {CordonError} from '#contract/errors.ts'
import {omitUndefined} from '#shared/omit-undefined.ts'

import {tellWait} from '#base/acting.ts'
import {ownTurn} from '#base/breaths.ts'
import {rateLimited, type Quota} from './quota.ts'
import {jsonOf, textOf, tryJson} from './body.ts'
import {errorsInSuccess, hasErrors, isWrite, statusFailure, type Answer} from './errors.ts'
import {failed, type Failure, type Outcome} from './failure.ts'
import {allowOf, headerOf, resetSeconds, type Headers} from './headers.ts'
import type {Attempt} from './retry.ts'
import type {ApiAnswer, ApiRequest, BodyReader, CallOptions, ClientOptions} from './types.ts'
import {isLiveWriteToken} from './write-token.ts'

/** What goes onto the wire. */
export interface PreparedRequest {
	request: ApiRequest
	url: URL
	apiKey: string
	/** The most that connecting and answering may take together, in real milliseconds. */
	withinMs: number
	/** Ends a reading at any time, and a change until it is on its way. */
	signal: AbortSignal
	/** Ends everything at once. */
	cut: AbortSignal
}

export interface RawAnswer {
	readonly status: number
	readonly headers: Headers
	readonly bytes: Buffer
}

/** A raw answer with the time that it took. */
export interface TimedAnswer extends RawAnswer {
	readonly at: number
	readonly durationMs: number
}

export interface CallServices {
	options: ClientOptions
	quota: Quota
	/** One exchange, without retries; also keeps what its headers tell. Never rejects. */
	exchange: (prepared: PreparedRequest) => Promise<Outcome<TimedAnswer>>
	/** This key was already good for a reading. */
	keyIsKnown: (key: string) => boolean
}

/** One call on its way: what it asks for, and how much of its patience for the quota is left. */
export interface Call {
	readonly request: ApiRequest
	readonly url: URL
	readonly options: CallOptions
	readonly signal: AbortSignal
	readonly cut: AbortSignal
	quotaWaitLeftMs: number
}

const maxRedirects = 3
const successes = new Set([200, 201, 202, 204])

/** Throws `read_only` or `write_not_permitted` for a change that the guards did not let pass. */
export function guardWrite(client: ClientOptions, request: ApiRequest, options: CallOptions) {
	if (!isWrite(request)) return
	const mode = client.mode()
	if (mode.kind === 'read_only') {
		throw new CordonError('read_only', mode.because === 'locked' ? 'Changes are locked on this connection: nothing was sent.' : undefined)
	}
	const {token} = options
	if (!isLiveWriteToken(token) || token?.connection !== client.connection) throw new CordonError('write_not_permitted')
}

/** One attempt: passes the gate, sends, and comes back after a 429, which means that nothing was carried out. */
export async function attemptCall(services: CallServices, call: Call, how: Attempt): Promise<Outcome<ApiAnswer>> {
	for (let refusals = 0; ; refusals += 1) {
		const sent = await passAndSend(services, call, how)
		if (!sent.ok || sent.value.status !== 429) return sent.ok ? judge(services, call, sent.value) : sent
		refuse(services, call, sent.value, refusals)
	}
}

async function passAndSend(services: CallServices, call: Call, how: Attempt): Promise<Outcome<TimedAnswer & {keyIsKnown: boolean}>> {
	const {options: client, quota} = services
	const pass = await quota.enter({
		purpose: call.options.purpose ?? 'interactive',
		signal: call.signal,
		maxWaitMs: call.quotaWaitLeftMs,
		onWait: until => {
			tellWait(until - client.clock.now(), rateLimited(until))
			call.options.onProgress?.({kind: 'waiting_for_quota', until: new Date(until).toISOString()})
		}
	})
	call.quotaWaitLeftMs -= pass.waitedMs
	// It may have ended before its time.
	if (pass.waitedMs > 0) tellWait(0)
	how.waited(pass.waitedMs)
	try {
		const apiKey = await client.apiKey()
		// The wait may have been long: the lock can be set and the token revoked by now.
		guardWrite(client, call.request, call.options)
		const outcome = await follow(services, {...call, apiKey, withinMs: how.leftMs})
		return outcome.ok ? {ok: true, value: {...outcome.value, keyIsKnown: services.keyIsKnown(apiKey)}} : outcome
	} finally {
		pass.leave()
	}
}

/** Redirects are followed for GET, to the same origin, three times; credentials go nowhere else. */
async function follow(services: CallServices, prepared: PreparedRequest): Promise<Outcome<TimedAnswer>> {
	let {url} = prepared
	for (let hops = 0; ; hops += 1) {
		const outcome = await services.exchange({...prepared, url})
		if (!outcome.ok || !isRedirect(outcome.value)) return outcome
		const location = headerOf(outcome.value.headers, 'location') ?? ''
		const target = URL.canParse(location, url.href) ? new URL(location, url) : undefined
		if (prepared.request.method !== 'GET' || target?.origin !== url.origin || hops === maxRedirects) {
			return {ok: false, failure: redirectFailure(prepared.request, outcome.value, target, url)}
		}
		// Credentials in a Location would replace ours.
		url = new URL(target.pathname + target.search, url.origin)
	}
}

function isRedirect({status, headers}: RawAnswer) {
	return status >= 300 && status <= 399 && headerOf(headers, 'location') !== undefined
}

function redirectFailure(request: ApiRequest, answer: RawAnswer, target: URL | undefined, from: URL) {
	const requestId = headerOf(answer.headers, 'x-request-id')
	const details = {status: answer.status, ...omitUndefined({requestId})}
	const elsewhere = target === undefined ? 'to something that is not an address' : `to ${target.origin}`
	const sentence =
		target?.origin === from.origin
			? isWrite(request)
				? 'The service redirected a change; it was not sent again.'
				: 'The service redirected again and again.'
			: `The service redirected ${elsewhere}; credentials are never sent there.`
	// 303 is what a service answers after it has carried something out.
	return failed('unexpected_redirect', sentence, {details, unknown: isWrite(request) && answer.status === 303})
}

/** Closes the gate until the service wants to be asked again; throws `rate_limited` when that is too far away. */
function refuse(services: CallServices, call: Call, answer: TimedAnswer, refusals: number) {
	const growing = 2 ** Math.min(refusals, 6)
	const seconds = Math.max(resetSeconds(answer.headers) ?? 60 * growing, Math.min(growing, 60))
	const until = answer.at + seconds * 1000
	services.quota.refuse(until)
	if (seconds * 1000 <= call.quotaWaitLeftMs) return
	const requestId = headerOf(answer.headers, 'x-request-id')
	throw rateLimited(until, {status: 429, ...omitUndefined({requestId})})
}

/** From here on, parsing takes milliseconds. */
const longText = 100_000

async function judge(services: CallServices, call: Call, raw: TimedAnswer & {keyIsKnown: boolean}): Promise<Outcome<ApiAnswer>> {
	const {status, headers, keyIsKnown} = raw
	const requestId = headerOf(headers, 'x-request-id')
	const encoding = headerOf(headers, 'content-encoding') ?? ''
	const answer = (body: unknown): Answer => ({status, requestId, keyIsKnown, body})
	if (!successes.has(status)) {
		const text = await textOf(raw.bytes, encoding)
		return {ok: false, failure: statusFailure(call.request, answer(text.ok ? tryJson(text.value) : undefined))}
	}
	const {read} = call.options
	const body = await (read === undefined ? readHere(call.request, raw, encoding) : readElsewhere(read, raw, encoding))
	if (!body.ok) return {ok: false, failure: withFacts(body.failure, status, requestId)}
	if (hasErrors(body.value)) return {ok: false, failure: errorsInSuccess(answer(body.value))}
	const {at, durationMs} = raw
	return {ok: true, value: {status, body: body.value, allow: allowOf(headers), requestId, at, durationMs}}
}

async function readHere(request: ApiRequest, {bytes, status}: RawAnswer, encoding: string) {
	const text = await textOf(bytes, encoding)
	if (!text.ok) return text
	// Pages arrive together; each is parsed in a turn of its own.
	if (text.value.length > longText) await ownTurn()
	return bodyOf(request, status, text.value)
}

async function readElsewhere(read: BodyReader, {bytes}: RawAnswer, encoding: string): Promise<Outcome<unknown>> {
	try {
		return {ok: true, value: await read(bytes, encoding)}
	} catch (error) {
		if (!(error instanceof CordonError)) throw error
		return {ok: false, failure: {error, retry: error.code === 'truncated', unknown: true}}
	}
}

/** OPTIONS and a 204 to a change promise no body. */
function bodyOf(request: ApiRequest, status: number, text: string): Outcome<unknown> {
	const promised = request.method !== 'OPTIONS' && !(status === 204 && request.method === 'DELETE')
	if (text.trim() !== '') return request.expects === 'text' ? {ok: true, value: text} : jsonOf(text)
	return promised ? {ok: false, failure: failed('empty_body', undefined, {unknown: true})} : {ok: true, value: undefined}
}

function withFacts(failure: Failure, status: number, requestId: string | undefined): Failure {
	const {code, message, details} = failure.error
	const facts = {...details, status, ...omitUndefined({requestId})}
	return {...failure, error: new CordonError(code, message, facts)}
}
