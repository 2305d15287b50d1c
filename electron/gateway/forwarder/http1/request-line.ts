import {badRequest} from '../refusals.ts'
import {isAuthority} from './authority.ts'
import {space, targetBytes, tokenBytes} from './characters.ts'
import {refused, type ReadLine} from './fields.ts'

/** No known method is longer (RFC 9112, 3). */
const longestMethod = 64
const versionLength = 'HTTP/1.1\r\n'.length

export interface RequestLine {
	readonly kind: 'line'
	readonly method: string
	/** Origin form, `*`, or for CONNECT as received. */
	readonly target: string
	/** Of the absolute form; `null` otherwise: `Host` counts. */
	readonly authority: string | null
	readonly version: '1.0' | '1.1'
	/** After the line's CRLF. */
	readonly next: number
}

const more = {kind: 'more'} as const

interface Target {
	target: string
	authority: string | null
}

/** Clients send the absolute form to a proxy; its authority replaces `Host` (G12). */
function absoluteTarget(method: string, raw: string): Target | null {
	const match = /^https?:\/\/([^/?]*)(.*)$/i.exec(raw)
	const authority = match?.[1]
	const rest = match?.[2]
	if (authority === undefined || rest === undefined || !isAuthority(authority)) return null
	if (rest === '') return {target: method === 'OPTIONS' ? '*' : '/', authority}
	return {target: rest.startsWith('/') ? rest : `/${rest}`, authority}
}

function reduceTarget(method: string, raw: string): Target | null {
	if (raw.startsWith('/') || method === 'CONNECT') return {target: raw, authority: null}
	if (raw === '*') return method === 'OPTIONS' ? {target: raw, authority: null} : null
	return absoluteTarget(method, raw)
}

/** `undefined`: incomplete; `null`: invalid. */
function readVersion(text: string, at: number) {
	const version = text.slice(at, at + versionLength)
	if (version === 'HTTP/1.1\r\n') return '1.1'
	if (version.length < versionLength && !version.includes('\n')) return undefined
	return /^HTTP\/([0-9]\.[0-9])\r\n$/.exec(version)?.[1] ?? null
}

/** Only single spaces are allowed (RFC 9112, 3). */
export function readRequestLine(text: string, longestTarget: number): ReadLine<RequestLine> {
	let at = 0
	while (tokenBytes[text.charCodeAt(at)] === 1) at++
	if (at > longestMethod) return refused(badRequest.methodTooLong)
	if (at === text.length) return more
	if (at === 0 || text.charCodeAt(at) !== space) return refused(badRequest.line)
	const method = text.slice(0, at++)
	const targetAt = at
	while (targetBytes[text.charCodeAt(at)] === 1) at++
	if (at - targetAt > longestTarget) return refused(badRequest.targetTooLong)
	if (at === text.length) return more
	if (at === targetAt || text.charCodeAt(at) !== space) return refused(badRequest.line)
	const version = readVersion(text, at + 1)
	if (version === undefined) return more
	if (version === null) return refused(badRequest.line)
	if (version !== '1.1' && version !== '1.0') return refused(badRequest.version)
	const target = reduceTarget(method, text.slice(targetAt, at))
	if (target === null) return refused(badRequest.target)
	return {kind: 'line', method, ...target, version, next: at + 1 + versionLength}
}
