import {catalogue} from '#shared/commands/catalogue.ts'
import type {OptionName} from '#shared/commands/define.ts'
import {codeMakers, optionSummaries} from '#shared/commands/options.ts'

import {globalOptions, subcommands} from './subcommands.ts'
import type {OptionSpec} from './subcommand-spec.ts'

/** Where the value of an option comes from. `switch`: it takes none; `free`: anything. */
export type ValueSource =
	| {readonly kind: 'switch'}
	| {readonly kind: 'free'}
	| {readonly kind: 'file'}
	| {readonly kind: 'choices'; readonly choices: readonly string[]}
	| {readonly kind: 'dynamic'; readonly source: string}

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
	return Object.entries(globalOptions).map(([name, option]) => ({
		name,
		summary: option.summary,
		value: globalValue(name, option),
	}))
}

/** Options that take a value, for telling a value from a command. */
export function valueOptions(): readonly string[] {
	const all = [...completionGlobals(), ...completionCommands().flatMap(({options}) => options)]
	return [...new Set(all.filter(({value}) => value.kind !== 'switch').map(({name}) => name))]
}

/** Words that may follow one that is a command by itself too, such as `log`. */
export function secondWords(commands: readonly CompletionCommand[], first: string): readonly string[] {
	return commands.flatMap(({name}) => (name.startsWith(`${first} `) ? [name.slice(first.length + 1)] : []))
}

function commandEntries(spec: (typeof catalogue)[number]): readonly CompletionCommand[] {
	const args = Object.entries(spec.args).map(([name, arg]): CompletionOption => ({
		name,
		summary: arg.summary,
		value: argValue(arg),
	}))
	const options = spec.options.map((name): CompletionOption => ({name, summary: optionSummaries[name], value: optionValue(name)}))
	const positional = spec.positional === null ? undefined : spec.args[spec.positional]
	const entry = {
		summary: spec.title,
		options: [...args, ...options],
		word: positional === undefined ? ({kind: 'switch'} as const) : argValue(positional),
	}
	return [spec.name, ...spec.aliases].map(name => ({...entry, name}))
}

function optionValue(name: OptionName): ValueSource {
	if (name === 'code') return {kind: 'choices', choices: codeMakers}
	return {kind: freeOptions.has(name) ? 'free' : 'switch'}
}

const freeOptions: ReadonlySet<OptionName> = new Set(['reason', 'ticket', 'confirm', 'lease'])

function subcommandEntry(spec: (typeof subcommands)[number]): CompletionCommand {
	const options = Object.entries(spec.options).map(([name, option]): CompletionOption => ({
		name,
		summary: option.summary,
		value: optionSource(option),
	}))
	return {name: spec.name, summary: spec.summary, options, word: wordSource(spec)}
}

function wordSource({name, words}: (typeof subcommands)[number]): ValueSource {
	const [word] = words
	if (word === undefined) return {kind: 'switch'}
	if (word.choices !== undefined) return {kind: 'choices', choices: word.choices}
	if (name === 'help') return {kind: 'choices', choices: catalogue.map(spec => spec.name)}
	if (word.name === 'NAME' && name.startsWith('instances '))
		return name === 'instances add' ? {kind: 'free'} : {kind: 'dynamic', source: 'instance'}
	if (word.name === 'KEY') return {kind: 'dynamic', source: 'parameter'}
	if (word.name === 'NAME' && name !== 'connections add') return {kind: 'dynamic', source: 'connection'}
	return word.name === 'ID' ? {kind: 'dynamic', source: 'incident'} : {kind: 'free'}
}

function argValue(arg: {readonly choices?: readonly string[]; readonly complete?: string}): ValueSource {
	if (arg.choices !== undefined) return {kind: 'choices', choices: arg.choices}
	return arg.complete === undefined ? {kind: 'free'} : {kind: 'dynamic', source: arg.complete}
}

function optionSource(option: OptionSpec): ValueSource {
	if (option.choices !== undefined) return {kind: 'choices', choices: option.choices}
	if (option.value === 'FILE' || option.value === 'DIR') return {kind: 'file'}
	return option.takes === 'nothing' ? {kind: 'switch'} : {kind: 'free'}
}

function globalValue(name: string, option: OptionSpec): ValueSource {
	if (name === 'connection' || name === 'incident') return {kind: 'dynamic', source: name}
	if (name === 'server') return {kind: 'choices', choices: ['NAM', 'EU', 'APJC']}
	return optionSource(option)
}
