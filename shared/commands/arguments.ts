/**
 * Converts texts to a command's arguments. Every surface delivers texts, and the runner, the line's lint and the forms all use
 * this, so that a value is valid for the same reasons everywhere.
 */
import {CordonError} from '../contract/errors.ts'
import type {ArgRule, ArgsOf, ArgSpec, CommandSpec} from './define.ts'
import {suggest} from './nearest.ts'
import {checkValue} from './values.ts'

/** Arguments as text; several values of one argument as an array. */
export type RawArgs = Readonly<Record<string, string | readonly string[]>>

/** GUID of the single computer of a command, from checked or unchecked arguments. */
export function computerOf(args: Readonly<Record<string, unknown>>): string | undefined {
	const guid = args['connector_guid']
	return typeof guid === 'string' ? guid : undefined
}

/** A problem of one argument. `value`: index of the faulty one among several values. */
export interface ArgumentProblem {
	readonly code: 'usage' | 'invalid_argument'
	/** The argument as given; `null` when the problem is between several. */
	readonly field: string | null
	readonly message: string
	readonly fix: string
	readonly kind: 'unknown' | 'missing' | 'repeated' | 'value' | 'rule'
	readonly value?: number
}

/**
 * The arguments for the handler: integers as numbers, several values as an array of texts, GUIDs and hashes in lower case. Throws
 * `CordonError` (`usage` or `invalid_argument`) with the argument and a fix.
 */
export function checkArguments<const S extends Pick<CommandSpec, 'name' | 'args' | 'rules'>>(spec: S, raw: RawArgs): ArgsOf<S> {
	const [problem] = argumentProblems(spec, raw)
	if (problem !== undefined) throw argumentError(problem)
	const checked = Object.entries(raw).map(([name, given]) => [name, checkedValue(argOf(spec, name), given)] as const)
	// Each entry was checked against the declaration behind ArgsOf.
	return Object.fromEntries(checked) as ArgsOf<S>
}

/** All problems, in the given order; empty when the command can be sent. */
export function argumentProblems(spec: Pick<CommandSpec, 'name' | 'args' | 'rules'>, raw: RawArgs): readonly ArgumentProblem[] {
	return [
		...Object.entries(raw).flatMap(([name, given]) => problemsOf(spec, name, given)),
		...missingProblems(spec, raw),
		...spec.rules.flatMap(rule => ruleProblems(rule, raw))
	]
}

export function argumentError(problem: ArgumentProblem): CordonError {
	const details = {fix: problem.fix, ...(problem.field === null ? {} : {field: problem.field})}
	return new CordonError(problem.code, `${problem.message}: ${problem.fix}.`, details)
}

/** The values of one argument, split at commas if declared so. */
export function splitValues(spec: ArgSpec, given: string | readonly string[]): readonly string[] {
	const values = typeof given === 'string' ? [given] : given
	return spec.many === 'comma' ? values.flatMap(value => value.split(',')) : values
}

function problemsOf(spec: Pick<CommandSpec, 'name' | 'args'>, name: string, given: string | readonly string[]): readonly ArgumentProblem[] {
	const arg = argOf(spec, name)
	if (arg === undefined) return [unknownArgument(spec, name)]
	const values = splitValues(arg, given)
	if (values.length === 0) return [emptyArgument(name)]
	if (arg.many === 'no' && values.length > 1) return [repeatedArgument(name)]
	return values.flatMap((text, value) => {
		const checked = checkValue(text, arg)
		if ('value' in checked) return []
		return [{code: 'invalid_argument', kind: 'value', field: name, message: `${name} ${checked.problem}`, fix: checked.fix, value} as const]
	})
}

function unknownArgument(spec: Pick<CommandSpec, 'name' | 'args'>, name: string): ArgumentProblem {
	const names = Object.keys(spec.args)
	const fix = names.length === 0 ? 'it takes none' : suggest(name, names, `it takes ${names.join(', ')}`)
	return {code: 'usage', kind: 'unknown', field: name, message: `${spec.name} has no argument ${name}`, fix}
}

function emptyArgument(name: string): ArgumentProblem {
	return {code: 'invalid_argument', kind: 'value', field: name, message: `${name} is empty`, fix: 'give a value, or leave the argument out'}
}

function repeatedArgument(name: string): ArgumentProblem {
	return {code: 'usage', kind: 'repeated', field: name, message: `${name} is given more than once`, fix: 'it takes one value'}
}

function missingProblems(spec: Pick<CommandSpec, 'name' | 'args'>, raw: RawArgs): readonly ArgumentProblem[] {
	return Object.entries(spec.args)
		.filter(([name, arg]) => arg.required && !Object.hasOwn(raw, name))
		.map(([name, arg]) => ({
			code: 'usage',
			kind: 'missing',
			field: name,
			message: `${spec.name} needs ${name}`,
			fix: `give ${name}: ${lowerFirst(withoutStop(arg.summary))}`
		}))
}

function ruleProblems(rule: ArgRule, raw: RawArgs): readonly ArgumentProblem[] {
	const given = rule.of.filter(name => Object.hasOwn(raw, name))
	if (rule.kind === 'at_least_one' && given.length === 0)
		return [
			{
				code: 'usage',
				kind: 'rule',
				field: rule.of[0] ?? null,
				message: 'Nothing would be changed',
				fix: `give at least one of ${rule.of.join(', ')}`
			}
		]
	if (rule.kind === 'not_together' && given.length > 1)
		return [
			{code: 'usage', kind: 'rule', field: given[0] ?? null, message: `${given.join(' and ')} cannot be given together`, fix: 'give one of them'}
		]
	return []
}

function checkedValue(spec: ArgSpec | undefined, given: string | readonly string[]) {
	if (spec === undefined) return given
	const values = splitValues(spec, given).map(text => {
		const checked = checkValue(text, spec)
		return 'value' in checked ? checked.value : text
	})
	if (spec.many !== 'no') return values
	const only = values[0] ?? ''
	return spec.kind === 'integer' ? Number(only) : only
}

/** `__proto__` and similar names are no arguments. */
function argOf(spec: Pick<CommandSpec, 'args'>, name: string) {
	return Object.hasOwn(spec.args, name) ? spec.args[name] : undefined
}

function withoutStop(text: string) {
	return text.replace(/\.$/, '')
}

function lowerFirst(text: string) {
	return /^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text
}
