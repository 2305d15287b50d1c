/**
 * The request sent to the instance (route description, 1.5). First removes everything that ends here or is owned by this server,
 * including fields named by `Connection`; then adds its own, so that no client can make others drop it (G01).
 */
import {isAllowed} from '../access/addresses.ts'
import {safe} from '../http1/write.ts'
import type {ForwardedRequest} from '../pipeline-parts.ts'
import type {Fields, Peer, RequestHead} from '../message-types.ts'
import type {ForwardedInstance, ForwarderConfig} from '../types.ts'
import {combined, only} from './lookup.ts'
import {endsHere, pseudonymOf, withoutSessions} from './names.ts'
import {isTraceParent} from './trace.ts'
import {announced, compileTrailers} from './trailers.ts'

function line(name: string, value: string) {
	return `${name}: ${value}\r\n`
}

/** `for=` and `by=` of RFC 7239: an IPv6 address has quotes and brackets. */
function node(address: string) {
	return address.includes(':') ? `"[${address}]"` : address
}

function quoted(text: string) {
	return /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(text) ? text : `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`
}

/** The instance's `Host`; `null`: the client's. */
function hostOf(instance: ForwardedInstance) {
	if (instance.hostHeader === 'preserve') return null
	if (instance.hostHeader !== 'loopback') return instance.hostHeader
	const host = instance.host.includes(':') ? `[${instance.host}]` : instance.host
	return `${host}:${String(instance.listenPort)}`
}

/** Computes once what is the same for all requests to an instance. */
export class RequestWriter {
	readonly #instance: ForwardedInstance
	readonly #trusted: readonly string[]
	readonly #pseudonym: string
	readonly #host: string | null
	readonly #trailers: ReadonlySet<string>

	constructor(instance: ForwardedInstance, config: ForwarderConfig) {
		this.#instance = instance
		this.#trusted = config.trustedProxies
		this.#pseudonym = pseudonymOf(config)
		this.#host = hostOf(instance)
		this.#trailers = compileTrailers(instance.trailers)
	}

	/** Latin-1, complete with the empty line. `upgrade`: the connection is to become a WebSocket. Throws `UnsafeHead`. */
	write(request: ForwardedRequest, upgrade: boolean) {
		const {head, decision} = request
		const host = this.#host === null ? head.authority : safe(this.#host)
		const start = `${head.method} ${decision.target} HTTP/1.1\r\nHost: ${host}\r\n`
		return start + this.#passed(head) + this.#ours(request) + this.#hop(head, upgrade) + '\r\n'
	}

	/** Fields passed on unchanged. */
	#passed({fields, connection, method}: RequestHead) {
		const strips = this.#instance.stripAuthorization
		let text = ''
		for (let at = 0; at < fields.length; at += 2) {
			const name = fields[at] ?? ''
			const lower = name.toLowerCase()
			if (endsHere(lower) || connection.includes(lower)) continue
			let value = fields[at + 1] ?? ''
			if (lower === 'authorization' && strips) continue
			if (lower === 'traceparent' && !isTraceParent(value)) continue
			if (lower === 'cookie') value = withoutSessions(value)
			if (lower === 'cookie' && value === '') continue
			if (lower === 'max-forwards' && method === 'OPTIONS') value = oneLess(value)
			text += `${name}: ${value}\r\n`
		}
		return text
	}

	#ours({head, peer, decision, requestId, identity}: ForwardedRequest) {
		const isTrusted = this.#trusted.length > 0 && isAllowed(this.#trusted, peer.address)
		const via = head.fields.length > 2 ? combined(head.fields, 'via') : null
		let text =
			`X-Request-URI: ${head.target}\r\nX-Forwarded-Prefix: ${decision.prefix}\r\nX-Real-IP: ${peer.client}\r\n` +
			`Via: ${via === null ? '' : `${via}, `}${head.version} ${this.#pseudonym}\r\nX-Request-Id: ${safe(requestId)}\r\n` +
			(isTrusted ? this.#fromProxy(head, peer) : this.#fromPeer(head, peer))
		for (let at = 0; at < identity.length; at += 2) text += line(safe(identity[at] ?? ''), safe(identity[at + 1] ?? ''))
		return text
	}

	#fromPeer({authority, fields}: RequestHead, peer: Peer) {
		const text =
			`X-Forwarded-For: ${peer.address}\r\nX-Forwarded-Proto: https\r\nX-Forwarded-Host: ${authority}\r\n` +
			`X-Forwarded-Port: ${String(peer.localPort)}\r\n`
		return this.#instance.forwarded ? text + this.#forwarded(authority, peer, null, fields) : text
	}

	/** A trusted proxy: its chain is continued, and its fields about the client are passed on. */
	#fromProxy({authority, fields}: RequestHead, peer: Peer) {
		const before = combined(fields, 'x-forwarded-for')
		const proto = only(fields, 'x-forwarded-proto') ?? 'https'
		const host = only(fields, 'x-forwarded-host') ?? authority
		const port = only(fields, 'x-forwarded-port') ?? String(peer.localPort)
		const text =
			line('X-Forwarded-For', before === null ? peer.address : `${before}, ${peer.address}`) +
			line('X-Forwarded-Proto', proto) +
			line('X-Forwarded-Host', host) +
			line('X-Forwarded-Port', port)
		return this.#instance.forwarded ? text + this.#forwarded(authority, peer, 'forwarded', fields) : text
	}

	#forwarded(authority: string, peer: Peer, before: string | null, fields: Fields) {
		const chain = before === null ? null : combined(fields, before)
		const own = `for=${node(peer.address)};proto=https;host=${quoted(authority)};by=_${this.#pseudonym}`
		return line('Forwarded', chain === null ? own : `${chain}, ${own}`)
	}

	/** Fields of the connection to the instance: only our own (G04). */
	#hop(head: RequestHead, upgrade: boolean) {
		if (upgrade) return 'Connection: Upgrade\r\nUpgrade: websocket\r\n'
		let text = ''
		if (head.framing.kind === 'length') text += line('Content-Length', String(head.framing.length))
		if (head.framing.kind === 'chunked') {
			text += 'Transfer-Encoding: chunked\r\n'
			const trailer = announced(combined(head.fields, 'trailer'), this.#trailers)
			if (trailer !== null) text += line('Trailer', trailer)
		}
		if (head.wantsTrailers && this.#trailers.size > 0) text += 'Connection: TE\r\nTE: trailers\r\n'
		return text
	}
}

/** A value that is no number is passed on: it means nothing. */
function oneLess(value: string) {
	return /^[0-9]{1,9}$/.test(value) && value !== '0' ? String(Number(value) - 1) : value
}
