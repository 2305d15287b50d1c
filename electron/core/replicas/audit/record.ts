/** An entry of the service's audit log, as stored and shown here. */
import {hash} from 'node:crypto'

import type {AuditChange, AuditEntry, AuditRecord} from '#model/audit.ts'
import {stringifyExact} from '#model/exact-json.ts'

import {redact} from '#base/redact.ts'

export type ReadRecord = Omit<AuditRecord, 'own'>

/** A smaller difference is the response time, not a wrong clock. */
const notableSkew = 5000

/**
 * Omits entries without a time: they have no position. `skewMs`: how far our clock is ahead of the service's. `codes`: isolation
 * entries contain unlock codes, and people write codes into comments.
 */
export function recordsOf(entries: readonly AuditEntry[], skewMs: number | null, codes: readonly string[]): readonly ReadRecord[] {
	return entries.map(entry => recordOf(redact(entry, codes), skewMs)).filter(record => record !== undefined)
}

/** Unlock codes in these entries. */
export function codesIn(entries: readonly AuditEntry[]): readonly string[] {
	const values = entries.flatMap(({old_attributes: old, new_attributes: fresh}) => [old?.['unlock_code'], fresh?.['unlock_code']])
	return [...new Set(values.filter(value => typeof value === 'string'))]
}

/** All free text of these entries. */
export function textsIn(entries: readonly AuditEntry[]): readonly string[] {
	return entries.flatMap(({old_attributes: old, new_attributes: fresh}) =>
		[...Object.values(old ?? {}), ...Object.values(fresh ?? {})].filter(value => typeof value === 'string')
	)
}

function recordOf(entry: AuditEntry, skewMs: number | null): ReadRecord | undefined {
	const time = Date.parse(entry.created_at ?? '')
	if (Number.isNaN(time)) return undefined
	const shift = skewMs !== null && Math.abs(skewMs) >= notableSkew ? skewMs : 0
	const target = targetOf(entry)
	return {
		key: hash('sha256', stringifyExact(entry), 'hex'),
		at: new Date(time + shift).toISOString(),
		serviceAt: entry.created_at ?? '',
		user: entry.audit_log_user ?? 'somebody',
		event: entry.event ?? 'unknown',
		type: entry.audit_log_type ?? 'object',
		target,
		message: messageOf(entry, target),
		changes: changesOf(entry)
	}
}

function targetOf(entry: AuditEntry) {
	const guid = textOf(entry.audit_log_id) ?? attribute(entry, 'connector_guid')
	const label = attribute(entry, 'hostname') ?? attribute(entry, 'name') ?? guid
	return guid === null || label === null ? null : {guid: guid.toLowerCase(), label}
}

function attribute(entry: AuditEntry, name: string) {
	return textOf(entry.new_attributes?.[name]) ?? textOf(entry.old_attributes?.[name])
}

function textOf(value: unknown) {
	if (value === null || value === undefined) return null
	return typeof value === 'string' ? value : stringifyExact(value)
}

/** Attributes that differ, without those a person does not read, such as unchanged names. */
function changesOf({old_attributes: old, new_attributes: fresh}: AuditEntry): readonly AuditChange[] {
	const names = [...new Set([...Object.keys(old ?? {}), ...Object.keys(fresh ?? {})])]
	return names.map(name => ({name, old: textOf(old?.[name]), new: textOf(fresh?.[name])})).filter(change => change.old !== change.new)
}

const verbs: Readonly<Record<string, string>> = {create: 'created', update: 'changed', delete: 'deleted', destroy: 'deleted'}

/** Uses words only for what the attributes say; keeps the service's names for anything else. */
function messageOf(entry: AuditEntry, target: AuditRecord['target']) {
	const event = (entry.event ?? 'unknown').toLowerCase()
	const label = target?.label ?? 'something'
	if (event === 'login') return `Logged in to the web console: ${label}.`
	const isolated = entry.new_attributes?.['isolated']
	if (typeof isolated === 'boolean') return isolationMessage(isolated, label, attribute(entry, 'comment'))
	const type = typeWords(entry.audit_log_type ?? 'object')
	const names = changesOf(entry).map(({name}) => name.replaceAll('_', ' '))
	const what = event === 'update' && names.length > 0 ? ` (${names.slice(0, 4).join(', ')})` : ''
	return `${type} ${verbs[event] ?? event}: ${label}${what}.`
}

function isolationMessage(isolated: boolean, label: string, comment: string | null) {
	const said = comment === null || comment === '' ? '' : ` ${comment}`
	return `${isolated ? 'Isolation asked for' : 'Release asked for'}: ${label}.${said}`
}

/** `FileListItem` as `File list item`. */
function typeWords(type: string) {
	const words = type.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()
	return words.charAt(0).toUpperCase() + words.slice(1)
}
