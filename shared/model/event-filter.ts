/**
 * The typed filter of events, such as `severity>=high outcome:open host:FIN- time<1d -type:"Policy Update" powershell`. `:` finds
 * words and prefixes, `=` is the whole value.
 */
import {eventFields, type EventFilterField, eventFilterSpecs} from './event-filter-fields.ts'
import {type EventFilterTerm, type EventFilterValue, readEventTerm} from './event-filter-values.ts'
import {detectionOutcomes, eventSeverities} from './event.ts'
import {describeValues, formatValue} from './filter-format.ts'
import type {FilterLanguage} from './filter-language.ts'
import {emptyValue, type FilterSuggestions, suggestionsAt, usualAges} from './filter-suggestions.ts'
import type {FilterOperator} from './filter-term.ts'
import {readTerms} from './read-term.ts'

const outcomeDetails: Readonly<Record<(typeof detectionOutcomes)[number], string>> = {
	open: 'may still be on the computer',
	quarantined: 'removed when it was found',
	failed: 'could not be removed',
	recalled: 'removed later, when it was known'
}

export function eventFilterSuggestions(text: string, caret: number): FilterSuggestions {
	return suggestionsAt({names: eventFields, specs: eventFilterSpecs, fixedValues}, text, caret)
}

function fixedValues(field: EventFilterField, operator: FilterOperator) {
	const {kind} = eventFilterSpecs[field]
	if (kind === 'severity') return eventSeverities.map(insert => ({insert, detail: ''}))
	if (kind === 'outcome') return [...detectionOutcomes.map(insert => ({insert, detail: outcomeDetails[insert]})), emptyValue]
	if (kind === 'time') return operator === ':' || operator === '=' ? [] : usualAges
	return kind === 'type' || field === 'details' ? [] : [emptyValue]
}

type Words = Extract<EventFilterValue, {kind: 'words'}>

/** A term without position, for terms that were not typed. */
type UnplacedEventTerm = Omit<EventFilterTerm, 'start' | 'end'>

export function parseEventFilter(text: string) {
	return readTerms(text, readEventTerm)
}

/** A term in typed form; parsing it gives the same term (except its position). */
function formatEventTerm(term: UnplacedEventTerm) {
	const bare = term.field === 'any'
	const values = term.values.map(value => formatOne(value, term, bare)).join(',')
	return `${term.negated ? '-' : ''}${bare ? '' : `${term.field}${term.operator}`}${values}`
}

function formatOne(value: EventFilterValue, term: UnplacedEventTerm, bare: boolean) {
	switch (value.kind) {
		case 'words':
			return formatValue({kind: 'text', parts: partsOf(value, term)}, bare)
		case 'exact':
			return formatValue({kind: 'text', parts: [value.text]}, bare)
		case 'type':
		case 'severities':
		case 'outcomes':
			return value.text
		case 'addresses':
		case 'age':
		case 'moment':
		case 'empty':
			return formatValue(value, bare)
	}
}

/** After “=” a text is the whole value: only “*” makes it words within, and a prefix. */
function partsOf({text, begins}: Words, {operator, field}: UnplacedEventTerm) {
	if (operator !== '=' || eventFilterSpecs[field].kind === 'hash') return [text]
	if (begins) return [text, '']
	return field === 'details' ? [text] : ['', text]
}

export function formatEventFilter(terms: readonly UnplacedEventTerm[]) {
	return terms.map(formatEventTerm).join(' ')
}

/** A chip's two labels, such as `Severity` and `at least high`; a negated one starts with `not`. */
export function describeEventTerm(term: UnplacedEventTerm): {field: string; value: string} {
	const value = term.values.map(one => describeOne(one, term.operator)).join(' or ')
	return {field: eventFilterSpecs[term.field].title, value: term.negated ? `not ${value}` : value}
}

const bounds: Readonly<Partial<Record<FilterOperator, string>>> = {'<': 'below ', '<=': 'at most ', '>': 'above ', '>=': 'at least '}

function describeOne(value: EventFilterValue, operator: FilterOperator) {
	switch (value.kind) {
		case 'words':
			return `${value.begins ? 'contains' : 'has the words'} ${value.text}`
		case 'exact':
			return `is ${value.text}`
		case 'type':
		case 'outcomes':
			return value.text
		case 'severities':
			return `${bounds[operator] ?? ''}${value.text}`
		case 'addresses':
		case 'age':
		case 'moment':
		case 'empty':
			return describeValues({operator, values: [value]})
	}
}

export const eventFilter: FilterLanguage<EventFilterTerm> = {
	names: eventFields,
	parse: parseEventFilter,
	format: formatEventTerm,
	describe: describeEventTerm,
	suggest: eventFilterSuggestions
}
