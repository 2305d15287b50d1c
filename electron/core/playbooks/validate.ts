/** Checks a document in three layers: the public schema, unknown keys, and the rules of the graph. */
import type {ErrorObject, ValidateFunction} from 'ajv'

import {nearest} from '#shared/commands/nearest.ts'
import {CordonError} from '#shared/contract/errors.ts'
import type {PlaybookIssue, PlaybookVerdict} from '#shared/model/playbook.ts'

import {cacaoSchema, type Schema} from './cacao-schema.ts'
import type {PlaybookDocument} from './document.ts'
import {checkGraph} from './graph.ts'

const largestText = 1_048_576
const deepest = 40
const mostSteps = 1000

/** Parses a document. Throws `invalid_argument` for text that is no JSON object or too large. */
export function readPlaybook(text: string): Readonly<Record<string, unknown>> {
	if (text.length > largestText) throw wrong('The file is larger than 1 MB. A playbook of that size is refused.')
	let value: unknown
	try {
		value = JSON.parse(text.replace(/^\uFEFF/, ''))
	} catch (error) {
		throw wrong(`The file is no JSON: ${error instanceof Error ? error.message : ''}.`)
	}
	if (!isObject(value)) throw wrong('The file holds no JSON object. A playbook is one.')
	if (isDeeper(value, deepest)) throw wrong(`The file has more than ${deepest} levels. A playbook of that depth is refused.`)
	return value
}

