/** Valid and invalid requests made from the OpenAPI document; answers are checked against it. */
import {Ajv, type ValidateFunction} from 'ajv'

import {send, type Said} from './send.ts'

type Json = Readonly<Record<string, unknown>>

interface Operation {
	method: string
	path: string
	parameters: readonly Json[]
	body: readonly (readonly [string, Json])[]
	responses: Readonly<Record<string, Json>>
}

export interface FuzzOptions {
	document: object
	port: number
	token: string
	seed: number
	/** Existing identifiers by parameter name. */
	known: Readonly<Record<string, readonly string[]>>
	/** Asked before each request. */
	goesOn: (done: number) => boolean
}

export interface Fuzzed {
	requests: number
	/** How many answers of each status. */
	statuses: Readonly<Record<number, number>>
	faults: readonly string[]
}

interface Asked {
	method: string
	path: string
	headers: Readonly<Record<string, string>>
	body: string | undefined
}

const documented = ['etag', 'link', 'location', 'retry-after']

export async function fuzzApi(options: FuzzOptions): Promise<Fuzzed> {
	const random = mulberry(options.seed)
	const operations = operationsOf(options.document)
	const check = checkerOf(options.document)
	const statuses: Record<number, number> = {}
	const faults: string[] = []
	let requests = 0
	for (; options.goesOn(requests); requests += 1) {
		const operation = pick(random, operations)
		const asked = requestFor(operation, options, random)
		// Node sends none with DELETE.
		const length = asked.body === undefined ? {} : {'content-length': String(Buffer.byteLength(asked.body))}
		const at = `http://127.0.0.1:${options.port}`
		const said = await send(asked.method, asked.path, {as: options.token, at, body: asked.body, headers: {...length, ...asked.headers}})
		statuses[said.status] = (statuses[said.status] ?? 0) + 1
		const {method} = asked
		const meant = operations.find(one => one.path === operation.path && one.method === method) ?? operation
		const fault = check(meant, said)
		if (fault !== null) faults.push(`${asked.method} ${asked.path} ${asked.body ?? ''}: ${said.status} ${fault}`)
	}
	return {requests, statuses, faults}
}

function operationsOf(document: object) {
	const {paths} = document as {paths: Readonly<Record<string, Readonly<Record<string, Json>>>>}
	const at = (one: Json) => resolved(document, one)
	return Object.entries(paths).flatMap(([path, item]) =>
		Object.entries(item).flatMap(([method, one]) => {
			const {
				parameters = [],
				responses,
				requestBody
			} = one as Json & {
				parameters?: readonly Json[]
				responses: Readonly<Record<string, Json>>
				requestBody?: {content: Readonly<Record<string, {schema: Json}>>}
			}
			const schema = requestBody?.content['application/json']?.schema['properties'] ?? {}
			const answers = Object.fromEntries(Object.entries(responses).map(([status, each]) => [status, at(each)]))
			// It never ends.
			if (JSON.stringify(answers['200']).includes('text/event-stream')) return []
			const body = Object.entries(schema as Readonly<Record<string, Json>>)
			return [{method: method.toUpperCase(), path, parameters: parameters.map(at), body, responses: answers}]
		})
	)
}

function resolved(document: object, one: Json) {
	if (typeof one['$ref'] !== 'string') return one
	let found: unknown = document
	for (const word of one['$ref'].split('/').slice(1)) found = (found as Json)[word]
	return found as Json
}

const odd = [
	...['', ' ', '0', '-1', '1e9', '99999999999999999999', 'true', 'null', 'NaN', '../..', '%', '%00', '\u0000', "' OR 1=1 --"],
	...['é\u0301', '\u202Egnp', '😀', 'a'.repeat(5000), '[]', '{}', '__proto__', 'constructor', '2024-01-01', 'DROP']
]

