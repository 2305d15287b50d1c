/** Checks of a well-formed request before its instance: host, origin, rate, size. */
import {isIP} from 'node:net'

import {combined, only} from './headers/lookup.ts'
import {pseudonymOf} from './headers/names.ts'
import {splitAuthority} from './http1/authority.ts'
import {isLoopback} from './access/addresses.ts'
import type {Decision, Peer, Refusal, RequestFraming, RequestHead} from './message-types.ts'
import {denied, refused} from './refusals.ts'
import type {ForwardedInstance, ForwarderConfig} from './types.ts'

/** An address cannot be redirected like a name; when the local address is known, it must be that. */
function isOwnAddress(host: string, {localAddress}: Peer) {
	if (isIP(host) === 0) return false
	return isLoopback(host) || localAddress === undefined || host === localAddress.toLowerCase()
}

/** RFC 9110, 7.6.3: each element is a protocol, a name, and maybe a comment. */
function hasPassed(via: string, pseudonym: string) {
	return via.split(',').some(
		element =>
			element
				.trim()
				.split(/[ \t]+/)[1]
				?.toLowerCase() === pseudonym
	)
}

/** As counted by the parser: lines with their delimiters. */
function headSize({method, target, fields}: RequestHead) {
	let size = method.length + target.length + 'GET  HTTP/1.1\r\n\r\n'.length - 'GET'.length
	for (const text of fields) size += text.length + 2
	return size
}

export class Policy {
	readonly #names: ReadonlySet<string>
	readonly #pseudonym: string
	readonly #headBytes: number
	/** The last one checked: most clients repeat theirs. */
	#authority = ''
	#host: string | undefined

	constructor(config: ForwarderConfig) {
		this.#names = new Set(['localhost', ...config.hostnames.map(name => name.toLowerCase())])
		this.#pseudonym = pseudonymOf(config).toLowerCase()
		this.#headBytes = config.limits.headBytes
	}

	/** Host, origin, loop, hops, size of the head; `null`: accepted. */
	check(head: RequestHead, peer: Peer, decision: Decision): Refusal | null {
		if (!this.#isOurs(head.authority, peer)) return refused.host
		const instance = decision.kind === 'forward' ? decision.instance : null
		const isPage = instance === null || instance.webInterface
		if (isCrossSite(head, instance?.origins ?? [], isPage)) return refused.crossSite
		return instance === null ? null : this.#checkForwarded(head, instance)
	}

	/** Only allowed names, so that no foreign name leading here can be used (DNS rebinding). */
	#isOurs(authority: string, peer: Peer) {
		if (this.#names.has(authority)) return true
		if (authority !== this.#authority) {
			this.#authority = authority
			this.#host = splitAuthority(authority)?.host.toLowerCase().replace(/\.$/, '')
		}
		const host = this.#host
		return host !== undefined && (this.#names.has(host) || isOwnAddress(host, peer))
	}

	#checkForwarded(head: RequestHead, instance: ForwardedInstance): Refusal | null {
		const via = combined(head.fields, 'via')
		if (via !== null && hasPassed(via, this.#pseudonym)) return refused.loop
		if (head.method === 'OPTIONS' && only(head.fields, 'max-forwards') === '0') return refused.options
		const {head: most} = instance.limits
		return most < this.#headBytes && headSize(head) > most ? refused.headTooLarge : null
	}
}

/** A method that the instance does not accept. */
export function methodRefusal({methods}: ForwardedInstance, method: string): Refusal | null {
	if (methods === null || methods.includes(method)) return null
	return denied(405, 'method', 'This method is not taken here.', ['Allow', methods.join(', ')])
}

/** The announced size is already too large. */
export function sizeRefusal({limits}: ForwardedInstance, framing: RequestFraming): Refusal | null {
	return limits.body > 0 && framing.kind === 'length' && framing.length > limits.body ? refused.bodyTooLarge : null
}

/** An instance that is not running is not asked. */
export function stateRefusal({state}: ForwardedInstance): Refusal | null {
	if (state === 'starting') return refused.starting
	return state === 'disabled' || state === 'stopped' ? refused.notRunning : null
}

/* Cross-site requests: a browser sends them with everything the operator's computer may reach. */

/** `host:port` in lower case; the port of https where none is given. */
function place(authority: string) {
	const parts = splitAuthority(authority.toLowerCase())
	return parts === null ? null : `${parts.host}:${String(parts.port ?? 443)}`
}

function isOwnOrigin(origin: string, authority: string) {
	const match = /^https:\/\/([^/?#]+)$/i.exec(origin)
	const there = match?.[1] === undefined ? null : place(match[1])
	return there !== null && there === place(authority)
}

function isListed(origin: string, origins: readonly string[]) {
	const lower = origin.toLowerCase()
	return origins.some(one => one === '*' || one.toLowerCase().replace(/\/$/, '') === lower)
}

/**
 * A person follows a link to here: the other site sees nothing of the answer. A page may be opened by script; anything else only
 * by a click, so that no site can call an interface by opening it.
 */
function isNavigation({method, fields}: RequestHead, isPage: boolean) {
	if (method !== 'GET' && method !== 'HEAD') return false
	if (only(fields, 'sec-fetch-mode') !== 'navigate' || only(fields, 'sec-fetch-dest') !== 'document') return false
	return isPage || only(fields, 'sec-fetch-user') === '?1'
}

/**
 * Whether a browser sends it for a page of another site that is not allowed. Other clients send neither `Sec-Fetch-Site` nor
 * `Origin`, and pass; a page can forge neither.
 */
function isCrossSite(head: RequestHead, origins: readonly string[], isPage: boolean) {
	const {fields, authority} = head
	const site = only(fields, 'sec-fetch-site')
	const origin = only(fields, 'origin')
	if (site === null && origin === null) return false
	if (site === undefined || origin === undefined) return true
	if (origin !== null && isListed(origin, origins)) return false
	if (site === 'none') return false
	if (site === 'same-origin') return origin !== null && !isOwnOrigin(origin, authority)
	if (site === null && origin !== null) return !isOwnOrigin(origin, authority)
	return !isNavigation(head, isPage)
}