function wrong(message: string): CordonError {
	return new CordonError('invalid_argument', message, {field: 'file'})
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
	return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isDeeper(value: unknown, levels: number): boolean {
	if (typeof value !== 'object' || value === null) return false
	return levels === 0 || Object.values(value).some(inner => isDeeper(inner, levels - 1))
}

interface Compiled {
	readonly schema: Schema
	readonly whole: ValidateFunction
	of(definition: string): ValidateFunction | undefined
}
let compiled: Promise<Compiled> | undefined

/** Loaded and compiled at first use: too slow for startup. */
async function compile(): Promise<Compiled> {
	const {Ajv} = await import('ajv')
	const schema = cacaoSchema()
	const ajv = new Ajv({strict: false, allErrors: true, validateFormats: false, inlineRefs: false})
	ajv.addSchema(schema, 'cacao')
	const whole = ajv.getSchema('cacao')
	if (whole === undefined) throw new Error('the schema of playbooks is missing')
	return {schema, whole, of: definition => ajv.getSchema(`cacao#/definitions/${definition}`)}
}

/** `origins`: those listed by the connection, where known. */
export async function checkPlaybook(
	document: Readonly<Record<string, unknown>>,
	origins: readonly string[] = [],
): Promise<PlaybookVerdict> {
	const {schema, whole, of} = await (compiled ??= compile())
	const issues: PlaybookIssue[] = []
	const add = (level: PlaybookIssue['level'], path: readonly string[], message: string, fix: string): void => {
		const at = placeOf(document, path)
		if (!issues.some(one => one.level === level && one.step === at.step && one.field === at.field && one.message === message))
			issues.push({level, ...at, message, fix})
	}
	whole(document)
	for (const error of plainest(whole.errors ?? [])) add('error', pathOf(error), ...wordsOf(error))
	for (const [path, command] of commandsOf(document)) {
		const check = of(`command-${String(command['type'])}`)
		check?.(command)
		for (const error of plainest(check?.errors ?? [])) add('error', [...path, ...pathOf(error)], ...wordsOf(error))
	}
	let hasShape = issues.length === 0
	for (const [path, known] of unknownKeys(schema, document)) {
		const key = path.at(-1) ?? ''
		if (known.length === 0) {
			// Agents and targets may be of kinds without a schema; steps and variables may not.
			if (!isNamed(path)) continue
			hasShape = false
			add('error', path, `${key.slice(0, 80)} is no name of CACAO 2.0 for this.`, nameFix(path))
			continue
		}
		const near = nearest(key, known)
		const fix = near === undefined ? 'Remove it, or put it into an extension.' : `Did you mean ${near}?`
		add(actsOn(path) ? 'error' : 'warning', path, `CACAO 2.0 knows no ${key} here, so nothing reads it.`, fix)
	}
	if (Object.keys(isObject(document['workflow']) ? document['workflow'] : {}).length > mostSteps)
		add('error', ['workflow'], `The workflow has more than ${mostSteps} steps.`, 'Split it into several playbooks.')
	// The schema check covers the shape, so far as the rules need it.
	else if (hasShape)
		checkGraph(
			document as unknown as PlaybookDocument,
			(level, step, field, message, fix) =>
				add(level, [...(step === null ? [] : ['workflow', step]), ...field.split('.')], message, fix),
			origins,
		)
	return verdictOf(issues)
}

function verdictOf(issues: readonly PlaybookIssue[]): PlaybookVerdict {
	const has = (level: PlaybookIssue['level']): boolean => issues.some(one => one.level === level)
	const valid = !has('error')
	return {valid, runnable: valid && !has('refused'), portable: valid && !has('portability'), issues}
}

function placeOf(document: Readonly<Record<string, unknown>>, path: readonly string[]) {
	const [first, step, ...rest] = path
	const workflow = document['workflow']
	if (first !== 'workflow' || step === undefined || !isObject(workflow)) return {step: null, name: null, field: path.join('.')}
	const found = Object.hasOwn(workflow, step) ? workflow[step] : undefined
	const name = isObject(found) ? found['name'] : undefined
	return {step, name: typeof name === 'string' && name !== '' ? name : step, field: rest.join('.')}
}

function pathOf({instancePath, params, keyword}: ErrorObject): readonly string[] {
	const parts = instancePath.split('/').slice(1)
	const path = parts.map(part => part.replaceAll('~1', '/').replaceAll('~0', '~'))
	const missing: unknown = keyword === 'required' ? params['missingProperty'] : undefined
	return typeof missing === 'string' ? [...path, missing] : path
}

/** When a choice failed, the errors of its parts say more. */
function plainest(errors: readonly ErrorObject[]): readonly ErrorObject[] {
	const plain = errors.filter(({keyword}) => !['anyOf', 'oneOf', 'not', 'if', 'allOf'].includes(keyword))
	return plain.length === 0 ? errors : plain
}

function wordsOf({keyword, params, message = ''}: ErrorObject): readonly [message: string, fix: string] {
	switch (keyword) {
		case 'required':
			return [`${String(params['missingProperty'])} is missing.`, 'Add it.']
		case 'type':
			return [`It is not of the type ${String(params['type'])}.`, `Give a value of the type ${String(params['type'])}.`]
		case 'enum':
			return ['The value is none of those allowed.', `Use one of ${String(params['allowedValues'])}.`]
		case 'pattern':
			return ['The value has not the form that CACAO wants.', formOf(String(params['pattern']))]
		case 'not':
			return ['on_completion, on_success and on_failure exclude each other here.', 'Keep those that the step needs.']
		default:
			return [`The schema of CACAO refuses it: it ${message}.`, 'Correct the value.']
	}
}

function formOf(pattern: string): string {
	if (pattern.startsWith('^[0-9]{4}')) return 'Write a time such as 2026-11-20T18:00:00.000Z.'
	if (pattern.includes('--')) return 'Write an ID: a type, two hyphens and a UUID.'
	return `It has to match ${pattern.slice(0, 60)}.`
}

type Found = readonly [path: readonly string[], object: Readonly<Record<string, unknown>>]

function commandsOf(document: Readonly<Record<string, unknown>>): readonly Found[] {
	const {workflow} = document
	if (!isObject(workflow)) return []
	return Object.entries(workflow).flatMap(([id, step]) => {
		const commands = isObject(step) ? step['commands'] : undefined
		if (!Array.isArray(commands)) return []
		return commands.flatMap((command: unknown, index): readonly Found[] =>
			isObject(command) ? [[['workflow', id, 'commands', String(index)], command]] : [],
		)
	})
}

/** Keys that decide what a run does: a misspelt one would be a branch that is never taken. */
function actsOn(path: readonly string[]): boolean {
	return path.length === 1 || path[0] === 'workflow' || path[0] === 'playbook_variables'
}

function isNamed(path: readonly string[]): boolean {
	const map = path.at(-2)
	return map === 'playbook_variables' || map === 'step_variables' || (map === 'workflow' && path.length === 2)
}

function nameFix(path: readonly string[]): string {
	return path.at(-2) === 'workflow'
		? 'Write an ID: the type of the step, two hyphens and a UUID.'
		: 'Write __name__, of letters, digits, - and _.'
}

/** Keys that no schema names, each with the known alternatives. */
function* unknownKeys(
	schema: Schema,
	document: Readonly<Record<string, unknown>>,
): Iterable<readonly [path: readonly string[], known: readonly string[]]> {
	const definitions = schema.definitions ?? {}
	const parts = (one: Schema): readonly Schema[] => [one, ...[...(one.allOf ?? []), ...referred(definitions, one)].flatMap(parts)]
	function* walk(value: unknown, given: Schema, path: readonly string[]): ReturnType<typeof unknownKeys> {
		const own = path.at(-2) === 'commands' ? commandSchema(definitions, value) : given
		if (own === undefined) return
		const all = parts(own)
		if (Array.isArray(value)) {
			const items = all.flatMap(({items: one}) => one ?? [])[0]
			if (items !== undefined) for (const [index, one] of value.entries()) yield* walk(one, items, [...path, String(index)])
		}
		if (!isObject(value) || all.every(one => one.properties === undefined && one.patternProperties === undefined)) return
		const known = all.flatMap(({properties = {}}) => Object.keys(properties))
		for (const [key, inner] of Object.entries(value)) {
			const schemas = all.flatMap(one => schemasOf(one, key))
			// The schema check covers choices; only the first is inspected.
			const [first] = schemas
			if (first !== undefined) yield* walk(inner, first, [...path, key])
			else if (!isOpen(all)) yield [[...path, key], known]
		}
	}
	yield* walk(document, schema, [])
}

function referred(definitions: Readonly<Record<string, Schema>>, {$ref}: Schema): readonly Schema[] {
	const found = definitions[$ref?.replace('#/definitions/', '') ?? '']
	return found === undefined ? [] : [found]
}

/** The vocabulary of commands is open: keys of unknown commands are unknown too. */
function commandSchema(definitions: Readonly<Record<string, Schema>>, value: unknown): Schema | undefined {
	return definitions[`command-${isObject(value) ? String(value['type']) : ''}`]
}

function schemasOf({properties = {}, patternProperties = {}}: Schema, key: string): readonly Schema[] {
	const own = Object.hasOwn(properties, key) ? [properties[key] ?? {}] : []
	return [
		...own,
		...Object.entries(patternProperties).flatMap(([pattern, one]) => (new RegExp(pattern, 'u').test(key) ? [one] : [])),
	]
}

function isOpen(schemas: readonly Schema[]): boolean {
	return schemas.some(({additionalProperties}) => additionalProperties !== undefined && additionalProperties !== false)
}
