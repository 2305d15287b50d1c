/** The generated half of the typed client (`client/`): each operation's address and types. */
import type {openApiDocument} from '#core/doors/router.ts'

type Document = Awaited<ReturnType<typeof openApiDocument>>

interface Operation {
	operationId?: string
	parameters?: readonly unknown[]
	requestBody?: unknown
	responses?: Readonly<Record<string, unknown>>
}

interface Schema {
	type?: string | readonly string[]
	properties?: Readonly<Record<string, Schema>>
	required?: readonly string[]
	items?: Schema
	enum?: readonly unknown[]
	readonly $ref?: string
}

interface Field {
	name: string
	schema: Schema
	required: boolean
}

interface Address {
	id: string
	method: string
	path: string
	given: readonly Field[]
	body: readonly Field[]
	outputs: readonly string[]
}

export function clientFiles(document: Document): {code: string; types: string} {
	const at = addressesOf(document)
	const note = '// Generated from docs/reference/openapi.json.\n'
	const rows = at.map(
		({id, method, path, body}) => `\t${id}: ['${method}', '${path}', ${JSON.stringify(body.map(({name}) => name)).replaceAll('"', "'")}],`
	)
	const schemas = Object.entries((document.components?.schemas ?? {}) as Record<string, Schema>)
	return {
		code: `${note}// Method, path below /api/v1, and what stands in the body.\nexport const operations = {\n${rows.join('\n')}\n};\n`,
		types: [
			note.trimEnd(),
			...schemas.map(([name, schema]) => `export type ${name} = ${typeOf(schema)};`),
			'interface At { connection?: string; incident?: string }',
			'export interface Operations {',
			...at.map(({id, given, body, outputs}) => `\t${id}: { input: ${inputOf([...given, ...body])}; output: ${outputs.join(' | ')} };`),
			'}\n'
		].join('\n')
	}
}

function addressesOf(document: Document): readonly Address[] {
	const resolved = <T>(one: T) => {
		const [, , place, name] = ((one as {$ref?: string} | undefined)?.$ref ?? '').split('/')
		if (place === undefined || name === undefined) return one
		const parts = document.components as Readonly<Record<string, Readonly<Record<string, unknown>>>>
		return parts[place]?.[name] as T // our own document
	}
	return Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
		Object.entries((item ?? {}) as Readonly<Record<string, Operation>>).flatMap(([method, one]) => {
			const outputs = ['200', '202'].flatMap(status => outputOf(resolved(one.responses?.[status])))
			if (outputs.length === 0) return []
			const parameters = (one.parameters ?? []).map(each => resolved(each) as Parameter)
			const given = parameters.filter(each => each.in !== 'header').map(({name, schema, required = false}) => ({name, schema, required}))
			return [{id: one.operationId ?? '', method: method.toUpperCase(), path, given, body: bodyOf(one), outputs}]
		})
	)
}

interface Parameter {
	name: string
	in: string
	schema: Schema
	required?: boolean
}

type Content = Readonly<Record<string, {schema?: Schema}>>

function bodyOf({requestBody}: Operation): readonly Field[] {
	const {content = {}} = (requestBody ?? {}) as {content?: Content}
	const {properties = {}, required = []} = content['application/json']?.schema ?? {}
	return Object.entries(properties).map(([name, schema]) => ({name, schema, required: required.includes(name)}))
}

function outputOf(response: unknown): readonly string[] {
	const {content = {}} = (response ?? {}) as {content?: Content}
	const schema = content['application/json']?.schema
	return schema === undefined ? [] : [typeOf(schema)]
}

function inputOf(fields: readonly Field[]) {
	const own = fields.filter(({name}) => name !== 'connection' && name !== 'incident')
	if (own.length + 2 > fields.length) return objectOf(fields)
	return own.length === 0 ? 'At' : `At & ${objectOf(own)}`
}

function objectOf(fields: readonly Field[]) {
	const one = ({name, schema, required}: Field): string => `${/^\w+$/.test(name) ? name : `'${name}'`}${required ? '' : '?'}: ${typeOf(schema)}`
	return `{ ${fields.map(one).join('; ')} }`
}

function typeOf({$ref, type, properties, items, required = [], enum: values}: Schema): string {
	if ($ref !== undefined) return $ref.split('/').at(-1) ?? 'unknown'
	if (values !== undefined) return values.map(one => `'${String(one)}'`).join(' | ')
	if (Array.isArray(type)) return type.map(one => typeOf({type: one, ...(items !== undefined && {items})})).join(' | ')
	if (type === 'array') return `readonly (${typeOf(items ?? {})})[]`
	if (type === 'integer') return 'number'
	if (type !== 'object') return typeof type === 'string' ? type : 'unknown'
	if (properties === undefined) return 'Record<string, unknown>'
	return objectOf(Object.entries(properties).map(([name, schema]) => ({name, schema, required: required.includes(name)})))
}
