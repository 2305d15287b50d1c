/** Checks a document in three layers: the public schema, unknown keys, and the rules of the graph. */
import type {ErrorObject, ValidateFunction} from 'ajv'
import {brotliDecompressSync} from 'node:zlib'

import {nearest} from '#shared/commands/nearest.ts'
import {isRecord} from '#shared/is-record.ts'
import {invalidArgument} from '#contract/errors.ts'
import type {PlaybookIssue, PlaybookVerdict} from '#model/playbook.ts'

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
		throw wrong(`The file is not JSON: ${error instanceof Error ? error.message : ''}.`)
	}
	if (!isRecord(value)) throw wrong('The file holds no JSON object. A playbook is one.')
	if (isDeeper(value, deepest)) throw wrong(`The file has more than ${deepest} levels. A playbook of that depth is refused.`)
	return value
}

function wrong(message: string) {
	return invalidArgument(message, 'file')
}

function isDeeper(value: unknown, levels: number): boolean {
	if (typeof value !== 'object' || value === null) return false
	return levels === 0 || Object.values(value).some(inner => isDeeper(inner, levels - 1))
}

type Compiled = Awaited<ReturnType<typeof compile>>
let compiled: Promise<Compiled> | undefined

/** Loaded and compiled at first use: too slow for startup. */
async function compile() {
	const {Ajv} = await import('ajv')
	const schema = cacaoSchema()
	const ajv = new Ajv({strict: false, allErrors: true, validateFormats: false, inlineRefs: false})
	ajv.addSchema(schema, 'cacao')
	const whole: ValidateFunction | undefined = ajv.getSchema('cacao')
	if (whole === undefined) throw new Error('the schema of playbooks is missing')
	return {schema, whole, of: (definition: string): ValidateFunction | undefined => ajv.getSchema(`cacao#/definitions/${definition}`)}
}

/** `origins`: those listed by the connection, where known. */
export async function checkPlaybook(document: Readonly<Record<string, unknown>>, origins: readonly string[] = []): Promise<PlaybookVerdict> {
	const {schema, whole, of} = await (compiled ??= compile())
	const issues: PlaybookIssue[] = []
	let errors = 0
	const add = (level: PlaybookIssue['level'], path: readonly string[], message: string, fix: string) => {
		if (level === 'portability' && issues.length > 3 * mostSteps) return
		const at = placeOf(document, path)
		if (issues.some(one => one.level === level && one.step === at.step && one.field === at.field && one.message === message)) return
		issues.push({level, ...at, message, fix})
		if (level === 'error' && (errors += 1) > mostSteps) throw wrong('The file has too many problems.')
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
			add('error', path, `${key.slice(0, 80)} is not a name of CACAO 2.0 for this.`, nameFix(path))
			continue
		}
		const near = nearest(key, known)
		const fix = near === undefined ? 'Remove it, or put it into an extension.' : `Did you mean ${near}?`
		add(actsOn(path) ? 'error' : 'warning', path, `CACAO 2.0 knows no ${key} here, so nothing reads it.`, fix)
	}
	if (Object.keys(isRecord(document['workflow']) ? document['workflow'] : {}).length > mostSteps)
		add('error', ['workflow'], `The workflow has more than ${mostSteps} steps.`, 'Split it into several playbooks.')
	// The schema check covers the shape, so far as the rules need it.
	else if (hasShape)
		checkGraph(
			document as unknown as PlaybookDocument,
			(level, step, field, message, fix) => add(level, [...(step === null ? [] : ['workflow', step]), ...field.split('.')], message, fix),
			origins
		)
	return verdictOf(issues)
}

function verdictOf(issues: readonly PlaybookIssue[]): PlaybookVerdict {
	const has = (level: PlaybookIssue['level']) => issues.some(one => one.level === level)
	const valid = !has('error')
	return {valid, runnable: valid && !has('refused'), portable: valid && !has('portability'), issues}
}

function placeOf(document: Readonly<Record<string, unknown>>, path: readonly string[]) {
	const [first, step, ...rest] = path
	const workflow = document['workflow']
	if (first !== 'workflow' || step === undefined || !isRecord(workflow)) return {step: null, name: null, field: path.join('.')}
	const found = Object.hasOwn(workflow, step) ? workflow[step] : undefined
	const name = isRecord(found) ? found['name'] : undefined
	return {step, name: typeof name === 'string' && name !== '' ? name : step, field: rest.join('.')}
}

function pathOf({instancePath, params, keyword}: ErrorObject) {
	const parts = instancePath.split('/').slice(1)
	const path = parts.map(part => part.replaceAll('~1', '/').replaceAll('~0', '~'))
	const missing: unknown = keyword === 'required' ? params['missingProperty'] : undefined
	return typeof missing === 'string' ? [...path, missing] : path
}

