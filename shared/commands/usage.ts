/** Help and reference of the commands, generated from their declarations. */
import {catalogue} from './catalogue.ts'
import type {ArgSpec, CommandSpec} from './define.ts'
import {valueHint} from './fields.ts'
import {optionSummaries} from './options.ts'
import {parseLine} from './parse.ts'

/** A command in POSIX shell syntax. */
export function shellLine(line: string) {
	const {name, args, options} = parseLine(line)
	const named = Object.entries(args).flatMap(([arg, given]) =>
		(typeof given === 'string' ? [given] : given).flatMap(value => [`--${arg}`, shellQuote(value)])
	)
	const wait = options.wait === undefined ? [] : ['--wait', String(options.wait)]
	return ['cordon', name, ...named, ...(options.all === true ? ['--all'] : []), ...wait].join(' ')
}

/** Help of one command for a terminal. */
export function usageText(spec: CommandSpec) {
	const sections = [
		`${spec.title}\n${wrap(spec.summary, 0)}`,
		`Usage:\n  cordon ${spec.name}${synopsis(spec)}`,
		spec.aliases.length === 0
			? ''
			: `Also: ${spec.aliases.join(', ')}${'connector_guid' in spec.args ? '; a short name takes the name of a computer as well' : ''}`,
		section(
			'Arguments',
			Object.entries(spec.args).map(([name, arg]) => [argumentHead(name, arg, spec), argumentText(arg)])
		),
		section(
			'Options',
			spec.options.map(option => [`--${option}${optionValue(option)}`, optionSummaries[option]])
		),
		spec.notes.length === 0 ? '' : `Notes:\n${spec.notes.map(note => `  ${wrap(note, 2)}`).join('\n')}`,
		`Examples:\n${spec.examples.map(example => `  ${shellLine(example)}\n  !${example}   (in the console)`).join('\n')}`,
		`Request: ${spec.request}`
	]
	return `${sections.filter(text => text !== '').join('\n\n')}\n`
}

/** All commands, one per line. */
export function overviewText() {
	const width = Math.max(...catalogue.map(spec => spec.name.length))
	return catalogue.map(spec => `  ${spec.name.padEnd(width)}  ${spec.title}`).join('\n')
}

export function referenceMarkdown() {
	const index = catalogue.map(({name, title, risk}) => `|[${name}](#${name})|${title}|${riskWord[risk]}|`)
	const all = catalogue.flatMap(({options}) => options)
	const shared = [...new Set(all.filter((option, at) => all.indexOf(option) !== at))]
	return (
		[
			'# Commands',
			'Generated from the catalogue in `shared/commands/`. The examples are of a shell; in the console `cordon name --argument value` is written `!name argument=value`.',
			`|command|what it does|kind|\n|-|-|-|\n${index.join('\n')}`,
			`Options of several commands:\n\n${shared.map(optionLine).join('\n')}`,
			...catalogue.map(spec => usageMarkdown(spec, shared)),
			''
		]
			.join('\n\n')
			.trimEnd() + '\n'
	)
}

/** The section of one command in the reference; options in `told` are only named. */
function usageMarkdown(spec: CommandSpec, told: CommandSpec['options'] = []) {
	const args = Object.entries(spec.args).map(
		([name, arg]) => `|${name}|${arg.required ? 'R' : ''}|${escapeCell(valueHint(arg))}|${manyWord[arg.many]}|${escapeCell(arg.summary)}|`
	)
	const named = spec.options.filter(option => told.includes(option))
	const blocks = [
		`## ${spec.name}`,
		`${spec.summary} Request: \`${spec.request}\`.${spec.aliases.length === 0 ? '' : ` Alias: \`${spec.aliases.join('`, `')}\`.`}`,
		args.length === 0 ? 'It takes no arguments.' : `|argument||value|several||\n|-|-|-|-|-|\n${args.join('\n')}`,
		spec.positional === null ? '' : `Positional: \`${spec.positional}\`.`,
		spec.rules.map(({kind, of}) => `${kind === 'at_least_one' ? 'At least one of' : 'Not together:'} \`${of.join('`, `')}\`.`).join('\n'),
		named.length === 0 ? '' : `Options: ${named.map(option => `\`--${option}\``).join(', ')}.`,
		spec.options
			.filter(option => !told.includes(option))
			.map(optionLine)
			.join('\n'),
		spec.notes.map(note => `- ${note}`).join('\n'),
		`\`\`\`\n${spec.examples.map(shellLine).join('\n')}\n\`\`\``
	]
	return blocks.filter(text => text !== '').join('\n\n')
}

