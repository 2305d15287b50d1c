/** Schema errors in words for the author of the file. */
import type {z} from 'zod'

import {nearest} from '#shared/commands/nearest.ts'
import {member} from '#shared/is-record.ts'
import {knownKeys, shapeOf} from './keys.ts'

type Issue = z.core.$ZodIssue
type Path = readonly (string | number)[]

interface Words {
	/** End of a sentence that starts with the key. */
	problem: string
	fix: string
}

/** What of a value does not fit its schema. `writtenAt`: the text of a scalar. */
export function problemsIn(
	{issues}: z.ZodError,
	schema: z.ZodType,
	value: unknown,
	writtenAt: (path: Path) => string | undefined = () => undefined
) {
	const shape = shapeOf(schema)
	return issues.flatMap((issue): readonly (Words & {path: Path})[] => {
		const path = issue.path.map(part => (typeof part === 'symbol' ? String(part) : part))
		if (issue.code === 'unrecognized_keys')
			return issue.keys.map(key => ({path: [...path, key], problem: 'is not known', fix: oneOf(key, knownKeys(shape, path, value))}))
		return [{path, ...issueWords(issue, path.reduce(member, value), writtenAt(path))}]
	})
}

/** `value`: the parsed value; `written`: its text, for a scalar. */
function issueWords(issue: Issue, value: unknown, written: string | undefined): Words {
	switch (issue.code) {
		case 'invalid_type':
			return typeWords(issue.expected, value, written)
		case 'too_small':
			return {problem: `is ${sizeOf(issue.origin, 'too small')}`, fix: `give ${bound('at least', issue.minimum, issue.origin)}`}
		case 'too_big':
			return {problem: `is ${sizeOf(issue.origin, 'too large')}`, fix: `give ${bound('at most', issue.maximum, issue.origin)}`}
		case 'invalid_value':
			return choiceWords(value, issue.values.map(String))
		case 'invalid_union':
			return unionWords(issue, value)
		default:
			return {problem: sentencePart(issue.message), fix: fixes[sentencePart(issue.message)] ?? 'see docs/forwarding.md'}
	}
}

function oneOf(given: string | undefined, known: readonly string[]) {
	const near = given === undefined ? undefined : nearest(given, known)
	const list = `use one of ${known.join(', ')}`
	return near === undefined ? list : `did you mean ${near}? Otherwise ${list}`
}

function typeWords(expected: string, value: unknown, written: string | undefined): Words {
	const right = wanted[expected] ?? `a ${expected}`
	if (value === undefined) return {problem: 'is missing', fix: `add it: ${right}`}
	if (value === null) return {problem: 'has no value', fix: `give it ${right}, or leave the key out`}
	if (expected === 'boolean' && typeof value === 'string') {
		const meant = /^(?:on|yes|y)$/i.test(value) ? 'true' : 'false'
		if (/^(?:on|off|yes|no|y|n)$/i.test(value))
			return {problem: `is ${JSON.stringify(value)}, which is a text in YAML 1.2`, fix: `write ${meant}`}
	}
	if (expected === 'string' && (typeof value === 'number' || typeof value === 'boolean'))
		return {problem: `is ${kindOf(value)}, not a text`, fix: `put quotes around it: ${JSON.stringify(written ?? String(value))}`}
	if ((expected === 'number' || expected === 'int') && typeof value === 'string' && /^[\d_]+$/.test(value))
		return {problem: 'is a text, not a number', fix: `write ${value.replaceAll('_', '')}, without quotes and underscores`}
	if (expected === 'number' || expected === 'int')
		return {problem: `is ${kindOf(value)}, not a ${expected === 'int' ? 'whole ' : ''}number`, fix: 'write a number'}
	return {problem: `is ${kindOf(value)}, not ${right}`, fix: `give it ${right}`}
}

const wanted: Readonly<Record<string, string>> = {
	number: 'a number',
	int: 'a whole number',
	string: 'a text',
	boolean: 'true or false',
	array: 'a list, such as [a, b]',
	object: 'keys and values',
	record: 'keys and values'
}

function choiceWords(value: unknown, choices: readonly string[]): Words {
	const problem = value === undefined ? 'is missing' : 'is not one of the values it can have'
	return {problem, fix: oneOf(typeof value === 'string' ? value : undefined, choices)}
}

function unionWords(issue: Extract<Issue, {code: 'invalid_union'}>, value: unknown): Words {
	if ('options' in issue && Array.isArray(issue.options)) return choiceWords(value, issue.options.map(String))
	const text = sentencePart(issue.message)
	return {problem: text, fix: fixes[text] ?? 'see docs/forwarding.md'}
}

const fixes: Readonly<Record<string, string>> = {
	'is not an address or network': 'write it like 10.0.0.7 or 10.0.0.0/8',
	'is not an IP address': 'write it like 127.0.0.1',
	'is not a host name or address': 'write it like gateway.example.com, without scheme and port',
	'is not a method': 'write it like GET',
	'is never forwarded': 'leave it out',
	'is not a path': 'begin it with /',
	'is not a password hash': 'make one with "cordon forward hash-password"',
	'is not a SHA-256 in lower-case hex': 'give 64 hexadecimal digits',
	'is not a name of a variable': 'use letters, digits and _',
	'holds a slash or backslash': 'choose a name without',
	'holds a control character': 'choose a name without',
	'holds a colon': 'choose a name without',
	'is empty': 'choose a name',
	'is a path, not a name': 'choose another name',
	'is reserved': 'choose another name',
	'is not valid Unicode': 'choose another name',
	'has more than 200 characters': 'choose a shorter name',
	'has fewer than 16 characters': 'choose a longer one'
}

const units: Readonly<Record<string, readonly [one: string, many: string]>> = {
	string: [' character', ' characters'],
	array: [' entry', ' entries']
}

function bound(word: string, limit: number | bigint, origin: string) {
	return `${word} ${limit}${units[origin]?.[limit === 1 ? 0 : 1] ?? ''}`
}

function sizeOf(origin: string, word: string) {
	if (origin === 'array') return word === 'too small' ? 'too short' : 'too long'
	return origin === 'string' ? (word === 'too small' ? 'empty or too short' : 'too long') : word
}

function kindOf(value: unknown) {
	if (Array.isArray(value)) return 'a list'
	if (typeof value === 'object') return 'a group of keys'
	if (typeof value === 'string') return 'a text'
	return typeof value === 'number' ? 'a number' : 'true or false'
}

function sentencePart(message: string) {
	return /^(?:is|has|holds)\b/.test(message) ? message : `is wrong (${message.charAt(0).toLowerCase()}${message.slice(1)})`
}
