import type {LabelKind, LabelReader} from '#core/service/labels/labels.ts'
import {invalidArgument} from '#contract/errors.ts'
import {parseFilter} from '#model/computer-filter.ts'
import type {FilterField, FilterOperator, FilterTerm, FilterValue} from '#model/filter-term.ts'
import {fold} from '#model/fold.ts'
import {noLabels} from '#model/label.ts'
import {glanceRanks, macDigits, naturalKey, numberKey} from './columns.ts'
import {type Condition, joined, matching} from './condition.ts'

/** What gives the ids of rows; `negated` takes them away. */
export type Selection = Readonly<{negated: boolean}> & (StatementSelection | WordsSelection)

interface StatementSelection extends Condition {
	kind: 'statement'
	/** The searched text of each of these rows holds it, if it is not `null`; the statement takes `AND id IN (…)`. */
	hint: string | null
}

/** Rows whose searched text holds one of the forms. */
interface WordsSelection {
	kind: 'words'
	forms: readonly string[]
}

export interface CompiledFilter {
	/** All of them have to hold; none when nothing is asked. */
	readonly selections: readonly Selection[]
	/** Computers that the service no longer lists are hidden unless they are asked for. */
	readonly listedOnly: boolean
	/** It speaks of times ago, so that its result changes while nothing is written. */
	readonly relative: boolean
	/** It speaks of labels, which lie elsewhere. */
	readonly labelled: boolean
}

/** Where nobody keeps labels. */
export const noLabelsAtAll: LabelReader = {revision: () => 0, of: () => noLabels, having: () => [], all: () => []}

/** Throws `invalid_argument` for a filter with problems: a selection must never be wider than what was typed. */
export function compileFilter(text: string, now: number, labels: LabelReader): CompiledFilter {
	const {terms, problems} = parseFilter(text)
	const [problem] = problems
	if (problem !== undefined) throw invalidArgument(problem.message, 'filter')
	return {
		selections: selectionsOf(terms, now, labels),
		listedOnly: terms.every(term => term.field !== 'vanished'),
		relative: terms.some(term => term.values.some(value => value.kind === 'age')),
		labelled: terms.some(term => labelKindOf(term.field) !== null)
	}
}

/** Terms that a narrow table or an index answers stand alone, for that is one short scan each; all others share a scan of `computer`. */
function selectionsOf(terms: readonly FilterTerm[], now: number, labels: LabelReader) {
	const selections: Selection[] = []
	const shared: Condition[] = []
	const hint = terms.map(hintOf).find(text => text !== null) ?? null
	for (const term of terms) {
		const kind = labelKindOf(term.field)
		const alone = kind === null ? aloneSelection(term, now, hint) : labelSelection(term, kind, labels)
		if (alone === null) shared.push(termCondition(term, now))
		else selections.push(alone)
	}
	if (shared.length === 0) return selections
	const {sql, params} = joined(shared, ' AND ')
	return [statement(`SELECT id FROM computer WHERE ${sql}`, params, {hint}), ...selections]
}

function statement(
	sql: string,
	params: Condition['params'],
	{negated = false, hint = null}: {negated?: boolean; hint?: string | null}
): Selection {
	return {kind: 'statement', sql, params, negated, hint}
}

const hinting: ReadonlySet<FilterField> = new Set(['name', 'guid', 'ip', 'mac'])

/** What all rows of a term have in their searched text. */
function hintOf({field, negated, values: [value, further]}: FilterTerm) {
	if (negated || further !== undefined || value?.kind !== 'text' || !hinting.has(field)) return null
	const [part = '', rest] = value.parts
	const text = field === 'mac' ? macDigits(part) : fold(part)
	return rest !== undefined || text === '' || text.includes('\n') ? null : text
}

function labelKindOf(field: FilterField): LabelKind | null {
	return field === 'tag' || field === 'role' ? field : null
}

/** Labels lie in the profile: what is asked of them becomes a list of GUIDs. */
function labelSelection({operator, values, negated}: FilterTerm, kind: LabelKind, labels: LabelReader) {
	const wanted = values.flatMap(value => (value.kind === 'text' ? [passing(value.parts, operator === '=')] : []))
	const found = wanted.length === 0 ? [] : labels.having(kind, text => wanted.some(passes => passes(text)))
	const sql = 'SELECT id FROM computer WHERE guid IN (SELECT value FROM json_each(?))'
	if (wanted.length === values.length) return statement(sql, [JSON.stringify(found)], {negated})
	// Without any, or with one of those: everything but the others.
	const without = new Set(found)
	const others = labels.having(kind, () => true).filter(guid => !without.has(guid))
	return statement(sql, [JSON.stringify(others)], {negated: !negated})
}

function passing(parts: readonly string[], whole: boolean): (text: string) => boolean {
	const folded = parts.map(fold)
	const [first = ''] = folded
	if (parts.length === 1) return whole ? text => text === first : text => text.includes(first)
	const form = new RegExp(`^${folded.map(part => RegExp.escape(part)).join('.*')}$`, 'u')
	return text => form.test(text)
}

