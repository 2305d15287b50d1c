/** One term of a filter language: what every language of ours reads alike. */
import type {FieldNames, FieldSpec} from './field-names.ts'
import {lexFilter, textOf, type RawTerm, type RawValue} from './filter-lex.ts'
import type {FilterProblem, Term} from './filter-term.ts'

interface Language<F extends string, K extends string, V extends object> {
	names: FieldNames<F>
	specs: Readonly<Record<F, FieldSpec<K>>>
	/** Kinds that `<` and `>` compare. */
	compared: readonly K[]
	readers: Readonly<Record<K, (value: RawValue, term: RawTerm, field: F) => V | string>>
	/** The field of a term without a name. */
	bare(raw: RawTerm): F
	/** The unquoted word `empty`. */
	empty(raw: RawTerm, field: F, kind: K): V | string
}

/** Parsed terms, and problems for the rest; nothing is ignored silently. Terms keep their order. */
export function readTerms<T extends object>(text: string, read: (raw: RawTerm) => T | FilterProblem) {
	const lexed = lexFilter(text)
	const terms: T[] = []
	const problems: FilterProblem[] = [...lexed.problems]
	for (const raw of lexed.terms) {
		const term = read(raw)
		if ('message' in term) problems.push(term)
		else terms.push(term)
	}
	return {terms, problems: problems.toSorted((a, b) => a.start - b.start)}
}

/** The parsed term, or the problem of its first faulty part. Readers tell theirs in a sentence. */
export function readTermOf<F extends string, K extends string, V extends object>(
	language: Language<F, K, V>,
	raw: RawTerm
): Term<F, V> | FilterProblem {
	const {names, specs, compared, readers} = language
	const {name, operator, negated, start, end} = raw
	const field = name === null ? language.bare(raw) : names.named(name.text)
	if (field === undefined) return unknownField(names, name)
	const {kind} = specs[field]
	if (operator !== ':' && operator !== '=') {
		const message = `“${field}” cannot be compared with “${operator}”: write ${field}:value.`
		if (!compared.includes(kind)) return {start, end, message}
		if (raw.values.length > 1) return {start, end, message: `“${operator}” takes one value.`}
	}
	const values: V[] = []
	for (const value of raw.values) {
		const isEmpty = name !== null && !value.quoted && textOf(value).toLowerCase() === 'empty'
		const read = isEmpty ? language.empty(raw, field, kind) : readers[kind](value, raw, field)
		if (typeof read === 'string') return {start: value.start, end: value.end, message: read}
		values.push(read)
	}
	return {field, negated, operator, values, start, end}
}

function unknownField(names: FieldNames<string>, name: RawTerm['name']): FilterProblem {
	const {text = '', end = 0} = name ?? {}
	const meant = names.nearest(text)
	const hint = meant === undefined ? 'Quote it to look for the text itself.' : `Did you mean “${meant}”?`
	return {start: end - text.length, end, message: `There is no field “${text}”. ${hint}`}
}
