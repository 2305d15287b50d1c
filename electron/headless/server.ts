import {hash} from 'node:crypto'
import {once} from 'node:events'
import {createServer, type IncomingMessage, type Server, type ServerResponse} from 'node:http'
import type {AddressInfo} from 'node:net'
import type {Duplex} from 'node:stream'

import {type WebSocket, WebSocketServer} from 'ws'

import {loadPageFiles, type PageFile, type PageFiles} from '#base/page-files.ts'
import {cacheControl, contentSecurityPolicy, httpHeaders, noncePlaceholder} from '#base/page-policy.ts'
import {peerUser} from '#base/peer-user.ts'
import type {Clock} from '#base/ports.ts'
import {cookieName, decide, decideUpgrade, entryPath, type GateState, type Refusal, type RequestHead, sessionToken} from './gate.ts'
import {type Sessions, sessionSeconds} from './sessions.ts'

export interface ServerOptions {
	/** The built page. */
	pageFolder: string
	/** 0: any free port. */
	port: number
	sessions: Sessions
	clock: Clock
	random: (bytes: number) => Uint8Array
	/** Called with each accepted page's socket, and the id of its session. */
	onWire: (socket: WebSocket, session: string) => void
	/** One line for the log. Never holds a ticket or a cookie. */
	onRefusal?: (reason: Refusal, what: string) => void
	/** For tests of limits. */
	limits?: Partial<ServerLimits>
}

interface ServerLimits {
	messageBytes: number
	wires: number
	pingEveryMs: number
}

export type HeadlessServer = Awaited<ReturnType<typeof startServer>>

/** A list of hashes has up to 16 million characters in one message. */
const defaultLimits: ServerLimits = {messageBytes: 24 << 20, wires: 32, pingEveryMs: 20_000}
const closeGraceMs = 300

/** Serves the page and its wire on 127.0.0.1. Rejects when the port is taken. */
export async function startServer(options: ServerOptions) {
	const limits = {...defaultLimits, ...options.limits}
	const files = loadPageFiles(options.pageFolder)
	files.readAll()
	const http = createServer({requestTimeout: 30_000, headersTimeout: 10_000, maxHeaderSize: 16_384})
	const wires = new WebSocketServer({noServer: true, maxPayload: limits.messageBytes, perMessageDeflate: false, clientTracking: true})
	http.listen({port: options.port, host: '127.0.0.1'})
	await once(http, 'listening')
	// A TCP server that listens has an address of this form.
	const {port} = http.address() as AddressInfo
	const {isSession, redeem, redeemCode} = options.sessions
	const gate: GateState = {port, isSession, redeem, redeemCode}
	const stopped = new AbortController()
	const pages = new Map<string, Set<WebSocket>>()
	/** The pages, without those whose session is over. */
	const clients = (): Iterable<WebSocket> => {
		const alive = new Set(options.sessions.list().map(({id}) => id))
		for (const [id, those] of pages) if (!alive.has(id)) for (const wire of those) dismiss(wire)
		return wires.clients
	}
	const unlisten = options.sessions.onChange(clients)
	http.on('request', (request, response) => answer(request, response, {files, gate, options}))
	http.on('upgrade', (request, socket, head) => upgrade(request, socket, head, {wires, gate, options, limits, pages}))
	void keepAlive(clients, limits.pingEveryMs, options.clock, stopped.signal)
	return {
		port,
		/** `http://127.0.0.1:PORT/` */
		url: `http://127.0.0.1:${port}/`,
		/** A new one-time entry URL. */
		entryUrl: () => `http://127.0.0.1:${port}${entryPath}?ticket=${options.sessions.issueTicket()}`,
		/** Number of connected pages. */
		get wires() {
			return wires.clients.size
		},
		/** Closes every connection within a second. */
		stop: async () => {
			stopped.abort()
			unlisten()
			await close(http, wires)
		}
	}
}

interface Site {
	files: PageFiles
	gate: GateState
	options: ServerOptions
}

function answer(request: IncomingMessage, response: ServerResponse, site: Site) {
	for (const [name, value] of Object.entries(httpHeaders)) response.setHeader(name, value)
	const head = headOf(request)
	const decision = decide(head, site.gate)
	// Bodies are never read, so the connection cannot be reused.
	if (request.method !== 'GET' && request.method !== 'HEAD') response.setHeader('Connection', 'close')
	switch (decision.kind) {
		case 'serve':
			return serve(decision.path, request, response, site)
		case 'enter':
			return enter(request, response, site)
		case 'ask':
			return sendPage(response, 200, askPage())
		case 'home':
			return redirectHome(response)
		case 'refuse':
			site.options.onRefusal?.(decision.reason, describe(head))
			return refuse(decision.reason, response)
	}
}

