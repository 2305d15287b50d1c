/** The allow-list as oRPC procedures: routes, answers and document come from the same operations. */
import {os, type AnyRouter, type Schema} from '@orpc/server'
import {OpenAPIGenerator, type OpenAPI} from '@orpc/openapi'

import {version} from '#shared/version.ts'

import type {Answer} from './answers.ts'
import {changesPath, operations, schemas, type JsonSchema, type Operation} from './operations.ts'

export interface Request {
	params?: Readonly<Record<string, string>>
	query?: unknown
	body?: unknown
}

/** An answer sent unchanged. Not a plain object, because the handler would walk every record. */
export class Prepared {
	readonly answer: Answer
	constructor(answer: Answer) {
		this.answer = answer
	}
}

type Perform<Context> = (operation: Operation, request: Request, context: Context) => Promise<Answer>

/** A schema for the document only: the runner checks arguments, with the same words on every surface. */
function described<T>(json: JsonSchema): Schema<T, T> & {json: JsonSchema} {
	return {json, '~standard': {version: 1, vendor: 'cordon', validate: value => ({value: value as T})}}
}

const object = (properties: Readonly<Record<string, unknown>>, required: readonly string[] = []): JsonSchema => ({
	...{type: 'object', properties},
	...(required.length > 0 && {required})
})

const key = {
	type: 'string',
	maxLength: 255,
	description: 'The same request with the same key is carried out once in 24 hours; then Idempotency-Replayed is true.'
}

function inputOf({params, query, body, required, scope}: Operation) {
	const inBody = required.filter(name => body !== undefined && name in body)
	return object(
		{
			...(Object.keys(params).length > 0 && {params: object(params, Object.keys(params))}),
			...(Object.keys(query).length > 0 && {
				query: object(
					query,
					required.filter(name => name in query)
				)
			}),
			...(scope === 'change' && {headers: object({'idempotency-key': key})}),
			...(body !== undefined && {body: object(body, inBody)})
		},
		[...(Object.keys(params).length > 0 ? ['params'] : []), ...(inBody.length > 0 ? ['body'] : [])]
	)
}

/** A tag is of a list, and of the profile's own data. */
function isTagged({scope, command}: Operation) {
	return command === undefined || (scope === 'read' && command.result.kind === 'list')
}

function outputOf(operation: Operation) {
	const {answer, query} = operation
	const text = {type: 'string'}
	const headers = isTagged(operation) ? object({etag: text, ...('offset' in query && {link: text})}) : undefined
	return object({status: {const: 200}, ...(headers !== undefined && {headers}), body: {$ref: `#/components/schemas/${answer}`}}, [
		'status',
		'body'
	])
}

export function routerOf<Context extends object>(perform: Perform<Context>) {
	const base = os.$context<Context>()
	return Object.fromEntries(
		operations.map(operation => [
			operation.id,
			base
				.route({
					...{method: operation.method, path: `/${operation.path.slice(1)}`, operationId: operation.id, summary: operation.summary},
					...{tags: [operation.path.split('/')[1] ?? ''], inputStructure: 'detailed', outputStructure: 'detailed'}
				})
				.input(described<Request>(inputOf(operation)))
				.output(described<{body: Prepared}>(outputOf(operation)))
				.handler(async ({input, context}) => ({body: new Prepared(await perform(operation, input, context))}))
		])
	)
}

const converter = {
	condition: (schema: unknown) => typeof schema === 'object' && schema !== null && 'json' in schema,
	convert: (schema: unknown): [boolean, object] => [true, (schema as {json: object}).json] // by `condition`
}

const failures = {'4XX': {$ref: '#/components/responses/Problem'}, '5XX': {$ref: '#/components/responses/Problem'}}

const others = new Map(
	operations.map(operation => [
		operation.id,
		operation.scope === 'change'
			? {202: {$ref: '#/components/responses/Waiting'}}
			: isTagged(operation) && {304: {$ref: '#/components/responses/Same'}}
	])
)

const header = (description: string, type: 'integer' | 'string' = 'string') => ({description, schema: {type}})

