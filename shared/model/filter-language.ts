/** Common to the typed filters of all lists: each list has its own fields. */
import type {FieldNames} from './field-names.ts'
import type {FilterSuggestions} from './filter-suggestions.ts'
import type {FilterProblem, Term} from './filter-term.ts'

/** One condition of any language. */
export type LanguageTerm<F extends string = string, V = unknown> = Term<F, V>

export interface FilterLanguage<T extends LanguageTerm> {
	readonly names: FieldNames<T['field']>
	/** Parsed terms, and problems for the rest; nothing is ignored silently. Terms keep their order. */
	parse(text: string): {terms: readonly T[]; problems: readonly FilterProblem[]}
	/** Parsing it gives the same term, except its position. */
	format(term: Omit<T, 'start' | 'end'>): string
	/** A chip's two labels, such as `Last seen` and `more than 7 days ago`. */
	describe(term: Omit<T, 'start' | 'end'>): {field: string; value: string}
	suggest(text: string, caret: number): FilterSuggestions
}

/** The text without the term at that index of `parse(text).terms`; problems stay in place. */
export function removeTerm<T extends LanguageTerm>(language: FilterLanguage<T>, text: string, index: number): string {
	const term = language.parse(text).terms[index]
	return term === undefined ? text : cutOut(text, term)
}

/** The text without that range. */
export function cutOut(text: string, {start, end}: {start: number; end: number}): string {
	return [text.slice(0, start).trimEnd(), text.slice(end).trimStart()].filter(part => part !== '').join(' ')
}

/** The text with another term in typed form; unchanged if it contains the term. */
export function addTerm<T extends LanguageTerm>(language: FilterLanguage<T>, text: string, term: string): string {
	const wanted = language
		.parse(term)
		.terms.map(each => language.format(each))
		.join(' ')
	const present = language.parse(text).terms.map(each => language.format(each))
	if (wanted !== '' && present.includes(wanted)) return text
	const before = text.trimEnd()
	return before === '' ? term : `${before} ${term}`
}

/** Whether the filter contains this term, alone or as an alternative. */
export function holdsTerm<T extends LanguageTerm>(language: FilterLanguage<T>, text: string, term: string) {
	return placeOf(language, text, term) !== null
}

/** Removes the term, or adds it: to others of the same field as an alternative. */
export function toggleTerm<T extends LanguageTerm>(language: FilterLanguage<T>, text: string, term: string): string {
	const place = placeOf(language, text, term)
	if (place !== null) return withoutValue(language, text, place)
	const [wanted] = language.parse(term).terms
	const sibling = language.parse(text).terms.find(each => wanted !== undefined && isSibling(each, wanted))
	if (wanted === undefined || sibling === undefined) return addTerm(language, text, term)
	const merged = language.format({...sibling, values: [...sibling.values, ...wanted.values]})
	return `${text.slice(0, sibling.start)}${merged}${text.slice(sibling.end)}`
}

interface Place {
	index: number
	valueIndex: number
}

function placeOf<T extends LanguageTerm>(language: FilterLanguage<T>, text: string, term: string): Place | null {
	const [wanted] = language.parse(term).terms
	if (wanted === undefined) return null
	const asked = language.format(wanted)
	for (const [index, each] of language.parse(text).terms.entries()) {
		if (!isSibling(each, wanted)) continue
		const valueIndex = each.values.findIndex(value => language.format({...each, values: [value]}) === asked)
		if (valueIndex >= 0) return {index, valueIndex}
	}
	return null
}

function isSibling(a: LanguageTerm, b: LanguageTerm) {
	return a.field === b.field && a.operator === b.operator && !a.negated && !b.negated
}

function withoutValue<T extends LanguageTerm>(language: FilterLanguage<T>, text: string, {index, valueIndex}: Place) {
	const term = language.parse(text).terms[index]
	if (term === undefined || term.values.length < 2) return removeTerm(language, text, index)
	const rest = language.format({...term, values: term.values.filter((_, at) => at !== valueIndex)})
	return `${text.slice(0, term.start)}${rest}${text.slice(term.end)}`
}

/**
 * The bare word at the caret that may become a field name, such as `las` on the way to `last_seen<7d`. `null` when the caret is
 * elsewhere or the word is not bare; its position is the term's.
 */
export function unfinishedWord<T extends LanguageTerm>(
	{names, parse}: FilterLanguage<T>,
	text: string,
	caret: number
): {start: number; end: number} | null {
	const term = parse(text).terms.find(({field, end}) => field === 'any' && end === caret)
	if (term === undefined) return null
	const word = text.slice(term.start, term.end).replace(/^-/, '')
	return /^[a-z][a-z_-]*$/i.test(word) && names.beginning(word).length > 0 ? {start: term.start, end: term.end} : null
}
