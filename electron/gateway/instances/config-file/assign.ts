/** Single settings of an instance by name, as on the command line: `timeouts.firstByteS=60`. */
import {CordonError, invalidArgument} from '#contract/errors.ts'
import {isRecord} from '#shared/is-record.ts'
import {nearest} from '#shared/commands/nearest.ts'
import {instanceDefinitionSchema, type InstanceInput} from '#model/instance.ts'

import {shapeOf, shapesAt, type Shape} from './keys.ts'
import {shownPath} from './document.ts'
import {problemsIn} from './words.ts'

type Fields = Readonly<Record<string, unknown>>

interface Setting {
	name: string
	/** Its allowed values, in words. */
	value: string
}

/** Every setting with a single value, such as `limits.body`, and its allowed values in words. */
export function settingNames(): readonly Setting[] {
	return leaves(shapeOf(instanceDefinitionSchema), [])
}

/** `definition` with one setting changed. Throws `invalid_argument` for an unknown name or an invalid value. */
export function assigned(definition: Fields, name: string, text: string): Fields {
	const shape = shapeOf(instanceDefinitionSchema)
	const path = name.split('.')
	const found = shapesAt(shape, path, definition).filter(
		({type, anyOf, oneOf, ...rest}) => type ?? anyOf ?? oneOf ?? ('const' in rest || 'enum' in rest)
	)
	if (found.length === 0 && !isMap(shape, path, definition)) throw unknownSetting(name)
	return withValue(definition, path, valueOf(text, found, name))
}

/** Throws `invalid_argument` with every invalid setting and its fix. */
export function checkedDefinition(definition: Fields) {
	const {success, error} = instanceDefinitionSchema.safeParse(definition)
	if (success) return definition as InstanceInput // just checked
	const found = problemsIn(error, instanceDefinitionSchema, definition)
	const lines = found.map(({path, problem, fix}) => `${shownPath(path)} ${problem}: ${fix}`.replace(/[.?]?$/, end => (end === '?' ? end : '.')))
	throw invalidArgument(lines.join(' '), shownPath(found[0]?.path ?? ['set']))
}

function unknownSetting(name: string) {
	const names = settingNames().map(setting => setting.name)
	const near = nearest(name, names)
	const fix = near === undefined ? 'see "cordon help instances set"' : `did you mean ${near}?`
	return new CordonError('invalid_argument', `There is no setting ${name}: ${fix}`, {field: 'set', fix})
}

/** Free keys, such as the variables of an environment. */
function isMap(shape: Shape, path: readonly string[], value: unknown) {
	const parents = shapesAt(shape, path.slice(0, -1), value)
	return path.length > 1 && parents.some(({additionalProperties}) => typeof additionalProperties === 'object')
}

function valueOf(text: string, shapes: readonly Shape[], name: string): unknown {
	const types = new Set(shapes.flatMap(({type}) => type ?? []))
	if (types.has('null') && ['null', 'none', ''].includes(text)) return null
	if (types.has('boolean') && (text === 'true' || text === 'false')) return text === 'true'
	if ((types.has('integer') || types.has('number')) && /^-?\d+(?:\.\d+)?$/.test(text)) return Number(text)
	if (types.has('array')) return listOf(text, shapes, name)
	if (types.has('object')) return jsonOf(text, name)
	if (types.has('boolean')) throw wrong(name, 'is a switch', 'write true or false')
	if (types.has('integer') || types.has('number')) throw wrong(name, 'is a number', 'write digits')
	return text
}

/** JSON, or values separated by commas. */
function listOf(text: string, shapes: readonly Shape[], name: string): unknown {
	if (text.trimStart().startsWith('[')) return jsonOf(text, name)
	const items = text === '' ? [] : text.split(',').map(item => item.trim())
	const numbers = shapes.some(({items: item}) => item?.type === 'integer' || item?.type === 'number')
	return numbers && items.every(item => /^\d+$/.test(item)) ? items.map(Number) : items
}

function jsonOf(text: string, name: string): unknown {
	try {
		return JSON.parse(text)
	} catch {
		throw wrong(name, 'is a list or a group of settings', 'write it as JSON')
	}
}

function wrong(name: string, problem: string, fix: string) {
	return new CordonError('invalid_argument', `${name} ${problem}: ${fix}.`, {field: 'set', fix})
}

function withValue(fields: unknown, [first, ...rest]: readonly string[], value: unknown): Fields {
	const known = isRecord(fields) ? fields : {}
	if (first === undefined) return known
	const inner = rest.length === 0 ? value : withValue(Object.hasOwn(known, first) ? known[first] : {}, rest, value)
	return Object.fromEntries([...Object.entries(known).filter(([key]) => key !== first), [first, inner]])
}

function leaves(shape: Shape, path: readonly string[]): readonly Setting[] {
	const options = shape.oneOf ?? shape.anyOf
	const objects = (options ?? [shape]).filter(({properties}) => properties !== undefined)
	const below = objects.flatMap(({properties}) => Object.entries(properties ?? {}).flatMap(([key, inner]) => leaves(inner, [...path, key])))
	const name = path.join('.')
	if (objects.length > 0) return merged(below)
	return [{name, value: words(shape)}]
}

/** One entry per name, with the values of all alternatives. */
function merged(all: readonly Setting[]): readonly Setting[] {
	const byName = Map.groupBy(all, ({name}) => name)
	return [...byName].map(([name, same]) => ({name, value: [...new Set(same.map(({value}) => value))].join(', ')}))
}

function words(shape: Shape) {
	if (shape.enum !== undefined) return shape.enum.join(', ')
	if (shape.const !== undefined) return String(shape.const)
	const types = [shape.type ?? (shape.anyOf ?? shape.oneOf ?? []).map(({type}) => type ?? 'text')].flat(2)
	const known: Readonly<Record<string, string>> = {
		boolean: 'true or false',
		integer: 'a whole number',
		number: 'a number',
		array: 'a list',
		object: 'JSON',
		string: 'a text',
		null: 'none'
	}
	return [...new Set(types.map(type => known[String(type)] ?? 'a text'))].join(' or ')
}
