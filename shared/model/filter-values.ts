import {isolationStates} from '../text/states.ts'

import {nearest} from './field-names.ts'
import {computerFields, filterFieldSpecs, type FilterKind} from './filter-fields.ts'
import {textOf, type RawTerm, type RawValue} from './filter-lex.ts'
import type {FilterField, FilterProblem, FilterTerm, FilterValue} from './filter-term.ts'
import {computerRoles} from './guard.ts'
import type {IsolationGlance} from './glance.ts'
import {roleNamed, roleWord} from './label.ts'
import {readTermOf} from './read-term.ts'

/** The parsed value, or why it is invalid, in a sentence. */
type Read = FilterValue | string
type Reader = (value: RawValue, term: RawTerm) => Read

const glances = Object.keys(isolationStates) as readonly IsolationGlance[] // the keys of a closed record
const flagWords: Readonly<Record<string, boolean>> = {yes: true, no: false, true: true, false: false}
const stateWords: Readonly<Record<string, string>> = {
	isolating: 'pending_start',
	starting: 'pending_start',
	releasing: 'pending_stop',
	stopping: 'pending_stop',
	not_available: 'unavailable',
	pending: 'pending*',
	yes: 'isolated',
	no: 'not_isolated',
	not: 'not_isolated'
}
const unitMs: Readonly<Record<string, number>> = {s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000}

const readers: Readonly<Record<FilterKind, Reader>> = {
	text: readText,
	version: readText,
	mac: readMac,
	address: readAddress,
	state: readState,
	role: readRole,
	flag: readFlag,
	time: readTime
}

export const readTerm = (raw: RawTerm): FilterTerm | FilterProblem =>
	readTermOf<FilterField, FilterKind, FilterValue>(
		{
			names: computerFields,
			specs: filterFieldSpecs,
			compared: ['time', 'version'],
			readers,
			bare: ({values}) => (values.every(isBareCidr) ? 'ip' : 'any'),
			empty: readEmpty
		},
		raw
	)

function readEmpty(term: RawTerm, _field: FilterField, kind: FilterKind): Read {
	if (kind === 'flag') return 'It is yes or no, never empty.'
	if (kind === 'state') return {kind: 'states', states: ['unknown'], text: 'unknown'}
	const asks = term.operator === ':' || term.operator === '='
	return asks ? {kind: 'empty'} : `“empty” stands behind “:”, as in ${term.name?.text ?? ''}:empty.`
}

function readText(value: RawValue, term: RawTerm): Read {
	const compares = term.operator.startsWith('<') || term.operator.startsWith('>')
	if (compares && value.parts.length > 1) return 'A wildcard cannot be compared: write a version such as 8.4.'
	if (value.parts.join('') === '' && value.parts.length === 1) {
		return `There is nothing between the quotation marks: write ${term.name?.text ?? 'name'}:empty.`
	}
	return {kind: 'text', parts: value.parts}
}

function readMac(value: RawValue, term: RawTerm): Read {
	const digits = textOf(value).replaceAll(/[:.*-]/g, '')
	if (/^[0-9a-f]*$/i.test(digits)) return readText(value, term)
	return `“${textOf(value)}” is not a part of a MAC address: it has hexadecimal digits and “:” only.`
}

function readFlag(value: RawValue): Read {
	const flag = flagWords[textOf(value).toLowerCase()]
	return flag === undefined ? `“${textOf(value)}” is neither yes nor no.` : {kind: 'flag', value: flag}
}

function readRole(value: RawValue): Read {
	const text = textOf(value)
	const role = roleNamed(text)
	if (role !== undefined) return {kind: 'text', parts: [role]}
	const words = computerRoles.map(roleWord)
	const meant = nearest(text.toLowerCase(), words)
	const hint = meant === undefined ? `The roles are ${words.join(', ')}.` : `Did you mean “${meant}”?`
	return `There is no role “${text}”. ${hint}`
}

/** State names and the list's words; `pending*` stands for both pending states. */
function readState(value: RawValue): Read {
	const text = textOf(value)
	const typed = text
		.trim()
		.toLowerCase()
		.replaceAll(/[\s-]+/g, '_')
	const parts = (stateWords[typed] ?? typed).split('*')
	const states = glances.filter(state => matchesWhole(state, parts))
	if (states.length > 0) return {kind: 'states', states, text}
	const meant = nearest(typed, [...glances, ...Object.keys(stateWords)])
	const hint = meant === undefined ? `The states are ${glances.join(', ')} and pending*.` : `Did you mean “${meant}”?`
	return `There is no isolation state “${text}”. ${hint}`
}

