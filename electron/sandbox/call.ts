import type {IncomingMessage} from 'node:http'

import {Refusal} from './answer.ts'

/** One parsed request. */
export interface Call {
	method: string
	/** Path as sent, without the query and one trailing slash. */
	path: string
	/** Decoded path segments: an encoded `/` stays inside its segment. */
	segments: readonly string[]
	query: URLSearchParams
	/** `http://host[:port]`, as named by the caller. */
	origin: string
	/** The absolute request URL as understood: `metadata.links.self`. */
	self: string
	body: Readonly<Record<string, string>>
	/** Array fields of the body; few endpoints accept any. */
	lists: Readonly<Record<string, readonly string[]>>
	/** Name of the caller's credential, shown in `isolated_by`. */
	caller: string
	/** Unix milliseconds. */
	now: number
}

const bodyLimit = 1_048_576

export function segmentsOf(path: string): readonly string[] {
	try {
		return path.split('/').slice(1).map(decodeURIComponent)
	} catch {
		throw new Refusal(400, 'The path is not valid percent-encoding')
	}
}

/** Splits `/v1/groups/?name=x` into `/v1/groups` and `?name=x`; an absolute-form target loses its origin. */
export function splitTarget(target: string) {
	const local = target.replace(/^[a-z]+:\/\/[^/?#]*/i, '')
	const mark = local.indexOf('?')
	const path = mark < 0 ? local : local.slice(0, mark)
	return {path: path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path, search: mark < 0 ? '' : local.slice(mark)}
}

/** Reads the body as text. Throws a {@link Refusal} of 413. */
export async function readText(request: IncomingMessage) {
	const chunks: Buffer[] = []
	let size = 0
	for await (const chunk of request as AsyncIterable<Buffer>) {
		size += chunk.length
		if (size > bodyLimit) throw new Refusal(413, 'The request body is too large')
		chunks.push(chunk)
	}
	return Buffer.concat(chunks).toString('utf8').trim()
}

/** Flat text fields of a JSON or form body. Throws a {@link Refusal} of 400. */
export function fieldsOf(text: string, contentType: string | undefined): Readonly<Record<string, string>> {
	if (text === '') return {}
	return contentType?.includes('json') === true ? jsonFields(text) : Object.fromEntries(new URLSearchParams(text))
}

function jsonFields(text: string) {
	const value = parsedJson(text)
	if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Refusal(400, 'The request body is not a JSON object')
	const fields = Object.entries(value).filter((entry): entry is [string, string | number | boolean] => isScalar(entry[1]))
	return Object.fromEntries(fields.map(([name, field]) => [name, String(field)]))
}

/** Arrays of a JSON body. Throws a {@link Refusal} of 400. */
export function listsOf(text: string, contentType: string | undefined): Readonly<Record<string, readonly string[]>> {
	if (text === '' || contentType?.includes('json') !== true) return {}
	const lists = Object.entries(parsedJson(text) ?? {}).filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1]))
	return Object.fromEntries(lists.map(([name, list]) => [name, list.map(String)]))
}

function isScalar(value: unknown) {
	return ['string', 'number', 'boolean'].includes(typeof value)
}

export function parsedJson(text: string): unknown {
	try {
		return JSON.parse(text)
	} catch {
		throw new Refusal(400, 'The request body is not valid JSON')
	}
}

/** Values of one filter: `name=a`, `name[]=a&name[]=b`, without empty ones. */
export function values(call: Call, name: string): readonly string[] {
	return [...call.query.getAll(name), ...call.query.getAll(`${name}[]`)].filter(value => value !== '')
}

/** The last value of one filter, as Rails reads it. */
export function value(call: Call, name: string) {
	return values(call, name).at(-1)
}
