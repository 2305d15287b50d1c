/** When two requests are equal, and which answers may go to several clients. */
import {createHash} from 'node:crypto'

import {combined} from '../headers/lookup.ts'
import type {Fields, RequestHead, ResponseHead} from '../message-types.ts'

/** Fields that distinguish requests regardless of `Vary`. */
const always = ['accept', 'accept-encoding', 'authorization', 'cookie', 'range']
const conditions = ['if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since', 'if-range']

export function withoutFields(fields: Fields, names: readonly string[]) {
	const kept: string[] = []
	for (let at = 0; at < fields.length; at += 2) {
		const name = fields[at] ?? ''
		if (!names.includes(name.toLowerCase())) kept.push(name, fields[at + 1] ?? '')
	}
	return kept
}

/** Lower-case names of a list field. */
function listOf(value: string | null) {
	if (value === null) return []
	return value
		.toLowerCase()
		.split(',')
		.map(part => part.trim())
		.filter(part => part !== '')
}

export interface Asked {
	readonly head: RequestHead
	/** Of the instance. */
	readonly origin: string
	/** As sent to the instance. */
	readonly target: string
	/** The path prefix of the instance, as written by the client: instances use it in links. */
	readonly prefix: string
	/** The result of the access check; two users never share an answer. */
	readonly identity: Fields
}

/** Hashed, because the parts may be secret. HEAD has the key of its GET. */
function keyOf(asked: Asked, names: readonly string[]) {
	const hash = createHash('sha256')
	const parts = [asked.origin, asked.head.authority, asked.prefix, asked.target, ...asked.identity]
	for (const name of names) parts.push(combined(asked.head.fields, name) ?? '\0')
	for (const part of parts) hash.update(`${part.length}:${part}`, 'utf8')
	return hash.digest('base64')
}

/** Requests with the same key may get the same stored answer. */
export function keptKey(asked: Asked) {
	return keyOf(asked, always)
}

/** Requests with the same key may share one request at the instance. */
export function sharedKey(asked: Asked) {
	return keyOf(asked, [...always, ...conditions])
}

/** GET without a body, not for a part only. */
export function isShareable(head: RequestHead) {
	if (head.method !== 'GET' || head.framing.kind !== 'none' || head.upgrade !== null) return false
	if (combined(head.fields, 'range') !== null) return false
	return !listOf(combined(head.fields, 'cache-control')).includes('no-store')
}

/** Whether the answer is for everyone with the same request. */
export function isForAll(answer: ResponseHead) {
	if (combined(answer.fields, 'set-cookie') !== null || listOf(combined(answer.fields, 'vary')).includes('*')) return false
	// `private="field"` and `no-cache="field"` limit single fields; here they count for the whole answer.
	const control = new Set(listOf(combined(answer.fields, 'cache-control')).map(part => part.split('=')[0]))
	return !control.has('no-store') && !control.has('private')
}

/** An answer without an end. */
export function isEventStream(answer: ResponseHead) {
	return (combined(answer.fields, 'content-type') ?? '').toLowerCase().startsWith('text/event-stream')
}

/** The request fields in the answer's `Vary`, with their values. */
export function varyOf(answer: ResponseHead, request: RequestHead): Fields {
	return listOf(combined(answer.fields, 'vary')).flatMap(name => [name, combined(request.fields, name) ?? '\0'])
}

export function fitsVary(vary: Fields, request: RequestHead) {
	for (let at = 0; at < vary.length; at += 2) {
		if ((combined(request.fields, vary[at] ?? '') ?? '\0') !== vary[at + 1]) return false
	}
	return true
}

/** Whether `If-None-Match` names the tag: weakly compared, as for GET and HEAD (RFC 9110, section 13.1.2). */
export function matchesTag(request: RequestHead, etag: string | null) {
	const wanted = combined(request.fields, 'if-none-match')
	if (wanted === null || etag === null) return false
	if (wanted.trim() === '*') return true
	const bare = (tag: string) => tag.replace(/^W\//, '')
	return (wanted.match(/(?:W\/)?"[^"]*"/g) ?? []).some(tag => bare(tag) === bare(etag))
}
