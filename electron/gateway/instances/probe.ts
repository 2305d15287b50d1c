/** Calls the route like a client, through the listener, and reports each stage. */
import {type IncomingMessage, request} from 'node:http'
import {connect as connectTcp, type Socket} from 'node:net'
import {connect as connectTls, type TLSSocket} from 'node:tls'

import type {InstanceRow, ProbeResult} from '#contract/instances.ts'
import {probeStages} from '#model/choices.ts'
import {firstVersionWithRoute, hasRoute} from '#model/server-parameter.ts'
import type {ServerState} from './types.ts'

interface ProbeSubject {
	row: InstanceRow
	server: ServerState
	platformVersion: string
	/** PEM of the local authority; `null` with an imported certificate. */
	authority: () => Promise<string | null>
	/** A server name in its certificate. */
	hostname: string
	/** Milliseconds, for durations. */
	monotonic: () => number
}

type Stage = ProbeResult['stage']
type Outcome = ProbeResult['outcome']

/** Milliseconds of real time for each step. */
const patienceMs = 10_000

export async function* probeRoute(subject: ProbeSubject, signal?: AbortSignal): AsyncGenerator<ProbeResult, void> {
	let reached: Stage = 'server'
	for await (const result of stages(subject, signal)) {
		reached = result.stage
		yield result
		if (result.outcome === 'failed') break
	}
	yield* probeStages.slice(probeStages.indexOf(reached) + 1).map(stage => said(stage, 'skipped', 'Not reached.'))
}

async function* stages(subject: ProbeSubject, signal?: AbortSignal): AsyncGenerator<ProbeResult, void> {
	const server = serverStage(subject)
	yield server
	if (server.outcome === 'failed') return
	const exposed = exposedStage(subject)
	yield exposed
	if (exposed.outcome === 'failed') return
	yield* connected(subject, signal)
}

function serverStage({server}: ProbeSubject) {
	const {state, problem, listen} = server
	if (state !== 'running' || listen === null) return said('server', 'failed', problem ?? `The forwarding server is ${state}.`)
	const where = `It listens at ${listen.host}, port ${listen.port}.`
	return problem === null ? said('server', 'ok', where) : said('server', 'warning', `${problem} ${where}`)
}

function exposedStage({row, platformVersion}: ProbeSubject): ProbeResult {
	const {key, exposed} = row.exposure
	if (!hasRoute(platformVersion))
		return said(
			'exposed',
			'failed',
			`Below platform version ${firstVersionWithRoute} there is no route, and forward.platformVersion is ${platformVersion}.`
		)
	if (exposed) return said('exposed', 'ok', `${String(key)} is true.`)
	const why = key === null ? 'no server parameter exposes it' : `${key} is not true`
	return said('exposed', 'failed', `Clients get 404: ${why}.`)
}

async function* connected(subject: ProbeSubject, signal?: AbortSignal): AsyncGenerator<ProbeResult, void> {
	const {listen} = subject.server
	if (listen === null) return
	const host = listen.host === '::' || listen.host === '0.0.0.0' ? '127.0.0.1' : listen.host
	const started = subject.monotonic()
	const tcp = connectTcp({host, port: listen.port})
	const problem = await opened(tcp, 'connect', signal)
	if (problem !== null) {
		tcp.destroy()
		yield said('tcp', 'failed', `No connection to ${host}, port ${listen.port}: ${problem}.`)
		return
	}
	yield said('tcp', 'ok', `Connected to ${host}, port ${listen.port}.`, took(subject, started))
	try {
		yield* encrypted(subject, tcp, signal)
	} finally {
		tcp.destroy()
	}
}

async function* encrypted(subject: ProbeSubject, tcp: Socket, signal?: AbortSignal): AsyncGenerator<ProbeResult, void> {
	const started = subject.monotonic()
	const authority = await subject.authority()
	const tls = connectTls({
		socket: tcp,
		servername: subject.hostname,
		ALPNProtocols: ['http/1.1'],
		...(authority !== null && {ca: authority}),
		// A refusal by clients is reported; later stages are checked anyway.
		rejectUnauthorized: false
	})
	const problem = await opened(tls, 'secureConnect', signal)
	if (problem !== null) {
		tls.destroy()
		yield said('tls', 'failed', `No encrypted connection: ${problem}.`)
		return
	}
	yield tlsStage(tls, subject, authority === null, took(subject, started))
	try {
		yield* answered(subject, tls, signal)
	} finally {
		tls.destroy()
	}
}

function tlsStage(tls: TLSSocket, {hostname}: ProbeSubject, imported: boolean, ms: number) {
	const how = `${tls.getProtocol() ?? 'TLS'} for ${hostname}`
	if (tls.authorized) {
		const by = imported ? 'Its authority is known to this computer.' : 'Its certificate is of the local authority.'
		return said('tls', 'ok', `${how}. ${by}`, ms)
	}
	const reason = tls.authorizationError?.message ?? 'its certificate is not trusted'
	return said('tls', imported ? 'warning' : 'failed', `${how}, but clients refuse it: ${reason}.`, ms)
}