function serve(path: string, request: IncomingMessage, response: ServerResponse, site: Site) {
	const file = site.files.find(path)
	if (file === undefined) return refuse('path', response)
	if (file.path === '/index.html') return serveIndex(request, response, site)
	response.setHeader('Cache-Control', cacheControl(file.path))
	response.setHeader('ETag', file.etag)
	if (request.headers['if-none-match'] === file.etag) return void response.writeHead(304).end()
	sendFile(file, response)
}

function sendFile(file: PageFile, response: ServerResponse) {
	response.setHeader('Content-Security-Policy', refusalPolicy)
	response.writeHead(200, {'Content-Type': file.type, 'Content-Length': file.body.length}).end(file.body)
}

function serveIndex(request: IncomingMessage, response: ServerResponse, site: Site) {
	const nonce = Buffer.from(site.options.random(18)).toString('base64')
	const page = site.files.index.replaceAll(noncePlaceholder, nonce)
	// Some browsers do not include ws: in 'self'. The gate has already checked the host.
	const wire = `ws://${request.headers.host ?? ''}`
	sendPage(response, 200, page, contentSecurityPolicy({nonce, connect: [wire]}))
}

function enter(request: IncomingMessage, response: ServerResponse, site: Site) {
	const cookie = `${cookieName(site.gate.port)}=${site.options.sessions.open(request.headers['user-agent'] ?? '')}`
	response.setHeader('Set-Cookie', `${cookie}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${sessionSeconds}`)
	// From a file in the profile the request is cross-site: a strict cookie is sent only from a page of this server.
	if (request.headers['sec-fetch-site'] === 'cross-site') sendPage(response, 200, enteredPage())
	else redirectHome(response)
}

function redirectHome(response: ServerResponse) {
	response.writeHead(303, {Location: '/', 'Cache-Control': 'no-store', 'Content-Length': 0}).end()
}

function refuse(reason: Refusal, response: ServerResponse) {
	if (reason === 'method') response.setHeader('Allow', 'GET, HEAD')
	sendPage(response, refusalStatus(reason), refusalPage(reason))
}

function sendPage(response: ServerResponse, status: number, page: string, policy = refusalPolicy) {
	const body = Buffer.from(page)
	response.setHeader('Content-Security-Policy', policy)
	response.setHeader('Cache-Control', 'no-store')
	response.writeHead(status, {'Content-Type': 'text/html; charset=utf-8', 'Content-Length': body.length}).end(body)
}

interface WireSite {
	wires: WebSocketServer
	gate: GateState
	options: ServerOptions
	limits: ServerLimits
	/** By session id. */
	pages: Map<string, Set<WebSocket>>
}

function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, site: WireSite) {
	socket.on('error', () => socket.destroy())
	const requestHead = headOf(request)
	const decision = decideUpgrade(requestHead, site.gate)
	if (decision.kind === 'refuse') {
		site.options.onRefusal?.(decision.reason, describe(requestHead))
		return endSocket(socket, '403 Forbidden')
	}
	if (site.wires.clients.size >= site.limits.wires) return endSocket(socket, '503 Service Unavailable')
	site.wires.handleUpgrade(request, socket, head, wire => {
		// A broken frame or an oversized message ends the socket.
		wire.on('error', () => wire.terminate())
		const session = site.options.sessions.idOf(sessionToken(requestHead, site.gate) ?? '')
		if (session === undefined) return wire.terminate()
		keepPage(site.pages, session, wire)
		site.options.onWire(wire, session)
	})
}

function keepPage(pages: WireSite['pages'], id: string, wire: WebSocket) {
	const those = pages.get(id) ?? new Set()
	pages.set(id, those.add(wire))
	wire.once('close', () => {
		those.delete(wire)
		if (those.size === 0) pages.delete(id)
	})
}

/** A page need not answer the close. */
function dismiss(wire: WebSocket) {
	wire.close(4001, 'This session was ended.')
	const cut = setTimeout(() => wire.terminate(), closeGraceMs)
	wire.once('close', () => clearTimeout(cut))
}

function endSocket(socket: Duplex, status: string) {
	// A client that never closes its end would hold it, and the stop of the server, for ever.
	socket.once('finish', () => socket.destroy())
	socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}

function headOf(request: IncomingMessage): RequestHead {
	const {host, origin, cookie} = request.headers
	const fetchSite = request.headers['sec-fetch-site']
	return {
		method: request.method ?? '',
		target: request.url ?? '',
		host,
		origin,
		cookie,
		fetchSite: Array.isArray(fetchSite) ? fetchSite.join() : fetchSite,
		hosts: request.headersDistinct.host?.length ?? 0,
		user: () => peerUser(request.socket)
	}
}

