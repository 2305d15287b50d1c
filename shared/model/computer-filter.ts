/**
 * The typed filter of the computers list, such as
 * `group:"Finance Servers" last_seen>7d ip:10.3.0.0/16 isolation:pending* -os:windows mac:empty FIN-`.
 */
import {isolationStates} from '../text/states.ts'
import {computerFields, filterFieldSpecs} from './filter-fields.ts'
import {describeValues, formatValue} from './filter-format.ts'
import type {FilterLanguage} from './filter-language.ts'
import {emptyValue, type FilterSuggestions, type FixedValue, suggestionsAt, usualAges} from './filter-suggestions.ts'
import type {FilterField, FilterOperator, FilterTerm, ParsedFilter} from './filter-term.ts'
import {readTerm} from './filter-values.ts'
import {readTerms} from './read-term.ts'
import {computerRoles, computerRoleTitles} from './guard.ts'
import {roleNamed, roleWord} from './label.ts'

const flags: readonly FixedValue[] = [
	{insert: 'yes', detail: ''},
	{insert: 'no', detail: ''}
]
const states: readonly FixedValue[] = [
	...Object.entries(isolationStates).map(([insert, {word}]) => ({insert, detail: word})),
	{insert: 'pending*', detail: 'isolating or releasing'}
]
const ages: readonly FixedValue[] = [...usualAges, {insert: '90d', detail: 'three months'}]
const roles: readonly FixedValue[] = computerRoles.map(role => ({insert: roleWord(role), detail: computerRoleTitles[role]}))

export function computerFilterSuggestions(text: string, caret: number): FilterSuggestions {
	return suggestionsAt({names: computerFields, specs: filterFieldSpecs, fixedValues}, text, caret)
}

function fixedValues(field: FilterField, operator: FilterOperator) {
	const {kind} = filterFieldSpecs[field]
	if (kind === 'flag') return flags
	if (kind === 'state') return states
	if (kind === 'role') return [...roles, emptyValue]
	if (kind === 'time') return operator === ':' || operator === '=' ? [emptyValue] : ages
	return [emptyValue]
}

/** A term without position, for terms that were not typed. */
export type UnplacedTerm = Omit<FilterTerm, 'start' | 'end'>

export function parseFilter(text: string): ParsedFilter {
	return readTerms(text, readTerm)
}

/** A term in typed form; parsing it gives the same term (except its position). */
export function formatTerm(term: UnplacedTerm) {
	const bare = term.field === 'any'
	const values = term.values.map(value => formatValue(value, bare)).join(',')
	return `${term.negated ? '-' : ''}${bare ? '' : `${term.field}${term.operator}`}${values}`
}

export function formatFilter(terms: readonly UnplacedTerm[]) {
	return terms.map(formatTerm).join(' ')
}

/** A chip's two labels, such as `Last seen` and `more than 7 days ago`; a negated one starts with `not`. */
export function describeTerm(term: UnplacedTerm): {field: string; value: string} {
	const value = filterFieldSpecs[term.field].kind === 'role' ? describeRoles(term) : describeValues(term)
	return {field: filterFieldSpecs[term.field].title, value: term.negated ? `not ${value}` : value}
}

function describeRoles({values}: UnplacedTerm) {
	const words = values.map(value => {
		const role = value.kind === 'text' ? roleNamed(value.parts.join('')) : undefined
		return role === undefined ? 'empty' : computerRoleTitles[role]
	})
	return words.join(' or ')
}

export const computerFilter: FilterLanguage<FilterTerm> = {
	names: computerFields,
	parse: parseFilter,
	format: formatTerm,
	describe: describeTerm,
	suggest: computerFilterSuggestions
}
