/** Conditional requests, ranges and codings (RFC 9110, sections 8.4, 13 and 14). */
import type {IncomingHttpHeaders} from 'node:http'

interface Validators {
	/** Including its quotes. */
	etag: string
	/** Unix milliseconds. */
	modifiedAt: number
}

/** Whether the client has this exact list. `If-Modified-Since` counts only without `If-None-Match`. */
export function isNotModified(headers: IncomingHttpHeaders, {etag, modifiedAt}: Validators) {
	const tags = headers['if-none-match']
	if (tags !== undefined) return tags.trim() === '*' || tagsOf(tags).includes(etag)
	const since = Date.parse(headers['if-modified-since'] ?? '')
	return !Number.isNaN(since) && Math.floor(modifiedAt / 1000) * 1000 <= since
}

/** Without `W/`: a GET uses the weak comparison. */
function tagsOf(header: string): string[] {
	return header.match(/"[^"]*"/g) ?? []
}

export interface ByteRange {
	readonly first: number
	readonly last: number
}

/** `null`: the whole body, also for an invalid or multipart range. */
export function rangeOf(headers: IncomingHttpHeaders, size: number, validators: Validators): ByteRange | 'unsatisfiable' | null {
	const match = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(headers.range?.trim() ?? '')
	const [, from = '', to = ''] = match ?? []
	if (match === null || (from === '' && to === '') || !ifRangeHolds(headers['if-range'], validators)) return null
	if (from === '') return to === '0' || size === 0 ? unsatisfiable : span(Math.max(0, size - Number(to)), size - 1)
	const last = to === '' ? size - 1 : Math.min(Number(to), size - 1)
	if (to !== '' && Number(to) < Number(from)) return null
	return Number(from) >= size ? unsatisfiable : span(Number(from), last)
}

const unsatisfiable = 'unsatisfiable'

function span(first: number, last: number): ByteRange {
	return {first, last}
}

function ifRangeHolds(header: string | string[] | undefined, {etag, modifiedAt}: Validators) {
	if (header === undefined) return true
	const value = String(header).trim()
	return value.includes('"') ? value === etag : Date.parse(value) === Math.floor(modifiedAt / 1000) * 1000
}

/** Whether gzip is accepted: named, or `*`, with a weight above 0. */
export function acceptsGzip(header: string | string[] | undefined) {
	const offered = new Map<string, number>()
	for (const part of String(header ?? '')
		.toLowerCase()
		.split(',')) {
		const [coding = '', ...parameters] = part.split(';').map(text => text.trim())
		const weight = parameters.find(text => text.startsWith('q='))?.slice(2)
		offered.set(coding, weight === undefined ? 1 : Number(weight) || 0)
	}
	return (offered.get('gzip') ?? offered.get('x-gzip') ?? offered.get('*') ?? 0) > 0
}