/** Whether the text consists of these pieces with anything between. */
function matchesWhole(text: string, parts: readonly string[]) {
	const escaped = parts.map(part => part.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`))
	return new RegExp(`^${escaped.join('.*')}$`, 'u').test(text)
}

export function readTime(value: RawValue, term: RawTerm): Read {
	const text = textOf(value)
	const age = /^(\d{1,6}(?:\.\d{1,3})?)([smhdw])$/i.exec(text)
	if (age === null) return readMoment(text) ?? timeHint(text)
	const typed = term.name?.text ?? 'last_seen'
	if (term.operator === ':' || term.operator === '=') {
		return `Say which side is meant: ${typed}<${text} is within, ${typed}>${text} longer ago.`
	}
	return {kind: 'age', ms: Number(age[1]) * (unitMs[age[2]?.toLowerCase() ?? ''] ?? 0), text}
}

function timeHint(text: string) {
	const number = /^\d+$/.test(text) ? ` Did you mean “${text}d”?` : ''
	return `“${text}” is not a time: write 30m, 12h, 7d, 2w or a date such as 2024-05-29.${number}`
}

const momentForm =
	/^(?<year>\d{4})(?:-(?<month>\d\d)(?:-(?<day>\d\d)(?:T(?<hour>\d\d):(?<minute>\d\d)(?::(?<second>\d\d))?(?<zone>Z|[+-]\d\d:\d\d)?)?)?)?$/i

/** A year, month, day, minute or second; without a zone it is UTC, like the service's times. */
function readMoment(text: string): FilterValue | null {
	const found = momentForm.exec(text)?.groups
	if (found === undefined) return null
	const number = (name: string, otherwise: number) => Number(found[name] ?? otherwise)
	const [year, month, day] = [number('year', 0), number('month', 1), number('day', 1)]
	const [hour, minute, second] = [number('hour', 0), number('minute', 0), number('second', 0)]
	const local = Date.UTC(year, month - 1, day, hour, minute, second)
	const parsed = new Date(local)
	// `Date.UTC` rolls 31 February over; such a date is invalid.
	if (parsed.getUTCMonth() !== month - 1 || parsed.getUTCDate() !== day || hour > 23 || minute > 59 || second > 59) return null
	const from = local - zoneMs(found['zone'])
	return {kind: 'moment', from, to: from + lengthMs(found, year, month), text}
}

function zoneMs(zone: string | undefined) {
	if (zone === undefined || zone.toUpperCase() === 'Z') return 0
	const ms = Number(zone.slice(1, 3)) * 3_600_000 + Number(zone.slice(4, 6)) * 60_000
	return zone.startsWith('-') ? -ms : ms
}

function lengthMs(found: Readonly<Record<string, string | undefined>>, year: number, month: number) {
	if (found['second'] !== undefined) return 1000
	if (found['minute'] !== undefined) return 60_000
	if (found['day'] !== undefined) return 86_400_000
	if (found['month'] !== undefined) return Date.UTC(year, month, 1) - Date.UTC(year, month - 1, 1)
	return Date.UTC(year + 1, 0, 1) - Date.UTC(year, 0, 1)
}

const cidrForm = /^(\d{1,3}(?:\.\d{1,3}){3})\/(\d{1,2})$/

export function isBareCidr(value: RawValue) {
	return !value.quoted && cidrForm.test(textOf(value))
}

/** An address, a prefix of one, a range, CIDR, or a pattern; anything not IPv4 is compared as text. */
export function readAddress(value: RawValue, term: RawTerm): Read {
	const text = textOf(value)
	const cidr = cidrForm.exec(text)
	if (cidr !== null) return readCidr(text, cidr[1] ?? '', Number(cidr[2]))
	const range = /^([\d.]+)-([\d.]+)$/.exec(text)
	if (range !== null) return readRange(text, range[1] ?? '', range[2] ?? '')
	if (/^[\d.]+$/.test(text)) return readPrefix(text, text) ?? notAnAddress(text)
	if (/^[\d.]+\.\*$/.test(text)) return readPrefix(text.slice(0, -1), text) ?? notAnAddress(text)
	if (text.includes('/')) return `“${text}” is not an IPv4 network: write 10.3.0.0/16.`
	return /^[0-9a-f:.*]+$/i.test(text) && text !== '' ? readText(value, term) : notAnAddress(text)
}

function notAnAddress(text: string) {
	return `“${text}” is not an address: write 10.3.0.7, 10.3., 10.3.0.0/16 or 10.3.*.`
}

function readCidr(text: string, base: string, bits: number): Read {
	const address = ipv4Number(base)
	if (address === undefined || bits > 32) return `“${text}” is not an IPv4 network: write 10.3.0.0/16.`
	const size = 2 ** (32 - bits)
	const from = Math.floor(address / size) * size
	return {kind: 'addresses', from, to: from + size - 1, text}
}

function readRange(text: string, low: string, high: string): Read {
	const [from, to] = [ipv4Number(low), ipv4Number(high)]
	if (from === undefined || to === undefined) return notAnAddress(text)
	return from <= to ? {kind: 'addresses', from, to, text} : `“${text}” ends before it begins.`
}

/** `10.3` and `10.3.` stand for all addresses with that prefix. */
function readPrefix(prefix: string, text: string): FilterValue | null {
	const octets = prefix.replace(/\.$/, '').split('.')
	if (octets.length > 4 || (octets.length === 4 && prefix.endsWith('.'))) return null
	const missing = 4 - octets.length
	const from = ipv4Number([...octets, ...Array.from({length: missing}, () => '0')].join('.'))
	return from === undefined ? null : {kind: 'addresses', from, to: from + 256 ** missing - 1, text}
}

/** The address as an unsigned integer; `undefined` if it is no IPv4 address. */
export function ipv4Number(text: string): number | undefined {
	const octets = text.split('.')
	if (octets.length !== 4 || octets.some(octet => !/^\d{1,3}$/.test(octet) || Number(octet) > 255)) return undefined
	return octets.reduce((sum, octet) => sum * 256 + Number(octet), 0)
}