/** OpenAPI 3.1 document, as served and as committed in `docs/reference/openapi.json`. */
export async function openApiDocument(): Promise<OpenAPI.Document> {
	const router = routerOf(() => Promise.reject(new Error('It only describes.'))) as AnyRouter
	const document = await new OpenAPIGenerator({schemaConverters: [converter]}).generate(router, {
		info: {
			title: 'Cordon local API',
			version,
			license: {name: 'MIT', identifier: 'MIT'},
			description:
				'Off until "cordon api on". It answers on this computer alone. A change goes through the guards, the lock and the log of Cordon.'
		},
		servers: [{url: 'http://127.0.0.1:4810/api/v1'}],
		security: [{token: []}],
		components: {
			schemas: structuredClone<Record<string, object>>(schemas),
			securitySchemes: {token: {type: 'http', scheme: 'bearer'}},
			responses: {
				Waiting: {
					description: 'A person has to allow it. Nothing was sent.',
					headers: {location: header('Where its state is told.')},
					content: {'application/json': {schema: {$ref: '#/components/schemas/Approval'}}}
				},
				Same: {description: 'If-None-Match holds the ETag.'},
				Problem: {
					description: 'What went wrong, and what to do.',
					headers: {
						'retry-after': header('Seconds, with 429 and others that pass.', 'integer'),
						allow: header('With 405.'),
						'www-authenticate': header('With 401.')
					},
					content: {'application/problem+json': {schema: {$ref: '#/components/schemas/Problem'}}}
				}
			}
		}
	})
	for (const path of Object.values(document.paths ?? {}))
		for (const operation of Object.values(path ?? {}) as OpenAPI.OperationObject[])
			Object.assign(operation.responses ?? {}, failures, others.get(operation.operationId ?? ''))
	Object.assign(document.paths ?? {}, {[changesPath]: {get: changes}})
	return shortened(document)
}

/** Shared parts as components: halves the document. */
function shortened(document: OpenAPI.Document) {
	const all = Object.values(document.paths ?? {}).flatMap(path => Object.values(path ?? {}) as OpenAPI.OperationObject[])
	for (const one of all.flatMap(({parameters: own = []}) => own)) {
		// Of lists, for which deepObject says nothing: a name for each value is the rule without it.
		for (const name of ['style', 'explode', 'allowReserved', 'allowEmptyValue']) Reflect.deleteProperty(one, name)
		if ('required' in one && !one.required) delete one.required
	}
	const parameters = common(
		all.flatMap(one => one.parameters ?? []),
		one => ('name' in one ? one.name : '')
	)
	const responses = common(
		all.flatMap(one => one.responses?.['200'] ?? []),
		() => 'Ok'
	)
	for (const operation of all) {
		if (operation.parameters !== undefined) operation.parameters = operation.parameters.map(one => parameters.of(one, 'parameters'))
		if (operation.responses?.['200'] !== undefined) operation.responses['200'] = responses.of(operation.responses['200'], 'responses')
	}
	const components = {...document.components, parameters: parameters.kept, responses: {...document.components?.responses, ...responses.kept}}
	return {...document, components} as OpenAPI.Document // of its own parts
}

function common<Part extends object>(parts: readonly Part[], nameOf: (part: Part) => string) {
	const texts = parts.map(one => JSON.stringify(one))
	const names = new Map<string, string>()
	const kept: Record<string, Part> = {}
	for (const [index, part] of parts.entries()) {
		const text = texts[index] ?? ''
		if (names.has(text) || texts.indexOf(text) === texts.lastIndexOf(text)) continue
		const name = `${nameOf(part)}${Object.keys(kept).some(one => one === nameOf(part)) ? names.size : ''}`
		names.set(text, name)
		kept[name] = part
	}
	const of = (part: Part, place: string): Part | OpenAPI.ReferenceObject => {
		const name = names.get(JSON.stringify(part))
		return name === undefined ? part : {$ref: `#/components/${place}/${name}`}
	}
	return {kept, of}
}

const changes = {
	operationId: 'changes',
	summary: 'Says what changed, as server-sent events, until the connection ends.',
	tags: ['changes'],
	responses: {200: {description: 'OK', content: {'text/event-stream': {schema: {type: 'string'}}}}, ...failures}
}
