/** Splits shell words into plain words and options with their values. */
import {parseArgs} from 'node:util'

import {catalogue} from '#shared/commands/catalogue.ts'
import type {OptionName} from '#shared/commands/define.ts'
import {CordonError} from '#contract/errors.ts'

import {usage} from './faults.ts'
import {globalOptions, subcommands} from './subcommands.ts'
import type {OptionSpec} from './subcommand-spec.ts'

/** Options as given; `null`: without a value. */
export type Values = ReadonlyMap<string, readonly (string | null)[]>

type Takes = OptionSpec['takes']

const optionTakes: Readonly<Record<OptionName, Takes>> = {
	all: 'nothing',
	wait: 'number_or_nothing',
	reveal: 'nothing',
	reason: 'text',
	ticket: 'text',
	confirm: 'text',
	code: 'text',
	lease: 'text',
	'auto-release': 'nothing'
}

/** Every option of every command, to tell a value from a word before the command is known. */
const takes: ReadonlyMap<string, Takes> = new Map<string, Takes>([
	...catalogue.flatMap(spec => Object.keys(spec.args).map(name => [name, 'text'] as const)),
	...Object.entries(optionTakes),
	...subcommands.flatMap(spec => Object.entries(spec.options).map(([name, option]) => [name, option.takes] as const)),
	...Object.entries(globalOptions).map(([name, option]) => [name, option.takes] as const),
	['ca', 'text']
])

export const isOption = (name: string): boolean => takes.has(name)

const nodeOptions = Object.fromEntries(
	[...takes].map(([name, kind]) => [name, {type: kind === 'text' ? 'string' : 'boolean', multiple: true} as const])
)
const help = {type: 'boolean', multiple: true, short: 'h'} as const

/** Tokens of Node's own parser, checked here because its errors suggest no fix. */
export function readWords(argv: readonly string[]) {
	if (!namesKeyFile(argv)) refuseKey(argv)
	const {tokens} = parseArgs({args: [...argv], options: {...nodeOptions, help}, strict: false, allowPositionals: true, tokens: true})
	const words: string[] = []
	const values = new Map<string, (string | null)[]>()
	let waiting: {name: string; index: number} | undefined
	for (const token of tokens) {
		if (token.kind === 'option') {
			waiting = takes.get(token.name) === 'number_or_nothing' && token.value === undefined ? token : undefined
			// Of earlier versions.
			const name = token.name === 'ca' ? 'ca-file' : token.name
			values.set(name, [...(values.get(name) ?? []), optionValue(token)])
		} else if (token.kind === 'positional') {
			if (waiting !== undefined && waiting.index + 1 === token.index && /^\d+$/.test(token.value)) values.set(waiting.name, [token.value])
			else words.push(token.value)
			waiting = undefined
		}
	}
	return {words, values}
}

function optionValue(token: {name: string; rawName: string; value?: string | undefined; inlineValue?: boolean | undefined}) {
	const {name, rawName, value, inlineValue} = token
	if (!rawName.startsWith('--') && rawName !== '-h')
		throw usage(`${rawName} is not an option`, 'options are written with two dashes; a value that starts with a dash as --name=value')
	const kind = takes.get(name)
	if (kind === 'nothing' && value !== undefined && !['all', 'reveal'].includes(name))
		throw usage(`--${name} takes no value`, `write --${name}`, name)
	if (kind !== 'text') return value ?? null
	if (value === undefined) throw usage(`--${name} needs a value`, `write --${name} VALUE`, name)
	if (inlineValue !== true && value.startsWith('--'))
		throw usage(`--${name} needs a value before ${value}`, `to give ${value} itself write --${name}=${value}`, name)
	return value
}

/** `ca import --key FILE` names a file, as is usual for certificates. */
function namesKeyFile(argv: readonly string[]) {
	return argv.some((word, index) => word === 'ca' && argv[index + 1] === 'import')
}

/** Every program on the computer can read a command line, and the shell stores it. */
function refuseKey(argv: readonly string[]) {
	const flag = argv.find(word => /^--(?:api-?key|key|password|secret|token)(?:=|$)/.test(word.toLowerCase()))
	if (flag === undefined) return
	const name = flag.split('=')[0] ?? flag
	const fix = 'Put the key into a file that only you can read and give --api-key-file FILE, or --api-key-file - to read it from standard input'
	throw new CordonError('usage', `${name} is not accepted, because every program on this computer can read a command line. ${fix}.`, {
		field: 'api-key-file',
		fix
	})
}