/** When a choice failed, the errors of its parts say more. */
function plainest(errors: readonly ErrorObject[]) {
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
			return ['The value is not allowed.', `Use one of ${String(params['allowedValues'])}.`]
		case 'pattern':
			return ['The value has not the form that CACAO wants.', formOf(String(params['pattern']))]
		case 'not':
			return ['on_completion, on_success and on_failure exclude each other here.', 'Keep those that the step needs.']
		default:
			return [`The schema of CACAO refuses it: it ${message}.`, 'Correct the value.']
	}
}

function formOf(pattern: string) {
	if (pattern.startsWith('^[0-9]{4}')) return 'Write a time such as 2026-11-20T18:00:00.000Z.'
	if (pattern.includes('--')) return 'Write an ID: a type, two hyphens and a UUID.'
	return `It has to match ${pattern.slice(0, 60)}.`
}

type Found = readonly [path: readonly string[], object: Readonly<Record<string, unknown>>]

function commandsOf(document: Readonly<Record<string, unknown>>) {
	const {workflow} = document
	if (!isRecord(workflow)) return []
	return Object.entries(workflow).flatMap(([id, step]) => {
		const commands = isRecord(step) ? step['commands'] : undefined
		if (!Array.isArray(commands)) return []
		return commands.flatMap((command: unknown, index): readonly Found[] =>
			isRecord(command) ? [[['workflow', id, 'commands', String(index)], command]] : []
		)
	})
}

/** Keys that decide what a run does: a misspelt one would be a branch that is never taken. */
function actsOn(path: readonly string[]) {
	return path.length === 1 || path[0] === 'workflow' || path[0] === 'playbook_variables'
}

function isNamed(path: readonly string[]) {
	const map = path.at(-2)
	return map === 'playbook_variables' || map === 'step_variables' || (map === 'workflow' && path.length === 2)
}

function nameFix(path: readonly string[]) {
	return path.at(-2) === 'workflow'
		? 'Write an ID: the type of the step, two hyphens and a UUID.'
		: 'Write __name__, of letters, digits, - and _.'
}

