import type {CompletionSource} from '../commands/define.ts'
import type {FieldNames, FieldSpec} from './field-names.ts'
import {quoteText} from './filter-format.ts'
import type {FilterOperator} from './filter-term.ts'

interface FilterSuggestion {
	/** Replaces the text between `from` and `to`. */
	insert: string
	label: string
	detail: string
}

export type FilterSuggestions = Readonly<{
	from: number
	to: number
	/** Fields and fixed values allowed here. */
	items: readonly FilterSuggestion[]
	/** Request local values with this prefix and use that half of each; `insertOf` makes it typed text. */
	ask: {source: CompletionSource; prefix: string; take: 'value' | 'label'} | null
	/** The replacement for a local value, quoted where necessary. */
	insertOf: (value: string) => string
}>

export interface FixedValue {
	readonly insert: string
	readonly detail: string
}

export const usualAges: readonly FixedValue[] = [
	{insert: '1h', detail: 'an hour'},
	{insert: '24h', detail: 'a day'},
	{insert: '7d', detail: 'a week'},
	{insert: '30d', detail: 'a month'}
]
export const emptyValue: FixedValue = {insert: 'empty', detail: 'has none'}

/** A filter language's interface for completion. */
interface CompletedLanguage<F extends string> {
	names: FieldNames<F>
	specs: Readonly<Record<F, FieldSpec<string>>>
	/** Values independent of the local copy. */
	fixedValues(field: F, operator: FilterOperator): readonly FixedValue[]
}

/** Suggestions at the caret: field names at the start of a term, values after its operator. */
export function suggestionsAt<F extends string>(language: CompletedLanguage<F>, text: string, caret: number): FilterSuggestions {
	const word = lastWord(text.slice(0, caret))
	const to = caret + (/^[^\s,]*/.exec(text.slice(caret))?.[0].length ?? 0)
	const head = /^-?(sha256|sha1|md5|[a-z][a-z_-]*)(<=|>=|[:=<>])/i.exec(word)
	const field = head === null ? undefined : language.names.named(head[1] ?? '')
	if (head === null || field === undefined) return fieldsFor(language, word, caret, to)
	// The second group matches only operators.
	const fixed = language.fixedValues(field, head[2] as FilterOperator)
	return valuesFor(language.specs[field], fixed, word.slice(head[0].length), {caret, to})
}

/** The text after the last white space outside quotation marks. */
function lastWord(before: string) {
	let start = 0
	let quoted = false
	for (const [at, char] of Array.from(before, (char, at) => [at, char] as const)) {
		if (char === '"') quoted = !quoted
		else if (!quoted && /\s/.test(char)) start = at + 1
	}
	return Array.from(before).slice(start).join('')
}

function fieldsFor<F extends string>({names, specs}: CompletedLanguage<F>, word: string, caret: number, to: number): FilterSuggestions {
	const typed = word.replace(/^-/, '')
	const items = names
		.beginning(typed)
		.map(field => ({insert: `${field}${specs[field].kind === 'time' ? '<' : ':'}`, label: field, detail: specs[field].summary}))
	return {from: caret - typed.length, to, items, ask: null, insertOf: quoteText}
}

function valuesFor(
	{ask}: Pick<FieldSpec<string>, 'ask'>,
	fixed: readonly FixedValue[],
	typed: string,
	{caret, to}: {caret: number; to: number}
): FilterSuggestions {
	const current = typed.slice(lastComma(typed) + 1)
	const prefix = current.replaceAll('"', '')
	const items = fixed
		.filter(({insert, detail}) => [insert, detail].some(text => text.startsWith(prefix.toLowerCase())))
		.map(({insert, detail}) => ({insert, label: insert, detail}))
	const from = caret - current.length
	return {from, to, items, ask: ask === null ? null : {...ask, prefix}, insertOf: quoteText}
}

function lastComma(typed: string) {
	const open = (typed.match(/"/g)?.length ?? 0) % 2 === 1
	return open ? typed.lastIndexOf(',', typed.lastIndexOf('"')) : typed.lastIndexOf(',')
}