/** Without the query, which may hold a ticket. */
function describe(head: RequestHead) {
	return `${head.method} ${head.target.split('?', 1)[0]?.slice(0, 200) ?? ''}`
}

/** Closes the pages' sockets (1001: going away), then terminates those that do not answer. */
async function close(http: Server, wires: WebSocketServer) {
	const closed = new Promise<void>(resolve => http.close(() => resolve()))
	http.closeIdleConnections()
	for (const wire of wires.clients) wire.close(1001, 'Cordon is stopping.')
	const cut = setTimeout(() => {
		for (const wire of wires.clients) wire.terminate()
		http.closeAllConnections()
	}, closeGraceMs)
	await closed
	clearTimeout(cut)
	await new Promise<void>(resolve => wires.close(() => resolve()))
}

/** Pings every page and terminates those that did not answer the last ping. Ends with the signal. */
async function keepAlive(wires: () => Iterable<WebSocket>, everyMs: number, clock: Clock, signal: AbortSignal) {
	const answered = new WeakSet<WebSocket>()
	const asked = new WeakSet<WebSocket>()
	while (!signal.aborted) {
		for (const wire of wires()) check(wire, asked, answered)
		try {
			await clock.sleep(everyMs, signal)
		} catch {
			return
		}
	}
}

function check(wire: WebSocket, asked: WeakSet<WebSocket>, answered: WeakSet<WebSocket>) {
	if (!asked.has(wire)) {
		asked.add(wire)
		wire.on('pong', () => answered.add(wire))
	} else if (!answered.has(wire)) {
		wire.terminate()
		return
	}
	answered.delete(wire)
	if (wire.readyState === wire.OPEN) wire.ping()
}

const style =
	':root{color-scheme:light dark}body{font:15px/1.6 system-ui,sans-serif;max-width:38rem;margin:18vh auto 0;padding:0 1.5rem}h1{font-size:1.25rem}'

/** Allows only the page's own style, by its hash. */
const refusalPolicy = [
	"default-src 'none'",
	`style-src 'sha256-${hash('sha256', style, 'base64')}'`,
	"base-uri 'none'",
	// To this server, with the code.
	"form-action 'self'",
	"frame-ancestors 'none'"
].join('; ')

const howToEnter =
	'Use the entry link or the code that Cordon printed in its terminal. Both work once and for ten minutes. ' +
	'To get new ones, stop Cordon and start it again: a browser that already entered stays in.'

const sentences: Readonly<Record<Refusal, readonly [title: string, text: string]>> = {
	session: ['This browser has not entered', howToEnter],
	ticket: ['This entry link was used already, or it is too old', howToEnter],
	code: ['That is not the code, or it is too old', howToEnter],
	user: [
		'This link belongs to another user of this computer',
		'If you see the terminal in which Cordon runs, open /enter here and type the code from there.'
	],
	host: ['Wrong address', 'Cordon answers only on this computer, under 127.0.0.1 or localhost with its own port.'],
	origin: ['Refused', 'Another page asked for this. Cordon answers only to its own page.'],
	site: ['Refused', 'Another page led here. Open the address yourself: type it, or use the entry link.'],
	method: ['Refused', 'This kind of request has no place here.'],
	path: ['There is nothing here', 'The address does not belong to Cordon.']
}

/** A page without scripts that says why a request was refused and what to do. */
function refusalPage(reason: Refusal) {
	const [title, text] = sentences[reason]
	return pageOf(title, `<p>${text}</p>`)
}

/** For a browser that was opened without the link. */
function askPage() {
	const form =
		'<form action="/enter" method="get"><label>Code <input name="code" required autofocus autocomplete="off" ' +
		'spellcheck="false" maxlength="20" size="12"></label> <button>Enter</button></form>'
	return pageOf('Enter Cordon', `<p>Type the code that Cordon printed in its terminal.</p>${form}`)
}

/** Navigates from a page of this server, so that the new cookie is sent. */
function enteredPage() {
	return pageOf('Cordon', '<p><a href="/">Open the console</a></p>', '<meta http-equiv="refresh" content="0;url=/">')
}

function pageOf(title: string, content: string, head = '') {
	return (
		`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title === 'Cordon' ? title : `Cordon: ${title}`}</title>${head}` +
		`<meta name="viewport" content="width=device-width"><style>${style}</style></head>` +
		`<body><main><h1>${title}</h1>${content}</main></body></html>\n`
	)
}

function refusalStatus(reason: Refusal) {
	if (reason === 'path') return 404
	if (reason === 'method') return 405
	return reason === 'host' ? 421 : 403
}
