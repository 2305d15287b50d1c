/**
 * The line typed into the console: `!svc_get_computers limit=10 hostname=FIN- name="a b" comment=`raw "text"``. The exclamation
 * mark is optional, the main argument may be given without its name, and options are mixed with arguments (`all`, `wait=120`,
 * `reveal reason="…"`). Every problem has its position in the line, for the lint below it.
 */
import {CordonError} from '../contract/errors.ts'
import {type ArgumentProblem, argumentProblems, type RawArgs, splitValues} from './arguments.ts'
import {catalogue, findCommand} from './catalogue.ts'
import type {OptionName} from './define.ts'
import {nearestFew} from './nearest.ts'
import {type OptionProblem, readOptions, type RunOptions} from './options.ts'
import {quote, splitWords, unquote, type Word} from './words.ts'

export type {KnownCommand, LineProblem}

export interface ParsedLine {
	/** The name as typed; empty for an empty line. */
	readonly name: string
	readonly spec: KnownCommand | undefined
	/** An argument with several values is an array, even for one value. */
	readonly args: RawArgs
	readonly options: RunOptions
	readonly problems: readonly LineProblem[]
}

const assignment = /^([A-Za-z_][\w-]*)=/

export function parseLine(line: string): ParsedLine {
	const [head, ...rest] = commandWords(line)
	if (head === undefined)
		return withoutCommand('', [problemAt(0, line.length, 'usage', 'The line is empty', 'type a command, such as svc_get_computers')])
	const name = unquote(head.raw)
	const spec = findCommand(name)
	if (spec === undefined) return withoutCommand(name, [unknownCommand(name, head)])
	const open = [head, ...rest].filter(word => word.open !== null).map(word => unclosed(word))
	const parsed = readParts(spec, rest, line.length)
	return {...parsed, name, spec, problems: [...open, ...parsed.problems]}
}

/** The command of a line; throws the first problem as a `CordonError`. */
export function requireLine(line: string): {spec: KnownCommand; args: RawArgs; options: RunOptions} {
	const {spec, args, options, problems} = parseLine(line)
	const [problem] = problems
	if (problem !== undefined || spec === undefined)
		throw new CordonError(problem?.code ?? 'usage', problem && `${problem.message}: ${problem.fix}.`, lineDetails(problem))
	return {spec, args, options}
}

/**
 * The inverse of {@link parseLine}: every value survives, quoted only where necessary. A typed confirmation must be typed again.
 */
export function formatLine(name: string, args: RawArgs, options: RunOptions = {}) {
	const written = Object.entries(args).flatMap(([arg, given]) =>
		(typeof given === 'string' ? [given] : given).map(value => `${arg}=${quote(value)}`)
	)
	return [name, ...written, ...formatOptions(options)].join(' ')
}

/** The words of a line, without its exclamation mark. */
export function commandWords(line: string): readonly Word[] {
	const [head, ...rest] = splitWords(line)
	if (head === undefined || !head.raw.startsWith('!')) return head === undefined ? [] : [head, ...rest]
	const bare = {...head, from: head.from + 1, raw: head.raw.slice(1)}
	return bare.raw === '' ? rest : [bare, ...rest]
}

function readParts(spec: KnownCommand, words: readonly Word[], end: number): Pick<ParsedLine, 'args' | 'options' | 'problems'> {
	const parts = placePositional(
		spec,
		words.map(word => readPart(spec, word))
	)
	const [forOptions, others] = parted(parts, part => part.name !== null && isOption(spec, part.name))
	const [named, stray] = parted(others, part => part.name !== null)
	const args = collectArgs(spec, named)
	const {options, problems} = readOptions(spec, collectOptions(forOptions), new Set(Object.keys(args)))
	return {
		args,
		options,
		problems: [
			...stray.map(part => strayWord(spec, part)),
			...argumentProblems(spec, args).map(problem => placeArgument(spec, problem, named, end)),
			...repeatedOptions(forOptions),
			...problems.map(problem => placeOption(problem, forOptions, end))
		]
	}
}

function readPart(spec: KnownCommand, word: Word): Part {
	const part = readAssignment(word)
	return part.name === null && isOption(spec, word.raw) ? {...part, name: word.raw, value: null} : part
}

function readAssignment({from, to, raw}: Word): Part {
	const name = assignment.exec(raw)?.[1]
	return name === undefined ? {from, to, name: null, value: unquote(raw)} : {from, to, name, value: unquote(raw.slice(name.length + 1))}
}

/** The first word without a name is the main argument, unless given by name. */
function placePositional(spec: KnownCommand, parts: readonly Part[]) {
	if (spec.positional === null || parts.some(part => part.name === spec.positional)) return parts
	const first = parts.findIndex(part => part.name === null)
	return parts.map((part, index) => (index === first ? {...part, name: spec.positional} : part))
}

function collectArgs(spec: KnownCommand, parts: readonly Part[]): RawArgs {
	const values = Map.groupBy(parts, part => part.name ?? '')
	// fromEntries makes every name an own property, including `__proto__`.
	return Object.fromEntries(
		[...values].map(([name, given]) => [
			name,
			collected(
				spec,
				name,
				given.map(part => part.value ?? '')
			)
		])
	)
}

function collected(spec: KnownCommand, name: string, values: readonly string[]) {
	const several = Object.hasOwn(spec.args, name) && spec.args[name]?.many !== 'no'
	return several || values.length > 1 ? values : (values[0] ?? '')
}

