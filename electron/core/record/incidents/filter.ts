import {catalogue} from '#shared/commands/catalogue.ts'
import {invalidArgument} from '#contract/errors.ts'
import {isGuid} from '#model/formats.ts'
import type {LogQuery} from '#model/incident.ts'

import type {Param} from '#core/store/database.ts'
import {pinnedCondition} from './pins.ts'

export interface Condition {
	readonly sql: string
	readonly params: readonly Param[]
}

export type LogFilter = Omit<LogQuery, 'limit' | 'before' | 'after' | 'text'> & {
	/** Of a few targets: their index is better than those of kinds and commands. */
	byTarget?: true
}

export const searchedText = `(message || ' ' || coalesce(command, '') || ' ' || coalesce(target_label, '') || ' ' || coalesce(target_guid, '')
  || ' ' || coalesce(args, '') || ' ' || coalesce(connection_name, '') || ' ' || operator || ' ' || coalesce(request_id, ''))`

function wordsOf(text: string | undefined) {
	return (text ?? '').split(/\s+/u).filter(word => word !== '')
}

/** The words of the text search, and the hash as one more of them: digits of a hash stand in no other text. */
export function searchedWords({text, hash}: {text?: string | undefined; hash?: string | undefined}): readonly string[] {
	return [...wordsOf(text), ...wordsOf(hash)]
}

/** The conditions of all filters but text and hash. Throws `invalid_argument` for a date that is none. */
export function conditionsOf(filter: LogFilter): readonly Condition[] {
	// The sign keeps SQLite from the index.
	const [kind, command] = filter.byTarget === true ? ['+kind', '+command'] : ['kind', 'command']
	const found = [
		given(filter.kinds, kinds => oneOf(kind, kinds)),
		equal(command, filter.command),
		// Names have no index.
		isGuid(filter.target ?? '') ? equal('target_guid', filter.target) : either(['target_guid', 'target_label'], filter.target),
		equal("data ->> '$.state'", filter.state),
		equal('incident', filter.incident),
		either(['connection_id', 'connection_name'], filter.connection),
		given(filter.tenant, tenant => ({sql: 'connection_id = ? OR connection_id IS NULL', params: [tenant]})),
		equal('surface', filter.surface),
		equal('operator', filter.operator),
		given(filter.pinned === true ? true : undefined, () => ({sql: pinnedCondition, params: []})),
		given(filter.writesOnly === true ? true : undefined, () => oneOf(command, writeCommands())),
		given(filter.since, since => ({sql: 'at >= ?', params: [isoTime(since, 'since')]})),
		given(filter.until, until => ({sql: 'at < ?', params: [isoTime(until, 'until')]}))
	]
	return found.filter(condition => condition !== undefined)
}

/** Each word anywhere in the text, without regard to ASCII case. */
export function likeCondition(words: readonly string[]): Condition {
	const patterns = words.map(word => `%${word.replace(/[\\%_]/g, '\\$&')}%`)
	return {sql: patterns.map(() => `${searchedText} LIKE ? ESCAPE '\\'`).join(' AND ') || 'TRUE', params: patterns}
}

/**
 * The end of an entry's id, or the id of a job, as the service's own record tells them: the entry, its outcome, and all
 * entries of the job.
 */
export function idCondition(words: readonly string[]): Condition | undefined {
	const [word = '', second] = words
	if (second !== undefined || !/^[0-9A-HJKMNP-TV-Z]{8,26}$/.test(word)) return undefined
	const pattern = `%${word}`
	return {sql: `id LIKE ? OR about LIKE ? OR data ->> '$.job' LIKE ?`, params: [pattern, pattern, pattern]}
}

export function anyOf(conditions: readonly Condition[]): Condition {
	return joined(conditions, ' OR ', 'FALSE')
}

export function allOf(conditions: readonly Condition[]): Condition {
	return joined(conditions, ' AND ', 'TRUE')
}

function joined(conditions: readonly Condition[], word: string, ofNone: string) {
	const sql = conditions.map(condition => `(${condition.sql})`).join(word) || ofNone
	return {sql, params: conditions.flatMap(({params}) => params)}
}

function given<T>(value: T | undefined, condition: (value: T) => Condition) {
	return value === undefined ? undefined : condition(value)
}

function equal(column: string, value: string | undefined) {
	return either([column], value)
}

function either(columns: readonly string[], value: string | undefined) {
	return given(value, one => ({sql: columns.map(column => `${column} = ?`).join(' OR '), params: columns.map(() => one)}))
}

/** The sign keeps SQLite from an index, which would give all of several values for one page. */
function oneOf(column: string, values: readonly string[]) {
	return {sql: `${values.length > 1 ? '+' : ''}${column} IN (${values.map(() => '?').join(', ')})`, params: values}
}

export function writeCommands(): readonly string[] {
	return catalogue.filter(spec => spec.risk !== 'read').map(spec => spec.name)
}

function isoTime(text: string, field: string) {
	const time = new Date(text)
	if (!Number.isNaN(time.getTime())) return time.toISOString()
	throw invalidArgument(`"${text}" is not a time such as 2026-01-31T08:00:00Z.`, field)
}
