import {catalogue} from '#shared/commands/catalogue.ts'
import type {OptionName} from '#shared/commands/define.ts'
import {codeMakers, optionSummaries} from '#shared/commands/options.ts'

import {globalOptions, subcommands} from './subcommands.ts'
import type {OptionSpec} from './subcommand-spec.ts'

/** Where the value of an option comes from. `switch`: it takes none; `free`: anything. */
export type ValueSource =
	| {kind: 'switch'}
	| {kind: 'free'}
	| {kind: 'file'}
	| {kind: 'choices'; choices: readonly string[]}
	| {kind: 'dynamic'; source: string}

export interface CompletionOption {
	readonly name: string
	readonly summary: string
	readonly value: ValueSource
}

export interface CompletionCommand {
	readonly name: string
	readonly summary: string
	readonly options: readonly CompletionOption[]
	/** What the next word may be. */
	readonly word: ValueSource
}

export function completionCommands(): readonly CompletionCommand[] {
	return [...catalogue.flatMap(commandEntries), ...subcommands.filter(spec => spec.hidden !== true).map(subcommandEntry)]
}

export function completionGlobals(): readonly CompletionOption[] {
	return optionsOf<OptionSpec>(globalOptions, globalValue)
}

function optionsOf<T extends {summary: string}>(
	all: Readonly<Record<string, T>>,
	valueOf: (one: T, name: string) => ValueSource
): readonly CompletionOption[] {
	return Object.entries(all).map(([name, one]) => ({name, summary: one.summary, value: valueOf(one, name)}))
}

/** Options that take a value, for telling a value from a command. */
export function valueOptions(): readonly string[] {
	const all = [...completionGlobals(), ...completionCommands().flatMap(({options}) => options)]
	return [...new Set(all.filter(({value}) => value.kind !== 'switch').map(({name}) => name))]
}

/** Those whose value a script skips, as the pattern of a case; it keeps the values of the others. */
export function skippedOptions() {
	return valueOptions()
		.filter(name => name !== 'profile' && name !== 'connection')
		.map(name => `--${name}`)
		.join('|')
}

/** Words that may follow one that is a command by itself too, such as `log`. */
export function secondWords(commands: readonly CompletionCommand[], first: string): readonly string[] {
	return commands.flatMap(({name}) => (name.startsWith(`${first} `) ? [name.slice(first.length + 1)] : []))
}

function commandEntries(spec: (typeof catalogue)[number]): readonly CompletionCommand[] {
	const positional = spec.positional === null ? undefined : spec.args[spec.positional]
	const options = spec.options.map(name => ({name, summary: optionSummaries[name], value: optionValue(name)}))
	return [spec.name, ...spec.aliases].map(name => ({
		name,
		summary: spec.title,
		options: [...optionsOf(spec.args, arg => argValue(arg, name)), ...options],
		word: positional === undefined ? {kind: 'switch'} : argValue(positional, name)
	}))
}

function optionValue(name: OptionName): ValueSource {
	if (name === 'code') return {kind: 'choices', choices: codeMakers}
	return {kind: freeOptions.has(name) ? 'free' : 'switch'}
}

const freeOptions: ReadonlySet<OptionName> = new Set(['reason', 'ticket', 'confirm', 'lease'])

function subcommandEntry(spec: (typeof subcommands)[number]): CompletionCommand {
	return {name: spec.name, summary: spec.summary, options: optionsOf(spec.options, optionSource), word: wordSource(spec)}
}

function wordSource({name, words}: (typeof subcommands)[number]): ValueSource {
	const [word] = words
	if (word === undefined) return {kind: 'switch'}
	if (word.choices !== undefined) return {kind: 'choices', choices: word.choices}
	if (word.name === 'FILE') return {kind: 'file'}
	if (name === 'help') {
		const own = subcommands.filter(({hidden}) => hidden !== true).map(spec => spec.name.split(' ')[0] ?? '')
		return {kind: 'choices', choices: [...new Set([...catalogue.flatMap(spec => [spec.name, ...spec.aliases]), ...own])]}
	}
	const source = localNames[`${name.split(' ')[0]} ${word.name}`]
	if (source === undefined || name.endsWith(' add')) return {kind: 'free'}
	return {kind: 'dynamic', source: name === 'incidents reopen' ? 'closed' : source}
}

const localNames: Readonly<Record<string, string>> = {
	'connections NAME': 'connection',
	'incidents ID': 'incident',
	'instances NAME': 'instance',
	'parameters KEY': 'parameter'
}

/** A short verb takes the names of computers. */
function argValue({choices, complete}: {choices?: readonly string[]; complete?: string}, command: string): ValueSource {
	if (choices !== undefined) return {kind: 'choices', choices}
	if (complete === undefined) return {kind: 'free'}
	return {kind: 'dynamic', source: complete === 'computer' && !command.startsWith('svc_') ? 'hostname' : complete}
}

function optionSource(option: OptionSpec): ValueSource {
	if (option.choices !== undefined) return {kind: 'choices', choices: option.choices}
	if (option.value === 'FILE' || option.value === 'DIR') return {kind: 'file'}
	return option.takes === 'nothing' ? {kind: 'switch'} : {kind: 'free'}
}

function globalValue(option: OptionSpec, name: string): ValueSource {
	if (name === 'connection' || name === 'incident') return {kind: 'dynamic', source: name}
	if (name === 'server') return {kind: 'choices', choices: ['NAM', 'EU', 'APJC']}
	return optionSource(option)
}