/** Keys that no schema names, each with the known alternatives. */
function* unknownKeys(
	schema: Schema,
	document: Readonly<Record<string, unknown>>
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
		if (!isRecord(value) || all.every(one => one.properties === undefined && one.patternProperties === undefined)) return
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

function referred(definitions: Readonly<Record<string, Schema>>, {$ref}: Schema) {
	const found = definitions[$ref?.replace('#/definitions/', '') ?? '']
	return found === undefined ? [] : [found]
}

/** The vocabulary of commands is open: keys of unknown commands are unknown too. */
function commandSchema(definitions: Readonly<Record<string, Schema>>, value: unknown) {
	return definitions[`command-${isRecord(value) ? String(value['type']) : ''}`]
}

function schemasOf({properties = {}, patternProperties = {}}: Schema, key: string) {
	const own = Object.hasOwn(properties, key) ? [properties[key] ?? {}] : []
	return [...own, ...Object.entries(patternProperties).flatMap(([pattern, one]) => (new RegExp(pattern, 'u').test(key) ? [one] : []))]
}

function isOpen(schemas: readonly Schema[]) {
	return schemas.some(({additionalProperties}) => additionalProperties !== undefined && additionalProperties !== false)
}

/*
 * The JSON schemas of CACAO 2.0, combined: oasis-open/cacao-json-schemas at 7285329, Apache-2.0, without descriptions, and with
 * open vocabularies as strings. Repeated parts share one definition. Compressed with Brotli, since it is long and never edited.
 */

/** The part of a schema that the list of known keys uses. */
interface Schema {
	readonly $ref?: string
	properties?: Readonly<Record<string, Schema>>
	patternProperties?: Readonly<Record<string, Schema>>
	additionalProperties?: unknown
	items?: Schema
	allOf?: readonly Schema[]
	oneOf?: readonly Schema[]
	definitions?: Readonly<Record<string, Schema>>
}

/** Draft-07, to be compiled with `strict: false`. */
function cacaoSchema() {
	// Created by the build.
	return JSON.parse(brotliDecompressSync(Buffer.from(packedSchema, 'base64')).toString()) as Schema
}

const packedSchema =
	'G4ViAJwFdsyZVofjuLTQjGYxj5QzIySZNVFn066iGhkC5PYBYPq8Csss35Zu045+W+TF8WWthyOImO+rptNO1xSk9DXZMvXN5T+IhO7goyA+ApR7d+mw9LVqWUlf1iNBAWSx/CJBBRfB2s7uqjP+3++ePPO2uqu7Z+81ss4CLIbERNnUoTfoQujgQcEHAMqd+FRwGYbJUK3OO222O2zGCYRYgl9Do+N4X0yRZHbMNkUHEMZghEvpXR/Wi4/SawqvYYoo7e+E58OUmeDvpyjwfyyNxMaSmip4HKRfSCDkR8nAnG3xthkyr/TB0/OCFvPHHp9xvv9Rl8m2/7aXer4nfwqDBY87KMNINcNAJxF7cgOHDNIoojTr0VkEey1Hrie0rOyngSWliyLepxH1eQFB9k5H+9PihRjhmWN6BSW/8i4scNxK7Flhuazjth4WCoxrT4e1CtsZiXICPF3qINtBsq9wjv72kCXeLDRtPMiGZ4I4vJN8lGSFYuJiGsm0rak4Hwp3W8sYf891x028/Kr6TvJgCvlHY1wKwdSYIySTRiD7M8N5bxey7fYeHTL9kCTPtbTA6NkJSZd1TEJy1kgivLF4rmnZWUkK1pB5LP0tX6euhfc/JkqoG080T+hezWLXXvIFzLW6fy/xoe14mr7/uMrTy2MV5ui97w75mrtGKygGYuVywWqmXM4clugOUPL39TAHiPwHGJb9RlklBQPQkJ7MAYLngOGLQoZ5J3kHOJQeDa8Eg29xQYbL4bnyc0KsCzxKyYPQXJyfQDF3BiaDCw9cVjLt0ShF8rni6SQVkc2FkUCAWJs4ELvTfQDjfQcQVwWYoJO5lQF4dkHNjKM7/7E391WSWpaYDVNbDQ5iJ/Yhm2lNxeJD8YoCwSjXNEBncGDNUWwbeRICWJT2rVwVSGejwtVjs8AYiI//oa92tfn8UrTuKltPFqv7pKm/NzQ5nKpvoyIdKslxrZB3jKbqXLJwLHe+WCLEtqKgq1QAmIlvnaLrBOgh++YGtD06LX7aYTWGnu6zUA0ZmPNbOHxz0wzc0euuXKlhoy38TAU4Wb/PMDzQGU10GSaQiWdvvvSRfeffj79t/YglVQ5RoT1rFIyt30Jzl28OK7PBwlM1g4TEFfsSpnMsATaaJ9R+Y9TMJlpWyvvGE8HgXBbtcaXy7zrsXcfnXM29UuDBxI6TZR15naadNxTBRTznh1mq4JYxWkNNV76xTz/81KPXC/PrQ2sxw9D1e0rcAD2a6ajWXUYwTNRf0KIp1pEp1l07NpBQy2tBUtVMqGIUrm7ijOlr4Vp/zalJQJOMHJBfc6J70ZpKg2d4hIb2yplEsDxD37tUnMovqAxX3GrB5beitpetarhtrFnoOVxHOPMkgMYiB2QgGqEbR1R9do3jjfJH11rB7CIzHd7LNfcHjloUgjyPf6WrjveNxu367W3oDipoYpwuxfBTrCMMO3dcEFdqiEMXUQ2mfNxq6MGqZC90g1S6hA6dU8g0V6k969Kmj412L2LGVTkSBEKu7+A6nxsOlmLZyMIhVul6KrhiyuJwmeBYtvWHIl5kOqmsbIBf+V4uAGyvCjQ12bJs7kRek9dFpfX33Bv3Ca+yPNfKElOXdGpeBaZQAqjLGRd8BgsxEzIr50dyO2Gn1hhoCuwRy1FrlMcQHCa+pG0GiYJO7Vry55FXf1d4QqARfo+qfRgLMfYeWFzP9QQcq5woJO1x/n/mVeTTAyFPNsg1aRQRsnsHPdxsi6VUUb/nslRAk/QjPFCYshY38LtAitUXU0pJzhiBCgyBTY816LbUaYZEg87WCf3pRw4uMypVG3FwsJpQll0573if1cN+FgyrU6xc4izEJhIWzTZR8GJ0gQiw+UonUqNorPRMPsWzoixLookE0YyWTrtCFCiaK+41X34TfZKlTVGJntm9qTL10lugcJ2AWW2GpJyoG3jow64ZFwffNg54j+6DqeemGlWNtN401Jiid3k3VetH0IY+XgsRS16y70FbV6cYOrcdjNZEgMRogt+AyR3PNsKIfWUMYBh7jA8V3tpiD82dU9RyWzkYgtcORNBHzuNtMhMwR36bS6GkK515umq1aSajtO2LxlJz2BBwsUdd7fshXe9paHbrBoMqeP7qtcaz2WKO5+XBmY/PHtKNvO67WElXXXyckx/Gg92iQ9t4kZ8mPfv/ha7TJGxppC8/TUb6wIgB2jdK5tnvcOe73PcCdmWXcWOqwsKIo/sSMshE8C38abeke7yTkfEdt2hhB/mGwRZw/IZswT0HCX9teHSuymR4Sw/Ila2k0YKVTVaMFqEdl7RDvV/BmmEYgM4EqfHDbw3uwmZb5fZOP6ZhGmMRdGNuxMJH5Yp8KHJB9D6sGK+nebDdmf8MOxlJZRairFQsYbBHgxXgNnMcGJjROeeZxNxkPoNC5OripnkK+46N2SRn2dAkwzwqPQphNdrOaAhMN9qwiByQJkYE2Qpj6X/1jBsDw2wBD16Xc8UuV71xgcTWg33HI4wcbYxOX5KYIQJt0SQB1GCaZYs3ooF5tsIzRlBdYvjBQ7bu5DfDKK9aSos09nGGItgWGRqMHQ/DxV6sNr/sqf3Xctnn96pad7OqRIrLzWn+1B/1SSODM1UiLCk7KO+6BjOjZ6wIPKmjXjsdYLh/cKb2IgEAUL8fbB+KAdnZVm/7//Uzfd/d0p5vuHq7vvv+uGHx8/v9dPO7G38Z3LDgf4Jm+7g38hxgItoa5lxFxz0Oe7lnFai0odzdG+1sf/yy3aG3DbaQPRwtgw7i1LpCVd4AoDmZC1mjHXu8SlPY0JUlvwXcAwVCGOF8sWKDlRXYbahCP8KLW5P68Xm537eAGv7EeDoVPPHHAJxPukmaTmQS010swbQUGZbk1CC6mU3DxqN8VtHRuUoWpBYc02fwQCLGffwmYjOOOhkvesCqwVgSaIkgUgNEJx9srEhmmymLYQAc7ykvwsfWecxIwxnXs3Rz8exo+Zw/A+NrFPo7nz3J+TLKA4otVVRmcxMQzWK6Hp3aAhN+UhzXDZd9vyxjD8xU1FR+C4eyhuFggiLM71M81oXWKDEUDhMszZHjUX/MRHGMKrGVjooo4An//YkmmAQiY0HRpFNeSWMcsspR+VpKg/zRn6AqrCqg1xaHQCAhKebF8ZeHScs+Ycb0PxRqkc6Ud4UyCaQ7BO5JpbKHZuIIRHvg1VwrthLRxb0gNu+Moii6vCKG3tIrZmUTHVaVJCQ/MkoAfLxmeMdhvSe9ubX7kL4SiK7wz570gB5d6kqnrtCFMdVWbwFDZ0RXPweWP6R2o7RJIKUEcpKzJQzyEjS/0myDeQ3Xqu+lsg7j6BD7/Ed9tVuYMkDoTArfab3AtSP5ulrvoccPEDR9e8SNpVFFLfyB50R9+2+UBonNSI9Dd5sN78XapG1dV8OdJ2+xNu4erSpLvTQ91b3UPTW9VOva9Npi/etldeB8/MIe2dubzPEbTde9Kb6bXByCnpCz23/amtbzcsW5j8ZMDkukby9ZE97OWrE1Ex7rmkl2DLdR/vHb8p922ITUsJQXCzto8ncDzyddvc/4BGPQczU3KRA8xxxFVCw3h4T8xyZ0iMw9BQI8oRtkDgs8BwzSoTG3kf/YpPKLuU1CwBbpj5i7Rxhw9zoe5uB43wEkrdphDlP65OGtvMse0PRlnsBHqwkxbX4WvxhcoGMvWQP107z1GjIbmhUw7wHfcT4ukW24TkBjTiuUQ+J9l7Ip5I9v93rVtk9w9jIw2OuXfdjLu2/ZIFeag/qSJo4tundrtudFwmDqMbEbrN78dP+dXO97PWUDz3N/X5h6yflpOi0uuh/dEwkcu87DMaVe4JvJiwnauHgZWUhfFtlE7D0GzcJbuCCFq1udX4KLIAXyu1ts5gtl/j+/TIvOIfpXB4xL1XaYOa5/4Xa59xdMSdK2cGQRdW43anS7A5sA2n3tdKu0yHiUGE1hw6JIgD7oQccpfIzlOOJQ8DPPEIdWIA=='
