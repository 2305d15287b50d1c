/** Values of variables: what each type accepts, and how values enter a request without changing its shape. */
import {isIPv4, isIPv6} from 'node:net'

import {isRecord} from '#shared/is-record.ts'
import {invalidArgument} from '#contract/errors.ts'
import {stepOfRow, type PlaybookInput, type VariableType} from '#model/playbook.ts'

import type {PlaybookDocument, Variable, Variables} from './document.ts'

/** The variable in which SOARCA puts the response body. */
export const resultVariable = '__soarca_http_api_result__'

const referencePattern = /(__[a-zA-Z_][a-zA-Z0-9_-]{0,199}?__):value/g

/** The values of those that have one. */
export function valuesOf(variables: Variables): Readonly<Record<string, string>> {
	return Object.fromEntries(Object.entries(variables).flatMap(([name, {value = null}]) => (value === null ? [] : [[name, value]])))
}

/** Maximum length of a value. */
export const longestValue = 262_144

const wholeNumber = /^-?\d{1,19}$/
const checks: Readonly<Record<VariableType, readonly [isOf: (value: string) => boolean, form: string]>> = {
	bool: [value => /^(?:true|false)$/i.test(value), 'true or false'],
	dictionary: [isObject, 'a JSON object'],
	float: [value => value.trim() !== '' && Number.isFinite(Number(value)), 'a number'],
	hexstring: [value => /^(?:[0-9a-f]{2})+$/i.test(value), 'an even number of hexadecimal digits'],
	integer: [value => wholeNumber.test(value), 'a whole number'],
	'ipv4-addr': [value => isIPv4(value.replace(/\/(?:3[0-2]|[12]?\d)$/, '')), 'an IPv4 address'],
	'ipv6-addr': [value => isIPv6(value.replace(/\/(?:12[0-8]|1[01]\d|\d?\d)$/, '')), 'an IPv6 address'],
	long: [value => wholeNumber.test(value), 'a whole number'],
	'mac-addr': [value => /^[0-9a-f]{2}(?:[:-][0-9a-f]{2}){5}$/i.test(value), 'a MAC address'],
	hash: [value => /^[0-9a-f]{32,128}$/i.test(value), 'a hash in hexadecimal digits'],
	'md5-hash': [value => /^[0-9a-f]{32}$/i.test(value), '32 hexadecimal digits'],
	'sha256-hash': [value => /^[0-9a-f]{64}$/i.test(value), '64 hexadecimal digits'],
	string: [() => true, 'text'],
	uri: [value => URL.canParse(value), 'a URL'],
	uuid: [value => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value), 'a GUID']
}

function isObject(value: string) {
	try {
		const parsed: unknown = JSON.parse(value)
		return isRecord(parsed)
	} catch {
		return false
	}
}

/** Why a variable cannot have the value, as the end of a sentence; `undefined` when it can. Unknown types accept text. */
export function misfit({type}: Pick<Variable, 'type'>, value: string): string | undefined {
	if (value.length > longestValue) return `has more than ${longestValue} characters`
	const check = Object.hasOwn(checks, type) ? checks[type as VariableType] : undefined
	return check === undefined || check[0](value) ? undefined : `is not ${check[1]}`
}

/** Variables that a text refers to. */
export function referencesIn(text: string): readonly string[] {
	return [...text.matchAll(referencePattern)].map(([, name = '']) => name)
}

export type Lookup = (name: string) => string

/** For plain text, such as a question. */
export function fillText(text: string, lookup: Lookup) {
	return text.replaceAll(referencePattern, (_whole, name: string) => lookup(name))
}

/** Fills the strings of a JSON text: its shape is fixed before any value is used. Throws for invalid JSON. */
export function fillJson(text: string, lookup: Lookup): unknown {
	const fill = (value: unknown): unknown => {
		if (typeof value === 'string') return fillText(value, lookup)
		if (Array.isArray(value)) return value.map(fill)
		if (typeof value !== 'object' || value === null) return value
		return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, fill(inner)]))
	}
	return fill(JSON.parse(text))
}

/** Path segments and query, each value within its own part. */
export function fillTarget(target: string, lookup: Lookup): {path: readonly string[]; query: Query} {
	const [path = '', query = ''] = splitOnce(target, '?')
	const decoded = (part: string) => fillText(decode(part), lookup)
	return {
		path: path.split('/').filter(Boolean).map(decoded),
		query: query
			.split('&')
			.filter(Boolean)
			.map(pair => splitOnce(pair, '=').map(decoded))
			.map(([name = '', value = '']) => [name, value])
	}
}
type Query = readonly (readonly [name: string, value: string])[]

function splitOnce(text: string, at: string) {
	const index = text.indexOf(at)
	return index === -1 ? [text] : [text.slice(0, index), text.slice(index + 1)]
}

function decode(part: string) {
	try {
		return decodeURIComponent(part)
	} catch {
		return part
	}
}

/** The variable that the answer to a question goes into. */
export function answeredBy({workflow, playbook_variables: variables}: PlaybookDocument, question: string): Variable | undefined {
	const {out_args: [name = ''] = [], step_variables: own} = workflow[stepOfRow(question)] ?? {}
	return own?.[name] ?? variables?.[name]
}

/** Inputs of a start, in document order. */
export function inputsOf({playbook_variables: variables = {}}: PlaybookDocument): readonly PlaybookInput[] {
	return Object.entries(variables)
		.filter(([, {external, constant}]) => external === true && constant !== true)
		.map(([name, {type, description = '', value = null}]) => ({name, type, description, value}))
}

/** The initial variables of a run. Throws `invalid_argument` with the variable as its field. */
export function givenVariables(document: PlaybookDocument, given: Readonly<Record<string, string>>): Variables {
	const variables = document.playbook_variables ?? {}
	const inputs = new Map(inputsOf(document).map(input => [input.name, input]))
	for (const name of Object.keys(given))
		if (!inputs.has(name)) {
			const names = [...inputs.keys()].join(', ')
			const known = names === '' ? 'It takes no variables.' : `It takes ${names}.`
			throw invalidArgument(`The playbook takes no variable ${name}. ${known}`, name)
		}
	for (const {name, value} of inputs.values()) if ((given[name] ?? value) === null) throw invalidArgument(`Give a value for ${name}.`, name)
	return Object.fromEntries(Object.entries(variables).map(([name, variable]) => [name, withValue(name, variable, given[name])]))
}

function withValue(name: string, variable: Variable, value: string | undefined) {
	if (value === undefined) return variable
	const reason = misfit(variable, value)
	if (reason !== undefined) throw invalidArgument(`The value of ${name} ${reason}.`, name)
	return {...variable, value}
}
