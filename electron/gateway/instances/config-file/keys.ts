/** The keys of a schema, for suggestions and for listing settings. */
import {z} from 'zod'

/** The used part of a JSON Schema. */
export interface Shape {
	readonly type?: string | readonly string[]
	readonly const?: unknown
	readonly enum?: readonly unknown[]
	readonly properties?: Readonly<Record<string, Shape>>
	readonly additionalProperties?: unknown
	readonly items?: Shape
	readonly anyOf?: readonly Shape[]
	readonly oneOf?: readonly Shape[]
	readonly default?: unknown
	readonly minimum?: number
	readonly maximum?: number
}

/** The input side of the schema. */
export function shapeOf(schema: z.ZodType) {
	return z.toJSONSchema(schema, {io: 'input', unrepresentable: 'any'}) as Shape // every field of `Shape` is one of JSON Schema
}

/** Keys of the object at a path of `value`; of all alternatives if its kind is not given. */
export function knownKeys(shape: Shape, path: readonly PropertyKey[], value: unknown): readonly string[] {
	const found = shapesAt(shape, path, value)
	return [...new Set(found.flatMap(({properties}) => Object.keys(properties ?? {})))]
}

export function shapesAt(shape: Shape, path: readonly PropertyKey[], value: unknown): readonly Shape[] {
	const here = alternatives(shape, value)
	const [part, ...rest] = path
	if (part === undefined) return here
	return here.flatMap(option => {
		const inner = typeof part === 'number' ? option.items : option.properties?.[String(part)]
		return inner === undefined ? [] : shapesAt(inner, rest, valueAt(value, part))
	})
}

function alternatives(shape: Shape, value: unknown): readonly Shape[] {
	const options = shape.oneOf ?? shape.anyOf
	if (options === undefined) return [shape]
	const fitting = options.filter(option => fits(option, value))
	return (fitting.length > 0 ? fitting : options).flatMap(option => alternatives(option, value))
}

function fits({properties}: Shape, value: unknown) {
	if (properties === undefined) return true
	return Object.entries(properties).every(([name, {const: wanted}]) => wanted === undefined || valueAt(value, name) === wanted)
}

function valueAt(value: unknown, part: PropertyKey) {
	if (typeof value !== 'object' || value === null) return undefined
	return Object.hasOwn(value, part) ? (value as Readonly<Record<PropertyKey, unknown>>)[part] : undefined
}
