import {detectionOutcomes, eventSeverities, type DetectionOutcome, type EventSeverity} from './event.ts'
import {eventFields, eventFilterSpecs, type EventFilterField, type EventFilterKind} from './event-filter-fields.ts'
import {nearest} from './field-names.ts'
import {textOf, type RawTerm, type RawValue} from './filter-lex.ts'
import type {FilterOperator, FilterProblem, FilterValue, Term} from './filter-term.ts'
import {isBareCidr, readAddress, readTime} from './filter-values.ts'
import {readTermOf} from './read-term.ts'

/** One value of a term; several values are alternatives. */
export type EventFilterValue =
	| Exclude<FilterValue, {kind: 'states' | 'flag' | 'text'}>
	/** `begins`: the last word may continue. */
	| {kind: 'words'; text: string; begins: boolean}
	/** A whole value, case-insensitive. */
	| {kind: 'exact'; text: string}
	| {kind: 'type'; id: number; text: string}
	| {kind: 'severities'; severities: readonly EventSeverity[]; text: string}
	| {kind: 'outcomes'; outcomes: readonly DetectionOutcome[]; text: string}

export type EventFilterTerm = Term<EventFilterField, EventFilterValue>

type Read = EventFilterValue | string
type Reader = (value: RawValue, term: RawTerm, field: EventFilterField) => Read

const readers: Readonly<Record<EventFilterKind, Reader>> = {
	text: readWords,
	type: readType,
	group: readWords,
	exact: (value, term) => (textOf(value).trim() === '' ? nothingQuoted(term) : {kind: 'exact', text: textOf(value)}),
	severity: readSeverity,
	outcome: readOutcome,
	hash: readHash,
	address: readIp,
	time: (value, term) => timeOnly(readTime(value, term))
}

/** Bare words with an unambiguous meaning. */
const shapes: readonly (readonly [EventFilterField, RegExp])[] = [
	['hash', /^(?:[0-9a-f]{64}|[0-9a-f]{40}|[0-9a-f]{32})$/i],
	['guid', /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i],
	['id', /^\d{15,20}$/]
]

/** A bare CIDR is an address, a whole hash, GUID or id is that; any other bare word may be anything. */
function bare({values}: RawTerm) {
	if (values.every(isBareCidr)) return 'ip'
	const shape = shapes.find(([, form]) => values.every(value => form.test(textOf(value))))
	return shape?.[0] ?? 'any'
}

export const readEventTerm = (raw: RawTerm): EventFilterTerm | FilterProblem =>
	readTermOf<EventFilterField, EventFilterKind, EventFilterValue>(
		{names: eventFields, specs: eventFilterSpecs, compared: ['time', 'severity'], readers, bare, empty: readEmpty},
		raw
	)

function readEmpty(term: RawTerm, field: EventFilterField, kind: EventFilterKind): Read {
	if (kind === 'time' || kind === 'type' || field === 'details') return `“${field}” is never empty.`
	if (kind !== 'severity') return {kind: 'empty'}
	const asks = term.operator === ':' || term.operator === '='
	return asks ? {kind: 'severities', severities: ['none'], text: 'none'} : 'Compare with a severity, such as medium.'
}

/** The index supports words and prefixes: `*` is allowed only at an end. */
function readWords(value: RawValue, term: RawTerm, field: EventFilterField): Read {
	const parts = [...value.parts]
	while (parts.length > 1 && parts[0] === '') parts.shift()
	const open = parts.length > 1 && parts.at(-1) === ''
	while (parts.length > 1 && parts.at(-1) === '') parts.pop()
	const text = parts.join('*')
	if (parts.length > 1) return '“*” can stand at the beginning or at the end only: write the parts one after the other.'
	if (value.parts.join('').trim() === '' && value.parts.length === 1) return nothingQuoted(term)
	if (!/[\p{L}\p{N}]/u.test(text)) return `“${textOf(value)}” has no letter and no digit to look for.`
	if (term.operator !== '=') return {kind: 'words', text, begins: true}
	if (value.parts.length > 1) return {kind: 'words', text, begins: open}
	return field === 'details' ? {kind: 'words', text, begins: false} : {kind: 'exact', text}
}

function nothingQuoted(term: RawTerm) {
	return `There is nothing between the quotation marks: write ${term.name?.text ?? 'user'}:empty.`
}

function readType(value: RawValue, term: RawTerm, field: EventFilterField): Read {
	const text = textOf(value)
	return /^\d{3,10}$/.test(text) ? {kind: 'type', id: Number(text), text} : readWords(value, term, field)
}

function readHash(value: RawValue): Read {
	const parts = [...value.parts]
	while (parts.length > 1 && parts.at(-1) === '') parts.pop()
	const digits = parts.join('*').trim()
	if (!/^[0-9a-f]+$/i.test(digits)) return `“${textOf(value)}” is not a hash: it has hexadecimal digits only.`
	if (digits.length < 4) return `“${digits}” is too short: write at least 4 digits of the hash.`
	if (digits.length > 64) return `“${digits}” is longer than a SHA-256.`
	const whole = digits.length === 64 || digits.length === 40 || digits.length === 32
	return whole ? {kind: 'exact', text: digits.toLowerCase()} : {kind: 'words', text: digits.toLowerCase(), begins: true}
}

function readSeverity(value: RawValue, term: RawTerm): Read {
	const text = textOf(value)
	const typed = eventSeverities.find(known => known === text.trim().toLowerCase())
	if (typed === undefined) return unknownWord('severity', text, eventSeverities)
	return {kind: 'severities', severities: compared(typed, term.operator), text: typed}
}

function compared(severity: EventSeverity, operator: FilterOperator) {
	const at = eventSeverities.indexOf(severity)
	const higher = severity === 'unknown' ? [] : eventSeverities.slice(0, at)
	// An unknown severity is neither higher nor lower than another.
	const lower = eventSeverities.slice(at + 1).filter(each => each !== 'unknown')
	if (operator === '>') return higher
	if (operator === '>=') return [...higher, severity]
	if (operator === '<') return lower
	return operator === '<=' ? [severity, ...lower] : [severity]
}

function readOutcome(value: RawValue): Read {
	const text = textOf(value)
	const typed = detectionOutcomes.find(known => known === text.trim().toLowerCase())
	return typed === undefined ? unknownWord('outcome', text, detectionOutcomes) : {kind: 'outcomes', outcomes: [typed], text: typed}
}

function unknownWord(what: string, text: string, known: readonly string[]) {
	const meant = nearest(text.toLowerCase(), known)
	const hint = meant === undefined ? `There are ${known.join(', ')}.` : `Did you mean “${meant}”?`
	return `There is no ${what} “${text}”. ${hint}`
}

function readIp(value: RawValue, term: RawTerm, field: EventFilterField) {
	const read = readAddress(value, term)
	if (typeof read === 'string' || read.kind === 'addresses') return read
	return readWords(value, term, field)
}

function timeOnly(read: FilterValue | string): Read {
	if (typeof read === 'string' || read.kind === 'age' || read.kind === 'moment') return read
	return 'Write 30m, 12h, 7d, 2w or a date such as 2024-05-29.'
}