function optionLine(option: CommandSpec['options'][number]) {
	return `- \`--${option}${optionValue(option)}\`: ${optionSummaries[option]}`
}

const riskWord: Readonly<Record<CommandSpec['risk'], string>> = {read: 'read', change: 'change', isolate: 'isolates', release: 'releases'}

const manyWord: Readonly<Record<ArgSpec['many'], string>> = {no: '', comma: 'repeated or with commas', repeat: 'repeated'}

function synopsis(spec: CommandSpec) {
	const parts = Object.entries(spec.args).map(([name, arg]) => {
		const text = name === spec.positional ? name.toUpperCase() : `--${name} ${valueWord(arg)}`
		return arg.required ? text : `[${text}]`
	})
	const width = 76
	return parts.reduce(
		({text, column}, part) =>
			column + part.length > width
				? {text: `${text}\n      ${part}`, column: 6 + part.length}
				: {text: `${text} ${part}`, column: column + part.length + 1},
		{text: '', column: 9 + spec.name.length}
	).text
}

function argumentHead(name: string, arg: ArgSpec, spec: CommandSpec) {
	return name === spec.positional ? `${name.toUpperCase()}, --${name} ${valueWord(arg)}` : `--${name} ${valueWord(arg)}`
}

function argumentText(arg: ArgSpec) {
	const facts = [arg.summary, ...(arg.choices === undefined ? [] : [`One of ${arg.choices.join(', ')}.`]), ...(arg.required ? ['Required.'] : [])]
	return facts.join(' ')
}

function valueWord(arg: ArgSpec) {
	const words: Readonly<Record<ArgSpec['kind'], string>> = {
		guid: 'GUID',
		sha256: 'SHA-256',
		ipv4: 'ADDRESS',
		integer: 'NUMBER',
		text: 'TEXT',
		date_time: 'TIME',
		choice: 'CHOICE',
		unlock_code: 'CODE'
	}
	return words[arg.kind]
}

function optionValue(option: string) {
	if (option === 'wait') return ' [SECONDS]'
	if (option === 'lease') return ' TERM'
	if (option === 'code') return ' generated|service'
	return ['reason', 'ticket', 'confirm'].includes(option) ? ' TEXT' : ''
}

function section(title: string, entries: readonly (readonly [head: string, text: string])[]) {
	if (entries.length === 0) return ''
	return `${title}:\n${entries.map(([head, text]) => `  ${head}\n      ${wrap(text, 6)}`).join('\n')}`
}

/** Breaks at blanks before column 80; further lines are indented. */
function wrap(text: string, indent: number) {
	const lines: string[] = []
	for (const word of text.split(' ')) {
		const last = lines.at(-1)
		if (last !== undefined && indent + last.length + 1 + word.length <= 80) lines[lines.length - 1] = `${last} ${word}`
		else lines.push(word)
	}
	return lines.join(`\n${' '.repeat(indent)}`)
}

function shellQuote(value: string) {
	return /^[\w@%+=:,./-]+$/.test(value) ? value : `'${value.replaceAll("'", String.raw`'\''`)}'`
}

function escapeCell(text: string) {
	return text.replaceAll('|', '\\|')
}
