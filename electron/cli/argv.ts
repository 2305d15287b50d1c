/** Turns shell words into an invocation. Pure; every fault is a `CordonError` of `usage` that names the word. */
import {argumentError, argumentProblems, type RawArgs} from '#shared/commands/arguments.ts'
import {catalogue, findCommand} from '#shared/commands/catalogue.ts'
import type {OptionName} from '#shared/commands/define.ts'
import {suggest} from '#shared/commands/nearest.ts'
import {optionError, readOptions, type RunOptions} from '#shared/commands/options.ts'
import {type KnownCommand} from '#shared/commands/parse.ts'
import {checkValue} from '#shared/commands/values.ts'
import {CordonError} from '#contract/errors.ts'
import {isIso8601} from '#model/formats.ts'

import {shown, usage} from './faults.ts'
import {readGlobals, type Globals} from './globals.ts'
import {findSubcommand, globalOptions, subcommands} from './subcommands.ts'
import {isOption, readWords, type Values} from './words.ts'
import {synopsis, type OptionSpec, type SubcommandSpec} from './subcommand-spec.ts'

export type Invocation =
	| {
			kind: 'command'
			spec: KnownCommand
			args: RawArgs
			options: RunOptions
			globals: Globals
			/** Typed by its short verb: names stand for GUIDs, and are looked up before it runs. */
			takesNames: boolean
	  }
	| {kind: 'subcommand'; spec: SubcommandSpec; words: readonly string[]; options: Values; globals: Globals}
	| {kind: 'help'; about: readonly string[]}
	| {kind: 'version'}

export type Sub = Invocation & {kind: 'subcommand'}

/** The first value of an option. */
export function optionOf({options}: Pick<Sub, 'options'>, name: string) {
	return options.get(name)?.[0] ?? undefined
}

export function valuesOf({options}: Pick<Sub, 'options'>, name: string) {
	return (options.get(name) ?? []).filter(text => text !== null)
}

export function wantsMode(argv: readonly string[]): 'text' | 'json' | 'jsonl' {
	const end = argv.indexOf('--')
	const options = end < 0 ? argv : argv.slice(0, end)
	if (options.includes('--json')) return 'json'
	return options.includes('--jsonl') ? 'jsonl' : 'text'
}

export function readInvocation(argv: readonly string[]): Invocation {
	const {words, values} = readWords(argv)
	if (values.has('version')) return {kind: 'version'}
	const [first] = words
	if (first === 'help') return {kind: 'help', about: words.slice(1)}
	if (first === undefined) globalsOf('cordon', values, new Set())
	if (first === undefined || values.has('help')) return {kind: 'help', about: words}
	const name = first.replace(/^!/, '')
	const command = findCommand(name)
	if (command !== undefined) return readCommand(command, words.slice(1), values, name)
	const subcommand = findSubcommand(words)
	if (subcommand === undefined) {
		// Its value looks like the command.
		const option = [...values.keys()].find(each => !isOption(each))
		throw option === undefined ? unknownCommand(words) : unknownOption('cordon', option, Object.keys(globalOptions))
	}
	return readSubcommand(subcommand, words.slice(subcommand.name.split(' ').length), values)
}

function readCommand(spec: KnownCommand, words: readonly string[], values: Values, typed: string): Invocation {
	const takesNames = typed !== spec.name
	const own = new Set([...Object.keys(spec.args), ...spec.options])
	const globals = readGlobals(globalsOf(spec.name, values, own))
	const args = withPositional(spec, collectArgs(spec, values), words)
	const problem = argumentProblems(spec, args).find(({kind, field}) => !(takesNames && kind === 'value' && canBeNamed(field)))
	if (takesNames && problem?.kind === 'missing' && canBeNamed(problem.field)) {
		const object = problem.field === 'group_guid' ? 'group' : 'computer'
		throw usage(`${typed} needs a ${object}`, `give its name or its GUID, as in cordon ${typed} NAME`, problem.field)
	}
	if (problem !== undefined) throw argumentError(problem)
	const {options, problems} = readOptions(spec, collectOptions(spec, values), new Set(Object.keys(args)))
	if (problems[0] !== undefined) throw optionError({...problems[0], fix: shellFix(problems[0].fix)})
	return {kind: 'command', spec, args, options, globals, takesNames}
}

/** The in-app line writes options without dashes. */
function shellFix(fix: string) {
	return fix.replace(/\b(?=(?:reason|lease|status)=)/, '--')
}

/** Objects that the service lists with their names. */
function canBeNamed(field: string | null): field is 'connector_guid' | 'group_guid' {
	return field === 'connector_guid' || field === 'group_guid'
}

function readSubcommand(spec: SubcommandSpec, words: readonly string[], values: Values): Invocation {
	const own = new Set(Object.keys(spec.options))
	const globals = readGlobals(globalsOf(spec.name, values, own), spec.name)
	const options = new Map([...values].filter(([name]) => own.has(name)))
	for (const [name, given] of options) checkOption(name, spec.options[name], given)
	spec.words.forEach((word, index) => checkWord(spec, word, words[index]))
	const extra = words[spec.words.length]
	if (extra !== undefined) throw usage(`${spec.name} does not take the word ${shown(extra)}`, 'put quotes around a text with blanks')
	return {kind: 'subcommand', spec, words, options, globals}
}

/** Takes the options of every command; an option that belongs neither to them nor to this command is a fault. */
function globalsOf(command: string, values: Values, own: ReadonlySet<string>): Values {
	for (const [name, given] of values) {
		if (own.has(name)) continue
		if (!Object.hasOwn(globalOptions, name)) throw unknownOption(command, name, [...own, ...Object.keys(globalOptions)])
		refuseSeveral(name, given)
	}
	return new Map([...values].filter(([name]) => !own.has(name)))
}

