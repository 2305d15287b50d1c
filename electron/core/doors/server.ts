/** The listener of the local API: authenticates, counts and dispatches. It knows no commands. */
import {chmodSync, rmSync} from 'node:fs'
import {createServer, type IncomingMessage, type Server, type ServerResponse} from 'node:http'
import type {AddressInfo} from 'node:net'

import {peerUser, type Ends, type PeerUser} from '#base/peer-user.ts'
import type {Clock} from '#base/ports.ts'
import {redact} from '#base/redact.ts'
import {CordonError, type ErrorCode, errorTable, knownError, reportError, invalidArgument} from '#contract/errors.ts'
import type {AccessToken} from '#model/door.ts'
import type {Answer} from './answers.ts'
import {bearerOf, createPace, isFromPage} from './gate.ts'
import type {Tokens} from './tokens.ts'

/** A request that was let in. */
export interface Visit {
	/** GET for HEAD too: Node leaves out the body. */
	readonly method: string
	readonly request: IncomingMessage
	readonly response: ServerResponse
	readonly token: AccessToken
	readonly url: URL
	/** The body as text; throws `invalid_argument` above 1 MB. */
	readonly body: () => Promise<string>
	/** Aborted when the client disconnects or the server stops. */
	readonly signal: AbortSignal
	/** `false` once its token is revoked or expired. */
	readonly isAdmitted: () => boolean
}

/** `undefined`: it writes the response itself. */
export type Respond = (visit: Visit) => Promise<Answer | undefined>

/** An answer as it is sent. */
export type Ready = ReturnType<typeof readyOf>

export interface ListenOptions {
	at: {port: number} | {socket: string}
	tokens: Tokens
	clock: Clock
	respond: Respond
	/** Tried first: a cached answer. */
	ready?: ((token: AccessToken, request: IncomingMessage) => Ready | undefined) | undefined
	onTrouble: (message: string, error: unknown) => void
	/** Default: as the system tells. */
	userOf?: ((socket: Ends) => PeerUser) | undefined
}

export type Listening = Awaited<ReturnType<typeof listen>>

const mostBody = 1 << 20

export async function listen(options: ListenOptions) {
	const {at, userOf = peerUser} = options
	const stopping = new AbortController()
	const pace = createPace(options.clock.monotonic)
	const strangers = new WeakSet<object>()
	const visiting = {...options, pace, stopping: stopping.signal}
	const server = createServer((request, response) => {
		answer(visiting, strangers.has(request.socket), request, response)
	})
	server.on('connection', socket => {
		// Only the owner can reach a socket in a folder of the profile.
		if ('port' in at && userOf(socket) === 'other') strangers.add(socket)
	})
	await bound(server, at)
	return {
		/** URL, or path of the socket. */
		address: 'socket' in at ? at.socket : `http://127.0.0.1:${portOf(server)}`,
		stop: async () => {
			stopping.abort()
			const closed = new Promise<void>(resolve => server.close(() => resolve()))
			server.closeAllConnections()
			await closed
		}
	}
}

async function bound(server: Server, at: ListenOptions['at']) {
	if ('socket' in at) rmSync(at.socket, {force: true})
	await new Promise<void>((resolve, reject) => {
		server.once('error', reject)
		if ('socket' in at) server.listen(at.socket, resolve)
		else server.listen(at.port, '127.0.0.1', resolve)
	})
	if ('socket' in at && process.platform !== 'win32') chmodSync(at.socket, 0o600)
}

function portOf(server: Server) {
	const address = server.address() as AddressInfo | string | null // it listens
	return typeof address === 'object' && address !== null ? address.port : null
}

interface Visiting extends ListenOptions {
	pace: ReturnType<typeof createPace>
	stopping: AbortSignal
}

function answer(options: Visiting, isStranger: boolean, request: IncomingMessage, response: ServerResponse) {
	try {
		const token = admitted(options, isStranger, request)
		const ready = options.ready?.(token, request)
		if (ready === undefined) return void work(options, token, request, response)
		send(response, ready)
		count(options, token, request, false)
	} catch (error) {
		fail(options, response, error)
	}
}

async function work(options: Visiting, token: AccessToken, request: IncomingMessage, response: ServerResponse) {
	const left = new AbortController()
	response.on('close', () => left.abort(new CordonError('cancelled', 'The program left before the answer.')))
	let refused = true
	try {
		const isAdmitted = () => options.tokens.isLive(token.id)
		const signal = AbortSignal.any([left.signal, options.stopping])
		const method = request.method === 'HEAD' ? 'GET' : (request.method ?? 'GET')
		const said = await answered(options, {request, method, response, token, signal, isAdmitted, body: () => bodyOf(request)})
		// A change that was made is reported even so.
		if (said !== undefined && method === 'GET' && !isAdmitted()) throw new CordonError('token_refused')
		refused = said !== undefined && said.status >= 400
		if (said !== undefined) send(response, readyOf(said))
	} catch (error) {
		fail(options, response, error)
	}
	count(options, token, request, refused)
}