async function* answered(subject: ProbeSubject, tls: TLSSocket, signal?: AbortSignal): AsyncGenerator<ProbeResult, void> {
	const {row, hostname, server} = subject
	const started = subject.monotonic()
	const port = server.listen?.port ?? 443
	const path = `${row.route}${row.instance.healthCheck.path}`
	const answer = await get(tls, {path, host: port === 443 ? hostname : `${hostname}:${port}`}, signal)
	if (typeof answer === 'string') {
		yield said('access', 'skipped', 'No answer tells.')
		yield said('instance', 'failed', `No answer: ${answer}.`, took(subject, started))
		return
	}
	yield* judged(row, answer, took(subject, started))
}

function* judged({instance}: InstanceRow, answer: Answer, ms: number): Generator<ProbeResult> {
	const {status, own, detail} = answer
	const guarded = instance.access.kind !== 'none'
	if (own && (status === 401 || (status === 403 && instance.access.kind === 'certificate'))) {
		yield guarded
			? said('access', 'ok', `Without credentials it is ${status}, as it should be.`)
			: said('access', 'failed', `The route answers ${status}: ${detail}`)
		return
	}
	if (own && status === 403) return yield said('access', 'failed', `This computer may not use it: ${detail}`)
	if (own && status === 404) return yield said('access', 'failed', 'The route does not know it yet: 404.')
	yield guarded && !own
		? said('access', 'failed', 'It can be used without credentials.')
		: said('access', 'ok', guarded ? 'Not reached.' : 'No authentication required.')
	if (guarded && !own) return
	if (own) return yield said('instance', 'failed', `The route answers ${status}: ${detail}`)
	yield said('instance', 'ok', 'Responded.')
	const outcome = status >= 500 ? 'failed' : status >= 400 ? 'warning' : 'ok'
	yield said('answer', outcome, `Status ${status}.`, ms)
}

function took({monotonic}: ProbeSubject, since: number) {
	return Math.round((monotonic() - since) * 10) / 10
}

/** Resolves with the reason of a failure. */
function opened(socket: Socket, event: 'connect' | 'secureConnect', signal?: AbortSignal): Promise<string | null> {
	return new Promise(resolve => {
		const end = (problem: string | null) => {
			clearTimeout(timer)
			signal?.removeEventListener('abort', aborted)
			resolve(problem)
		}
		const aborted = () => end('cancelled')
		const timer = setTimeout(() => end(`nothing within ${patienceMs / 1000} s`), patienceMs)
		signal?.addEventListener('abort', aborted)
		socket.once(event, () => end(null))
		socket.on('error', error => end(error.message))
		socket.once('close', () => end('closed at once'))
	})
}

function said(stage: Stage, outcome: Outcome, message: string, durationMs: number | null = null): ProbeResult {
	return {stage, outcome, message, durationMs}
}

/** The route's answer to a probe, and its sender. */
interface Answer {
	status: number
	/** Whether the forwarding server answered, not the instance. */
	own: boolean
	detail: string
}

/** Resolves with the reason of a failure. */
function get(socket: TLSSocket, target: {path: string; host: string}, signal?: AbortSignal): Promise<Answer | string> {
	return new Promise(resolve => {
		const asked = request({
			createConnection: () => socket,
			path: target.path,
			headers: {Host: target.host, 'User-Agent': 'Cordon-probe', Accept: '*/*', Connection: 'close'},
			signal: AbortSignal.any([AbortSignal.timeout(patienceMs), ...(signal === undefined ? [] : [signal])])
		})
		asked.on('response', response => resolve(answerOf(response)))
		asked.on('error', error => resolve(error.name === 'AbortError' ? `nothing within ${patienceMs / 1000} s` : error.message))
		asked.end()
	})
}

async function answerOf(response: IncomingMessage): Promise<Answer> {
	const status = response.statusCode ?? 0
	const own = isOwn(response)
	const text = own ? await firstBytes(response) : ''
	return {status, own, detail: detailOf(text)}
}

/** The server's own answers are problem documents with `no-store` (route description, 1.6). */
function isOwn({headers}: IncomingMessage) {
	const isProblem = headers['content-type']?.startsWith('application/problem+json') === true
	return isProblem && headers['cache-control'] === 'no-store' && headers['x-content-type-options'] === 'nosniff'
}

async function firstBytes(response: IncomingMessage) {
	let text = ''
	try {
		for await (const chunk of response) {
			text += String(chunk)
			if (text.length > 4096) break
		}
	} catch {
		// The received part is enough.
	}
	return text
}

function detailOf(text: string) {
	try {
		const problem: unknown = JSON.parse(text)
		if (typeof problem === 'object' && problem !== null && 'detail' in problem) return String(problem.detail)
	} catch {
		// Incomplete document.
	}
	return 'no reason is given.'
}