function aloneSelection(term: FilterTerm, now: number, hint: string | null) {
	switch (term.field) {
		case 'isolation':
		case 'compromised':
		case 'last_seen':
		case 'installed': {
			const {sql, params} = anyCondition(term, now)
			return statement(`SELECT id FROM computer WHERE ${sql}`, params, {negated: term.negated, hint})
		}
		case 'any':
			return wordsSelection(term)
		case 'mac':
			return macSelection(term)
		case 'ip':
		case 'external_ip':
			return rangesSelection(term)
		default:
			return null
	}
}

function wordsSelection({values, negated}: FilterTerm): Selection | null {
	const forms = values.map(value => (value.kind === 'text' && value.parts.length === 1 ? formsOf(value.parts) : null))
	const known = forms.filter(each => each !== null)
	return known.length < forms.length ? null : {kind: 'words', forms: known.flat(), negated}
}

function macSelection(term: FilterTerm) {
	const {values, operator, negated} = term
	const texts = values.flatMap(value => (value.kind === 'text' ? [value.parts.map(macDigits)] : []))
	if (texts.length < values.length) return null
	const tests = texts.map(parts => matching('digits', parts, operator === '='))
	const {sql, params} = joined(tests, ' OR ')
	return statement(`SELECT id FROM mac WHERE ${sql}`, params, {negated, hint: hintOf(term)})
}

/** Addresses by the indexes of their orders, which hold nothing else; the few further ones of a computer by their own. */
function rangesSelection({field, values, negated}: FilterTerm) {
	const ranges = values.flatMap(value => (value.kind === 'addresses' ? [value] : []))
	if (ranges.length < values.length) return null
	const key = field === 'ip' ? 'ip_key' : 'external_key'
	const first = `SELECT id FROM computer WHERE ${key} BETWEEN ? AND ?`
	const further = 'SELECT id FROM address WHERE place > 0 AND num BETWEEN ? AND ?'
	const parts = ranges.flatMap<Condition>(({from, to}) => [
		{sql: first, params: [numberKey(from), numberKey(to)]},
		...(field === 'ip' ? [{sql: further, params: [from, to]}] : [])
	])
	const params = parts.flatMap(part => part.params)
	return statement(parts.map(({sql}) => sql).join(' UNION '), params, {negated})
}

function termCondition(term: FilterTerm, now: number) {
	const any = anyCondition(term, now)
	// An unknown time makes a comparison NULL, which neither holds nor fails.
	return term.negated ? {sql: `NOT coalesce(${any.sql}, 0)`, params: any.params} : any
}

function anyCondition({values, field, operator}: FilterTerm, now: number) {
	return joined(
		values.map(value => valueCondition(field, operator, value, now)),
		' OR '
	)
}

function valueCondition(field: FilterField, operator: FilterOperator, value: FilterValue, now: number) {
	switch (value.kind) {
		case 'text':
			return textCondition(field, operator, value.parts)
		case 'addresses':
			return addressCondition(field, value.from, value.to)
		case 'states':
			return {sql: `rank IN (${value.states.map(() => '?').join(', ')})`, params: value.states.map(state => glanceRanks[state])}
		case 'flag':
			return flagCondition(field, value.value)
		case 'age':
			return ageCondition(timeColumn(field), operator, now - value.ms)
		case 'moment':
			return momentCondition(timeColumn(field), operator, value.from, value.to)
		case 'empty':
			return {sql: emptyTests[field] ?? '0', params: []}
	}
}

/** Any other field is never empty. */
const emptyTests: Readonly<Partial<Record<FilterField, string>>> = {
	name: "hostname = ''",
	group: "group_guid = ''",
	policy: "policy_name = ''",
	os: "os = ''",
	connector: "connector = ''",
	ip: "ips = ''",
	external_ip: "external_ip = ''",
	mac: "macs = ''",
	isolation: `rank = ${glanceRanks.unknown}`,
	last_seen: 'last_seen IS NULL',
	installed: 'installed IS NULL',
	state_since: 'state_since = 0',
	guess: "guess = ','"
}

function flagCondition(field: FilterField, value: boolean) {
	if (field === 'vanished') return {sql: `vanished_at IS ${value ? 'NOT ' : ''}NULL`, params: []}
	if (field === 'duplicate_mac') return {sql: `id ${value ? '' : 'NOT '}IN (${sharedMacs})`, params: []}
	return {sql: `${field} = ?`, params: [value ? 1 : 0]}
}

/** Listed computers with an address that another one has too. */
const sharedMacs = `SELECT id FROM mac WHERE digits IN (
  SELECT digits FROM mac WHERE digits <> '' AND id NOT IN (SELECT id FROM computer WHERE vanished_at IS NOT NULL)
  GROUP BY digits HAVING count(*) > 1)`

function timeColumn(field: FilterField) {
	return field === 'installed' || field === 'state_since' ? field : 'last_seen'
}