async function answered(options: Visiting, visit: Omit<Visit, 'url'>) {
	try {
		return await options.respond({...visit, url: targetOf(visit.request)})
	} catch (error) {
		return failure(options, error)
	}
}

function failure({clock, onTrouble}: Visiting, error: unknown) {
	if (!(error instanceof CordonError)) onTrouble('A request to the local API failed unexpectedly.', error)
	return problemOf(error, clock.now())
}

function fail(options: Visiting, response: ServerResponse, error: unknown) {
	send(response, readyOf(failure(options, error)))
}

function count({tokens, onTrouble}: Visiting, {id}: AccessToken, {headers}: IncomingMessage, refused: boolean) {
	try {
		tokens.used(id, {refused, client: headers['user-agent']})
	} catch (error) {
		onTrouble('The use of a token could not be written down.', error)
	}
}

/** One answer for every refused request: it does not reveal which check failed. */
function admitted({tokens, pace, clock, at}: Visiting, isStranger: boolean, {headers, rawHeaders, socket}: IncomingMessage) {
	const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length
	const port = 'socket' in at ? null : (socket.localPort ?? at.port)
	const text = bearerOf(headers)
	if (isStranger || isFromPage({headers, hosts, port}) || text === undefined) throw new CordonError('token_refused')
	const token = tokens.admit(text)
	const waitMs = pace.take(token.id, token.perMinute)
	if (waitMs === 0) return token
	tokens.used(token.id, {refused: true, client: headers['user-agent']})
	throw new CordonError('rate_limited', `This token has ${token.perMinute} requests a minute. Nothing was done.`, {
		retryAt: new Date(clock.now() + waitMs).toISOString()
	})
}

function targetOf({url = ''}: IncomingMessage) {
	const base = 'http://cordon'
	if (!url.startsWith('/') || url.startsWith('//') || !URL.canParse(url, base)) throw invalidArgument('The request target is not a path.')
	return new URL(url, base)
}

async function bodyOf(request: IncomingMessage) {
	const parts: Buffer[] = []
	let size = 0
	for await (const part of request as AsyncIterable<Buffer>) {
		size += part.length
		if (size > mostBody) throw invalidArgument('The body has more than 1 MB.', 'body')
		parts.push(part)
	}
	return Buffer.concat(parts).toString('utf8')
}

/** A short text is sent with the headers in one piece; a long one would be encoded each time. */
const longestText = 16_000

export function readyOf({status, headers, body}: Answer) {
	const text = status === 304 ? '' : body
	const bytes = Buffer.byteLength(text)
	const all = {
		...{'content-type': 'application/json', 'cache-control': 'no-store', 'x-content-type-options': 'nosniff'},
		...headers,
		...(status !== 304 && {'content-length': String(bytes)})
	}
	return {
		status,
		/** Names and values in turn. */
		head: Object.entries(all).flat(),
		bytes,
		body: bytes > longestText ? Buffer.from(text) : text
	}
}

function send(response: ServerResponse, {status, head, body}: Ready) {
	if (response.headersSent || response.destroyed) return void response.destroy()
	response.writeHead(status, [...head])
	response.end(body)
}

/* An error of the closed table as `application/problem+json` (RFC 9457). */

/** Failures of the service or of the connection to it are 502. */
const statuses: Partial<Readonly<Record<ErrorCode, number>>> = {
	token_refused: 401,
	out_of_scope: 403,
	read_only: 403,
	protected: 403,
	managed: 403,
	confirmation_needed: 403,
	approval_denied: 403,
	isolation_not_allowed: 403,
	unknown_command: 404,
	not_found: 404,
	unknown_run: 404,
	unknown_playbook: 404,
	unknown_approval: 404,
	busy: 409,
	conflict: 409,
	plan_drifted: 409,
	key_reused: 422,
	rate_limited: 429,
	log_unavailable: 503,
	secret_unavailable: 503,
	cancelled: 503,
	storage: 503,
	disk_full: 503,
	wait_timeout: 504,
	response_timeout: 504,
	internal: 500
}

function statusOf(code: ErrorCode) {
	return statuses[code] ?? (errorTable[code].fault === 'operator' && code !== 'unauthorized' && code !== 'forbidden' ? 400 : 502)
}

export function problemOf(error: unknown, now: number, as?: number): Answer {
	const known = knownError(error) ?? new CordonError('internal')
	const {code, message, fault: _fault, status: told, ...report} = redact(reportError(known))
	const status = as ?? statusOf(code)
	const wait = report.retryAt === undefined ? undefined : Math.max(1, Math.ceil((Date.parse(report.retryAt) - now) / 1000))
	const body = {
		...{type: `https://cordon.invalid/errors#${code}`, title: errorTable[code].sentence, status, detail: message, code},
		...report,
		...(told !== undefined && {serviceStatus: told})
	}
	return {
		status,
		headers: {
			'content-type': 'application/problem+json',
			...(code === 'token_refused' && {'www-authenticate': 'Bearer'}),
			...(wait !== undefined && {'retry-after': String(wait)})
		},
		body: JSON.stringify(body)
	}
}
