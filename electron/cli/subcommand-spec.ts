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
	readonly hidden?: true
}

export function flag(summary: string): OptionSpec {
	return {takes: 'nothing', summary}
}

export function text(value: string, summary: string): OptionSpec {
	return {takes: 'text', value, summary}
}

interface WordSpec {
	readonly name: string
	readonly required: boolean
	readonly choices?: readonly string[]
}

export interface SubcommandSpec {
	/** One or two words. */
	readonly name: string
	readonly summary: string
	readonly words: readonly WordSpec[]
	readonly options: Readonly<Record<string, OptionSpec>>
	readonly hidden?: true
}