/** The first address is a column; the few further ones have an index of their own. */
function addressCondition(field: FilterField, from: number, to: number) {
	if (field === 'external_ip') return {sql: 'external_num BETWEEN ? AND ?', params: [from, to]}
	return {sql: '(ip_num BETWEEN ? AND ? OR id IN (SELECT id FROM address WHERE place > 0 AND num BETWEEN ? AND ?))', params: [from, to, from, to]}
}

function textCondition(field: FilterField, operator: FilterOperator, parts: readonly string[]) {
	const whole = operator === '='
	if (field === 'any') return wordCondition(parts)
	if (field === 'connector' && operator !== ':' && !whole) return versionCondition(operator, parts.join(''))
	if (field === 'guess') return {sql: 'instr(guess, ?) > 0', params: [`,${parts.join('')},`]}
	if (field === 'mac') return inList('mac', 'digits', parts.map(macDigits), whole)
	if (field === 'ip') return inList('address', 'text', parts, whole)
	const columns = textColumns[field] ?? []
	const named = columns.map(column => matching(column, parts, whole))
	const guid = guidColumns[field]
	const byGuid = guid === undefined || parts.length > 1 ? [] : [{sql: `${guid} = ?`, params: [fold(parts.join(''))]}]
	return joined([...named, ...byGuid], ' OR ')
}

const textColumns: Readonly<Partial<Record<FilterField, readonly string[]>>> = {
	name: ['host_fold'],
	group: ['group_fold'],
	policy: ['policy_fold'],
	os: ['os_fold', 'os_version'],
	connector: ['lower(connector)'],
	external_ip: ['external_ip'],
	guid: ['lower(guid)']
}
const guidColumns: Readonly<Partial<Record<FilterField, string>>> = {group: 'lower(group_guid)', policy: 'lower(policy_guid)'}

function inList(table: 'mac' | 'address', column: 'digits' | 'text', parts: readonly string[], whole: boolean) {
	const {sql, params} = matching(column, parts, whole)
	return {sql: `id IN (SELECT id FROM ${table} WHERE ${sql})`, params}
}

const searched = ['host', 'numbers', 'others'] as const

/** A bare word: part of a name, address, MAC, GUID or group; with a wildcard it has to be the whole of one of them. */
function wordCondition(parts: readonly string[]) {
	if (parts.length > 1) return anyGlob(parts)
	const {sql, params} = joined(
		formsOf(parts).flatMap(form => searched.map(column => matching(column, [form], false))),
		' OR '
	)
	return {sql: `id IN (SELECT id FROM search WHERE ${sql})`, params}
}

/** MAC addresses are found with any separators: `1e-c0-c8` and `1ec0.c87e` as well as `1e:c0:c8`. */
function formsOf(parts: readonly string[]) {
	const text = fold(parts.join(''))
	const dashed = /^[0-9a-f]{2}(-[0-9a-f]{0,2})+$/.test(text) ? text.replaceAll('-', ':') : text
	const dotted = /^[0-9a-f]{4}(\.[0-9a-f]{0,4})+$/.test(text) && /[a-f]/.test(text) ? macDigits(text) : text
	return [...new Set([text, dashed, dotted])]
}

function anyGlob(parts: readonly string[]) {
	const columns = ['host_fold', 'lower(guid)', 'group_fold', 'external_ip'].map(column => matching(column, parts, false))
	const digits = parts.map(part => fold(part).replaceAll(/[:.-]/g, ''))
	return joined([...columns, inList('address', 'text', parts, false), inList('mac', 'digits', digits, false)], ' OR ')
}

/** `>7d` is longer ago than seven days, so it looks for smaller times. */
function ageCondition(column: string, operator: FilterOperator, then: number) {
	const turned = {'<': '>', '<=': '>=', '>': '<', '>=': '<=', ':': '=', '=': '='}[operator]
	return {sql: `${column} ${turned} ?`, params: [then]}
}

/** A date is a span: after it begins where it ends. */
function momentCondition(column: string, operator: FilterOperator, from: number, to: number) {
	switch (operator) {
		case '<':
			return {sql: `${column} < ?`, params: [from]}
		case '<=':
			return {sql: `${column} < ?`, params: [to]}
		case '>':
			return {sql: `${column} >= ?`, params: [to]}
		case '>=':
			return {sql: `${column} >= ?`, params: [from]}
		case ':':
		case '=':
			return {sql: `(${column} >= ? AND ${column} < ?)`, params: [from, to]}
	}
}

/** A version stands for everything that begins with it: `<=8.4` includes 8.4.0.30201, `>8.4` does not. */
function versionCondition(operator: FilterOperator, text: string) {
	const key = naturalKey(text)
	const end = `${key}\u{10ffff}`
	const known = "connector <> ''"
	switch (operator) {
		case '<':
			return {sql: `(${known} AND connector_key < ?)`, params: [key]}
		case '<=':
			return {sql: `(${known} AND connector_key < ?)`, params: [end]}
		case '>':
			return {sql: 'connector_key > ?', params: [end]}
		default:
			return {sql: 'connector_key >= ?', params: [key]}
	}
}