function collectArgs(spec: KnownCommand, values: Values): RawArgs {
	const given = [...values].filter(([name]) => Object.hasOwn(spec.args, name))
	return Object.fromEntries(given.map(([name, texts]) => [name, several(texts.map(text => text ?? ''))]))
}

function withPositional(spec: KnownCommand, args: RawArgs, words: readonly string[]) {
	const [first, second] = words
	if (first === undefined) return args
	const name = spec.positional
	if (name === null) throw usage(`${spec.name} does not take the word ${shown(first)}`, argumentsOf(spec))
	if (second !== undefined)
		throw usage(
			`${spec.name} takes one word, ${name}, and not ${shown(second)} too`,
			'put quotes around a value with blanks, and give the others by name'
		)
	const named = args[name]
	return {...args, [name]: named === undefined ? first : [...(typeof named === 'string' ? [named] : named), first]}
}

function collectOptions(spec: KnownCommand, values: Values): ReadonlyMap<OptionName, string | null> {
	return new Map(
		spec.options.flatMap(name => {
			const given = values.get(name)
			if (given === undefined) return []
			refuseSeveral(name, given)
			return [[name, given[0] ?? null] as const]
		})
	)
}

function refuseSeveral(name: string, given: readonly unknown[]) {
	if (given.length > 1) throw usage(`--${name} is given more than once`, 'it takes one value', name)
}

function checkOption(name: string, spec: OptionSpec | undefined, given: readonly (string | null)[]) {
	if (spec?.many !== true) refuseSeveral(name, given)
	const wrong = given.find(text => text !== null && spec?.choices !== undefined && !spec.choices.includes(text))
	if (wrong !== undefined && wrong !== null)
		throw usage(`--${name} cannot be ${shown(wrong)}`, suggest(wrong, spec?.choices ?? [], `use one of ${spec?.choices?.join(', ')}`), name)
}

function checkWord(spec: SubcommandSpec, word: SubcommandSpec['words'][number], given: string | undefined) {
	if (given === undefined && word.required)
		throw usage(`${spec.name} needs ${word.name}`, `write cordon ${synopsis(spec)}`, word.name.toLowerCase())
	if (given === undefined || word.choices === undefined || word.choices.includes(given)) return
	throw usage(
		`${spec.name} does not know ${shown(given)}`,
		suggest(given, word.choices, `use one of ${word.choices.join(', ')}`),
		word.name.toLowerCase()
	)
}

function unknownCommand(words: readonly string[]) {
	const [first = ''] = words
	const family = subcommands.filter(spec => spec.name.startsWith(`${first} `)).map(spec => spec.name.slice(first.length + 1))
	if (family.length > 0) return usage(`${first} needs one of ${family.join(', ')}`, `write cordon ${first} ${family[0]}`)
	const names = [
		...catalogue.flatMap(spec => [spec.name, ...spec.aliases]),
		...subcommands.filter(spec => spec.hidden !== true).map(spec => spec.name)
	]
	const fix = suggest(first, names, 'see "cordon help"')
	return new CordonError('unknown_command', `There is no command ${first}: ${fix}.`, {field: 'command', fix})
}

function unknownOption(command: string, name: string, names: readonly string[]) {
	return usage(
		`${command} has no option --${name}`,
		suggest(name, names, `see "cordon help${command === 'cordon' ? '' : ` ${command}`}"`).replace('did you mean ', 'did you mean --'),
		name
	)
}

function argumentsOf(spec: KnownCommand) {
	const names = Object.keys(spec.args).map(name => `--${name}`)
	return names.length === 0 ? 'it takes no arguments' : `it takes ${names.join(', ')}`
}

function several(values: readonly string[]) {
	return values.length === 1 ? (values[0] ?? '') : values
}

const unitMs: Readonly<Record<string, number>> = {s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000}

/** Accepts a time, or an age before `now`; returns ISO 8601 UTC, as the log writes it. */
export function readSince(text: string, now: number, option = 'since') {
	const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
	if (count !== undefined && unit !== undefined) return new Date(now - Number(count) * (unitMs[unit] ?? 0)).toISOString()
	if (!isIso8601(text))
		throw usage(`--${option} ${shown(text)} is not a time`, 'write it like 2026-01-31T08:00:00Z, or as an age such as 30m, 12h, 7d', option)
	return new Date(text).toISOString()
}

/** The times that `--since` and `--until` give. */
export function readSpan(option: (name: string) => string | undefined, now: number) {
	const read = (name: string) => {
		const text = option(name)
		return text === undefined ? undefined : readSince(text, now, name)
	}
	const [since, until] = [read('since'), read('until')]
	if (since !== undefined && until !== undefined && since > until)
		throw usage(`--since (${since}) is later than --until (${until})`, 'exchange them', 'since')
	return {since, until}
}

const usualLimit = 200

export function readLimit(given: {options: Values}) {
	return numberOption(given, 'limit', 1, 1_000_000) ?? usualLimit
}

/** A whole number from `min` to `max`. */
export function numberOption({options}: {options: Values}, name: string, min: number, max: number) {
	const text = options.get(name)?.[0]
	if (text === undefined || text === null) return undefined
	const checked = checkValue(text, {kind: 'integer', summary: '', required: false, many: 'no', min, max})
	if ('problem' in checked) throw usage(`--${name} ${checked.problem}`, checked.fix, name)
	return Number(checked.value)
}
