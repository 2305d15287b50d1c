/** The answer sent to the client (route description, 1.5). The writer adds the framing. */
import {contentLength} from '../http1/fields.ts'
import type {Fields, ResponseHead} from '../message-types.ts'
import type {ForwardedRequest} from '../pipeline-parts.ts'
import type {ForwardedInstance, ForwarderConfig} from '../types.ts'
import {combined, only} from './lookup.ts'
import {notFromInstances} from './names.ts'
import {announced, compileTrailers, passTrailers} from './trailers.ts'

/** HSTS for browsers behind a publicly trusted certificate: a year. */
export const strictTransport = 'max-age=31536000'

/** Computes once what is the same for all answers of an instance. */
export class ResponseReader {
	readonly #instance: ForwardedInstance
	readonly #isStrict: boolean
	readonly #own: readonly string[]
	readonly #trailers: ReadonlySet<string>

	constructor(instance: ForwardedInstance, config: ForwarderConfig) {
		this.#instance = instance
		this.#isStrict = config.strictTransportSecurity
		this.#own = ownAuthorities(instance)
		this.#trailers = compileTrailers(instance.trailers)
	}

	fields(head: ResponseHead, request: ForwardedRequest): Fields {
		const {fields, connection} = head
		const passed: string[] = []
		let hasDate = false
		for (let at = 0; at < fields.length; at += 2) {
			const name = fields[at] ?? ''
			const lower = name.toLowerCase()
			if (notFromInstances.has(lower) || (connection.length > 0 && connection.includes(lower))) continue
			if (lower === 'date') {
				if (hasDate) continue
				hasDate = true
			}
			passed.push(name, this.#value(lower, fields[at + 1] ?? '', request))
		}
		if (!hasDate) passed.push('Date', new Date().toUTCString())
		passed.push('X-Request-Id', request.requestId)
		if (this.#isStrict) passed.push('Strict-Transport-Security', strictTransport)
		return this.#framed(passed, head, request)
	}

	/** Of an interim answer. */
	interim(fields: Fields, request: ForwardedRequest): Fields {
		const passed: string[] = []
		for (let at = 0; at < fields.length; at += 2) {
			const name = fields[at] ?? ''
			const lower = name.toLowerCase()
			// Fields of the final head must not be sent early.
			if (notFromInstances.has(lower) || lower === 'set-cookie' || lower === 'date') continue
			passed.push(name, this.#value(lower, fields[at + 1] ?? '', request))
		}
		return passed
	}

	/** Those allowed by the list. */
	trailers(fields: Fields) {
		return passTrailers(fields, this.#trailers)
	}

	#value(name: string, value: string, request: ForwardedRequest) {
		switch (name) {
			case 'location':
			case 'content-location':
				return this.#instance.rewriteLocation ? this.#reference(value, request) : value
			case 'refresh':
				return this.#instance.rewriteLocation ? rewriteRefresh(value, one => this.#reference(one, request)) : value
			case 'set-cookie':
				return this.#instance.scopeCookies ? scopeCookie(value, request.decision.prefix) : value
			default:
				return value
		}
	}

	#reference(value: string, {decision, head}: ForwardedRequest) {
		return rewriteReference(value, decision.prefix, head.authority, this.#own)
	}

	/** A length without a body is information: answers to HEAD and 304 keep it. Possible trailers are announced. */
	#framed(passed: string[], {framing, status, fields}: ResponseHead, {head}: ForwardedRequest) {
		if (framing.kind === 'none' && (status === 304 || (head.method === 'HEAD' && status >= 200 && status !== 204))) {
			const length = contentLength(only(fields, 'content-length') ?? '')
			if (length !== null) passed.push('Content-Length', String(length))
		}
		if (framing.kind === 'chunked' && head.wantsTrailers) {
			const trailer = announced(combined(fields, 'trailer'), this.#trailers)
			if (trailer !== null) passed.push('Trailer', trailer)
		}
		return passed
	}
}

/**
 * An instance's cookie is limited to its prefix, this host and TLS. A name with `__Host-` requires the path `/`, so browsers will
 * not keep such a cookie: it would reach every other instance.
 */
function scopeCookie(cookie: string, prefix: string) {
	const [pair = '', ...attributes] = cookie.split(';')
	// A name may contain attribute delimiters.
	const root = prefix.replaceAll(';', '%3B').replaceAll(',', '%2C')
	const kept: string[] = []
	let path = '/'
	let isSecure = false
	for (const attribute of attributes) {
		const [name = '', ...rest] = attribute.split('=')
		const lower = name.trim().toLowerCase()
		if (lower === 'domain') continue
		if (lower === 'path') path = rest.join('=').trim()
		else {
			isSecure ||= lower === 'secure'
			kept.push(attribute)
		}
	}
	const scoped = path === root || path.startsWith(`${root}/`) ? path : root + (path.startsWith('/') ? path : '/')
	return [pair, ...kept, ` Path=${scoped}`, ...(isSecure ? [] : [' Secure'])].join(';')
}

/* References in answers, from the instance's view, translated to the outside. */

/** Authorities by which an instance may name itself: after `http://`, lower case. */
function ownAuthorities(instance: ForwardedInstance) {
	const port = `:${String(instance.listenPort)}`
	const told = /^(?:preserve|loopback)$/.test(instance.hostHeader) ? [] : [instance.hostHeader.toLowerCase()]
	return [...['127.0.0.1', 'localhost', '[::1]', '0.0.0.0'].map(host => host + port), ...told]
}

function isUnder(path: string, prefix: string) {
	if (!path.startsWith(prefix)) return false
	const next = path.charAt(prefix.length)
	return next === '' || next === '/' || next === '?' || next === '#'
}

/**
 * A reference to the instance itself gets the prefix; one that has it already (the instance uses `X-Forwarded-Prefix`), a
 * relative one and one to another host stay. `authority`: the client's name of this server.
 */
function rewriteReference(reference: string, prefix: string, authority: string, own: readonly string[]) {
	if (reference.startsWith('/') && !reference.startsWith('//')) {
		return isUnder(reference, prefix) ? reference : prefix + reference
	}
	const match = /^(?:https?:)?\/\/([^/?#]*)(.*)$/i.exec(reference)
	if (match === null) return reference
	const host = (match[1] ?? '').toLowerCase()
	const rest = match[2] ?? ''
	if (!own.includes(host) && host !== authority.toLowerCase()) return reference
	if (isUnder(rest, prefix)) return rest
	return prefix + (rest.startsWith('/') ? rest : `/${rest}`)
}

/** `5; url=/next`, in the forms browsers accept. Linear in the value's length. */
function rewriteRefresh(value: string, rewrite: (reference: string) => string) {
	const behind = /^\s*[0-9.]+\s*[;,]\s*(?:url\s*=\s*)?/i.exec(value)?.[0].length
	if (behind === undefined) return value
	const quote = value.charAt(behind)
	const isQuoted = quote === '"' || quote === "'"
	const from = isQuoted ? behind + 1 : behind
	const closing = isQuoted ? value.indexOf(quote, from) : -1
	const to = closing === -1 ? value.trimEnd().length : closing
	return from >= to ? value : value.slice(0, from) + rewrite(value.slice(from, to)) + value.slice(to)
}