function collectOptions(parts: readonly Part[]): ReadonlyMap<OptionName, string | null> {
	// Only parts that passed isOption arrive here.
	return new Map(parts.map(part => [part.name as OptionName, part.value]))
}

function isOption(spec: KnownCommand, name: string) {
	return spec.options.some(option => option === name)
}

function withoutCommand(name: string, problems: readonly LineProblem[]): ParsedLine {
	return {name, spec: undefined, args: {}, options: {}, problems}
}

function formatOptions({all, wait, reveal, reason, ticket, code, lease, autoRelease}: RunOptions) {
	return [
		...(all === true ? ['all'] : []),
		...(wait === undefined ? [] : [`wait=${wait}`]),
		...(reveal === true ? ['reveal'] : []),
		...(reason === undefined ? [] : [`reason=${quote(reason)}`]),
		...(ticket === undefined ? [] : [`ticket=${quote(ticket)}`]),
		...(code === undefined ? [] : [`code=${code}`]),
		...(lease === undefined ? [] : [`lease=${lease === null ? 'none' : `${lease}h`}`]),
		...(autoRelease === true ? ['auto-release'] : [])
	]
}

function lineDetails(problem: LineProblem | undefined): {field?: string; fix?: string} {
	if (problem === undefined) return {}
	return problem.field === null ? {fix: problem.fix} : {field: problem.field, fix: problem.fix}
}

function parted<T>(items: readonly T[], belongs: (item: T) => boolean): readonly [readonly T[], readonly T[]] {
	return [items.filter(belongs), items.filter(item => !belongs(item))]
}

/** The problems of a typed line, with positions. */
type KnownCommand = NonNullable<ReturnType<typeof findCommand>>

interface LineProblem {
	/** Position in characters; `from === to` at the end of the line for missing parts. */
	from: number
	to: number
	code: 'usage' | 'invalid_argument' | 'unknown_command'
	field: string | null
	message: string
	fix: string
	/** Missing parts may still be typed: a lint shows them later. */
	missing: boolean
}

/** A word after the name: `name` is the argument or option that it sets, `null` for none. */
interface Part {
	from: number
	to: number
	name: string | null
	value: string | null
}

function placeArgument(spec: KnownCommand, problem: ArgumentProblem, parts: readonly Part[], end: number): LineProblem {
	const own = parts.filter(part => part.name === problem.field)
	const part = problem.kind === 'repeated' ? own.at(1) : problem.kind === 'value' ? ownerOf(spec, own, problem.value ?? 0) : own[0]
	const missing = problem.kind === 'missing' || part === undefined
	return {...spanOf(part, end), code: problem.code, field: problem.field, message: problem.message, fix: problem.fix, missing}
}

/** The word of a value, counted over the commas of the words before it. */
function ownerOf(spec: KnownCommand, parts: readonly Part[], index: number) {
	let passed = 0
	return parts.find(part => {
		const arg = part.name === null ? undefined : spec.args[part.name]
		passed += arg === undefined ? 1 : splitValues(arg, part.value ?? '').length
		return index < passed
	})
}

function placeOption(problem: OptionProblem, parts: readonly Part[], end: number): LineProblem {
	const part = parts.find(({name}) => name === problem.option)
	return {...spanOf(part, end), code: 'usage', field: problem.option, message: problem.message, fix: problem.fix, missing: false}
}

function repeatedOptions(parts: readonly Part[]) {
	return parts
		.filter((part, index) => parts.findIndex(({name}) => name === part.name) < index)
		.map(part => problemAt(part.from, part.to, 'usage', `${part.name} is given more than once`, 'it takes one value', part.name))
}

function strayWord(spec: KnownCommand, part: Part): LineProblem {
	const names = [...Object.keys(spec.args), ...spec.options]
	const fix = names.length === 0 ? 'this command takes no arguments' : 'write it as name=value, and put quotes around a value with blanks'
	return problemAt(part.from, part.to, 'usage', `"${part.value}" belongs to no argument`, fix)
}

function unclosed(word: Word) {
	return problemAt(word.from, word.to, 'usage', `The quote ${word.open} is not closed`, `end the value with ${word.open}`)
}

function unknownCommand(name: string, word: Word) {
	return problemAt(word.from, word.to, 'unknown_command', `There is no command ${name}`, unknownCommandFix(name))
}

function problemAt(from: number, to: number, code: LineProblem['code'], message: string, fix: string, field: string | null = null): LineProblem {
	return {from, to, code, field, message, fix, missing: false}
}

function spanOf(part: Part | undefined, end: number): {from: number; to: number} {
	return part === undefined ? {from: end, to: end} : {from: part.from, to: part.to}
}

const mostNamed = 3

/** The three most similar, each command once. */
function unknownCommandFix(name: string) {
	const near = nearestFew(
		name,
		catalogue.flatMap(spec => [spec.name, ...spec.aliases]),
		Infinity
	)
	const once = near.filter((each, at) => near.findIndex(one => findCommand(one) === findCommand(each)) === at)
	const [first, ...rest] = once.slice(0, mostNamed)
	if (first === undefined) return 'help lists the commands'
	const last = rest.pop()
	const names = last === undefined ? first : `${[first, ...rest].join(', ')} or ${last}`
	return `did you mean ${names}? Help lists the commands`
}
