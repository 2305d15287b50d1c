import {isolationStates} from '../text/states.ts'

import type {FilterOperator, FilterTerm, FilterValue} from './filter-term.ts'

/** A value in typed form. A bare word is quoted where it could be read as a field, a negation or a network. */
export function formatValue(value: FilterValue, bare: boolean) {
	switch (value.kind) {
		case 'empty':
			return 'empty'
		case 'flag':
			return value.value ? 'yes' : 'no'
		case 'text':
			return quoteParts(value.parts, bare)
		case 'states':
			return /\s/.test(value.text) ? `"${value.text}"` : value.text
		case 'addresses':
		case 'age':
		case 'moment':
			return value.text
	}
}

/** Local text as a value that matches exactly this text. */
export function quoteText(text: string) {
	return quoteParts([text], false)
}

function quoteParts(parts: readonly string[], bare: boolean) {
	const text = parts.map(part => part.replaceAll(/["*\\]/g, String.raw`\$&`)).join('*')
	const plain = bare ? /^(?!-|not$)[^\s",:=<>/]+$/i : /^(?!empty$)[^\s",]+$/i
	return plain.test(text) ? text : `"${text}"`
}

const compared: Readonly<Record<FilterOperator, {age: string; moment: string; version: string}>> = {
	':': {age: '', moment: 'in', version: 'contains'},
	'=': {age: '', moment: 'in', version: 'is'},
	'<': {age: 'within the last', moment: 'before', version: 'before'},
	'<=': {age: 'within the last', moment: 'until', version: 'up to'},
	'>': {age: 'more than', moment: 'after', version: 'after'},
	'>=': {age: 'at least', moment: 'from', version: 'from'}
}
const units: Readonly<Record<string, string>> = {s: 'second', m: 'minute', h: 'hour', d: 'day', w: 'week'}

export function describeValues(term: Pick<FilterTerm, 'operator' | 'values'>) {
	return term.values.map(value => describeValue(value, term.operator)).join(' or ')
}

function describeValue(value: FilterValue, operator: FilterOperator) {
	switch (value.kind) {
		case 'empty':
			return 'empty'
		case 'flag':
			return value.value ? 'yes' : 'no'
		case 'text':
			return describeText(value.parts, operator)
		case 'states':
			return value.states.map(state => isolationStates[state].word).join(' or ')
		case 'addresses':
			return value.from === value.to ? value.text : `in ${value.text}`
		case 'moment':
			return describeMoment(value.text, operator)
		case 'age':
			return describeAge(value.text, operator)
	}
}

function describeMoment(text: string, operator: FilterOperator) {
	const word = compared[operator].moment
	return `${word === 'in' && text.length >= 10 ? 'on' : word} ${text}`
}

function describeText(parts: readonly string[], operator: FilterOperator) {
	const text = parts.join('*')
	return parts.length > 1 ? `like ${text}` : `${compared[operator].version} ${text}`
}

function describeAge(text: string, operator: FilterOperator) {
	const unit = units[text.slice(-1).toLowerCase()] ?? ''
	const number = text.slice(0, -1)
	const span = `${number} ${unit}${number === '1' ? '' : 's'}`
	if (operator.startsWith('<')) return `within the last ${number === '1' ? unit : span}`
	return `${compared[operator].age} ${span} ago`
}
