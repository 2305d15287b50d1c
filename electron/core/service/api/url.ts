import {CordonError, invalidArgument} from '#contract/errors.ts'

import {invalid} from './checks.ts'
import type {ApiRequest} from './types.ts'

/**
 * The address of a service: `https://host[:port]`, or `http:` on a loopback address.
 * Throws `insecure_url` or `invalid_argument` with `details.field` `url`.
 */
export function checkServerUrl(text: string): URL {
	const url = URL.canParse(text) ? new URL(text) : undefined
	if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
		throw invalid('url', 'must look like https://api.example.com')
	}
	if (url.username !== '' || url.password !== '') throw invalid('url', 'must not hold credentials')
	if (url.pathname !== '/') throw invalid('url', 'must be a server alone, without a path')
	if (text.includes('?') || text.includes('#')) throw invalid('url', 'must not hold a query or a fragment')
	if (url.protocol === 'http:' && !isLoopback(url.hostname)) throw new CordonError('insecure_url', undefined, {field: 'url'})
	return url
}

/** 127.0.0.0/8, ::1 and localhost, as `URL.hostname` spells them. */
export function isLoopback(hostname: string) {
	return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname)
}

/** Host name without the brackets of an IPv6 address. */
export function bareHost(hostname: string) {
	return hostname.replace(/^\[|\]$/g, '')
}

/**
 * The full address of a request. Each segment is encoded, and the ones that no encoding makes safe are refused,
 * so that a value can never lead to another endpoint.
 */
export function requestUrl(server: URL, request: ApiRequest): URL {
	const path = ['v1', ...request.path].map(encodeSegment).join('/')
	const query = (request.query ?? []).map(encodePair).join('&')
	return new URL(`${server.origin}/${path}${query === '' ? '' : `?${query}`}`)
}

/** URL parsers resolve `.` and `..` also when they are percent-encoded, and drop nothing for an empty segment. */
function encodeSegment(segment: string) {
	if (segment === '' || segment === '.' || segment === '..') {
		throw invalidArgument(`${JSON.stringify(segment)} cannot be part of an address.`)
	}
	return encode(segment)
}

function encodePair([name, value]: readonly [string, string]) {
	const bracketed = encode(name).replaceAll('%5B', '[').replaceAll('%5D', ']')
	return `${bracketed}=${encode(value)}`
}

function encode(text: string) {
	if (!text.isWellFormed()) {
		throw invalidArgument('A value holds half a character and cannot be sent.')
	}
	return encodeURIComponent(text)
}
