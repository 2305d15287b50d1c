/** How a subcommand is declared. */

export interface OptionSpec {
	/** Its value: none, a text, or an optional number. */
	readonly takes: 'nothing' | 'text' | 'number_or_nothing'
	/** Name of the value in help. */
	readonly value?: string
	readonly summary: string
	readonly choices?: readonly string[]
	/** May be given several times. */
	readonly many?: true
}

export function flag(summary: string): OptionSpec {
	return {takes: 'nothing', summary}
}

export function text(value: string, summary: string): OptionSpec {
	return {takes: 'text', value, summary}
}

export function texts(value: string, summary: string): OptionSpec {
	return {...text(value, summary), many: true}
}

export function choice(value: string, choices: readonly string[], summary: string): OptionSpec {
	return {...text(value, summary), choices}
}

interface WordSpec {
	name: string
	required: boolean
	choices?: readonly string[]
}

export interface SubcommandSpec {
	/** One or two words. */
	readonly name: string
	readonly summary: string
	readonly words: readonly WordSpec[]
	readonly options: Readonly<Record<string, OptionSpec>>
	readonly hidden?: true
}

/** `usage` is its name with its words: `log pin ENTRY`, `connections test [NAME]`, `completion SHELL=bash|zsh|fish`. */
export function subcommand(usage: string, summary: string, options: SubcommandSpec['options'] = {}): SubcommandSpec {
	const [name = '', ...words] = usage.split(/ (?=\[?[A-Z])/)
	return {name, summary, words: words.map(wordOf), options}
}

function wordOf(written: string): WordSpec {
	const [name = '', choices] = written.replace(/^\[|\]$/g, '').split('=')
	return {name, required: !written.startsWith('['), ...(choices !== undefined && {choices: choices.split('|')})}
}

export function synopsis({name: own, words}: SubcommandSpec) {
	const parts = words.map(({name, required, choices}) => (choices === undefined ? (required ? name : `[${name}]`) : choices.join('|')))
	return [own, ...parts].join(' ')
}