function textFor(name: string, schema: Json, {known}: FuzzOptions, random: () => number) {
	if (random() < 0.3) return pick(random, odd)
	const ids = known[name]
	if (ids !== undefined) return pick(random, ids)
	if (Array.isArray(schema['enum'])) return pick(random, schema['enum'] as readonly unknown[])
	if (schema['type'] === 'integer') return Math.floor(random() * 20) + Number(schema['minimum'] ?? 0)
	if (schema['type'] === 'boolean') return random() < 0.5
	return schema['type'] === 'array' ? pick(random, odd) : 'word'
}

function requestFor(operation: Operation, options: FuzzOptions, random: () => number): Asked {
	const query = new URLSearchParams()
	let {path} = operation
	for (const {name, in: place, schema} of operation.parameters as readonly (Json & {name: string; schema: Json})[]) {
		const value = String(textFor(name, schema, options, random))
		if (place === 'path') path = path.replace(`{${name}}`, encodeURIComponent(value))
		// A wait would only take time.
		else if (place === 'query' && name !== 'wait' && random() < 0.4) query.append(pick(random, [name, `${name}[]`]), value)
	}
	if (random() < 0.05) query.append(pick(random, odd), 'x')
	const method = random() < 0.05 ? pick(random, ['GET', 'PUT', 'POST', 'DELETE', 'PATCH']) : operation.method
	const headers: Record<string, string> = {}
	if (random() < 0.1) headers['idempotency-key'] = pick(random, ['one', 'two', 'k'.repeat(300)])
	if (random() < 0.1) headers['content-type'] = pick(random, ['text/plain', 'application/xml', 'application/json; charset=x'])
	if (method === 'GET') return {method, path: pathOf(path, query), headers, body: undefined}
	return {method, path: pathOf(path, query), headers, body: bodyFor(operation, options, random)}
}

const pathOf = (path: string, query: URLSearchParams) => `/api/v1${path}${query.size === 0 ? '' : `?${query.toString()}`}`

function bodyFor({body}: Operation, options: FuzzOptions, random: () => number) {
	if (random() < 0.2) return pick(random, [undefined, '', '{', '[1]', 'null', '"text"', '{"a":{"b":[]}}', '\uD800', '1'])
	const fields = body.filter(() => random() < 0.6).map(([name, schema]) => [name, textFor(name, schema, options, random)])
	if (random() < 0.1) fields.push([pick(random, ['confirm', 'unlock_code', ...odd]), pick(random, [1, null, [], {}])])
	return JSON.stringify(Object.fromEntries(fields))
}

function checkerOf(document: object) {
	const ajv = new Ajv({strict: false, allErrors: false})
	ajv.addSchema({$id: 'api', ...document})
	const known = new Map<string, ValidateFunction>()
	const validatorOf = (schema: Json) => {
		const key = JSON.stringify(schema)
		const validate = known.get(key) ?? ajv.compile(JSON.parse(key.replaceAll('"#/', '"api#/')) as object)
		known.set(key, validate)
		return validate
	}
	return ({responses}: Operation, {status, headers, text}: Said) => {
		const answer = responses[String(status)] ?? responses[`${Math.floor(status / 100)}XX`]
		if (status === 500 || answer === undefined) return `is not in the document: ${text.slice(0, 300)}`
		const own = Object.keys(answer['headers'] ?? {})
		const untold = documented.find(name => headers[name] !== undefined && !own.includes(name))
		if (untold !== undefined || ('etag' in headers && responses['304'] === undefined)) return `has ${untold ?? 'a 304'} that is not told`
		const type = (headers['content-type'] ?? '').split(';', 1)[0] ?? ''
		const content = answer['content'] as Readonly<Record<string, {schema: Json}>> | undefined
		const schema = content?.[type]?.schema
		if (schema === undefined) return `has the type ${type}`
		const validate = validatorOf(schema)
		return validate(JSON.parse(text)) ? null : `${ajv.errorsText(validate.errors)}: ${text.slice(0, 300)}`
	}
}

function pick<T>(random: () => number, from: readonly T[]) {
	return from[Math.floor(random() * from.length)] as T // never empty
}

/** mulberry32 */
function mulberry(seed: number) {
	let state = seed
	return () => {
		state = (state + 0x6d_2b_79_f5) | 0
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
	}
}
