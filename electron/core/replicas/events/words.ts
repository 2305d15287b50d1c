import {ipv4Number} from '#model/filter-values.ts'
import {valueAt} from '../kit/fields.ts'
import {addressMarks, everyMark, markLetters, plainMark, severityMark, textMark, withoutSigns, type MarkField} from './marks.ts'

/** One stored event. Times are Unix milliseconds with separate nanoseconds; severities are ranks, 0 to 4. */
export type StoredEvent = Readonly<{
	key: string
	service_id: string | null
	ms: number
	/** Nanoseconds within the millisecond. */
	ns: number
	type_id: number | null
	type: string
	severity: number
	detection: string | null
	detection_id: string | null
	guid: string | null
	hostname: string
	user: string | null
	/** GUIDs separated by blanks. */
	groups: string
	sha256: string | null
	parent_sha256: string | null
	archived_sha256: string | null
	file_name: string | null
	file_path: string | null
	disposition: string | null
	remote: string | null
	url: string | null
	/** 1 for a record with undocumented parts. */
	odd: number
}>

/** Columns of the index in order; `mark` comes from `markOf`, because it changes with the outcome. */
export type EventWords = ReturnType<typeof wordsOf>

export {valueAt}

/** A non-empty text, or digits; otherwise `null`. */
export function textAt(value: unknown, ...path: readonly string[]): string | null {
	const found = valueAt(value, ...path)
	if (typeof found === 'number' || typeof found === 'bigint') return String(found)
	return typeof found === 'string' && found.trim() !== '' ? found : null
}

function listAt(value: unknown, ...path: readonly string[]) {
	const found = valueAt(value, ...path)
	return Array.isArray(found) ? found : []
}

const fileBlocks = [['file'], ['file', 'parent'], ['file', 'archived_file'], ['network_info', 'parent']] as const

export function hashesOf(record: unknown): readonly string[] {
	const found = fileBlocks.flatMap(path =>
		['sha256', 'sha1', 'md5'].map(kind => textAt(record, ...path, 'identity', kind)?.toLowerCase() ?? null)
	)
	return distinct(found)
}

export function addressesOf(record: unknown): readonly string[] {
	const own = listAt(record, 'computer', 'network_addresses').map(address => textAt(address, 'ip'))
	return distinct([
		textAt(record, 'network_info', 'remote_ip'),
		textAt(record, 'network_info', 'local_ip'),
		textAt(record, 'computer', 'external_ip'),
		...own
	]).map(text => text.trim())
}

export function wordsOf(record: unknown, event: StoredEvent, addresses: readonly string[], hashes: readonly string[]) {
	const names = distinct(fileBlocks.map(path => textAt(record, ...path, 'file_name')))
	const paths = distinct(fileBlocks.map(path => textAt(record, ...path, 'file_path')))
	return {
		host: clean([event.hostname]),
		user: clean([event.user]),
		file: clean(names),
		path: clean(paths),
		detection: clean([event.detection, textAt(record, 'cloud_ioc', 'short_description'), textAt(record, 'threat_hunting', 'incident_title')]),
		type: clean([event.type]),
		hash: clean(hashes),
		net: clean(addresses),
		url: clean([event.url]),
		other: clean(otherTexts(record))
	}
}

/** Command lines, descriptions, tactics and techniques, vulnerabilities. */
function otherTexts(record: unknown) {
	const line = valueAt(record, 'command_line', 'arguments')
	return [
		...(Array.isArray(line) ? line.map(part => textAt({part}, 'part')) : [textAt(record, 'command_line', 'arguments')]),
		textAt(record, 'cloud_ioc', 'description'),
		textAt(record, 'scan', 'description'),
		textAt(record, 'error', 'description'),
		textAt(record, 'fault_event_title'),
		...['tactics', 'techniques'].flatMap(list =>
			listAt(record, list).flatMap(item => (typeof item === 'string' ? [item] : [textAt(item, 'external_id'), textAt(item, 'name')]))
		),
		...listAt(record, 'vulnerabilities').flatMap(item => [textAt(item, 'cve'), textAt(item, 'name')])
	]
}

function clean(texts: readonly (string | null)[]) {
	return withoutSigns(texts.filter(text => text !== null).join(' \n '))
}

export function distinct(texts: readonly (string | null)[]): readonly string[] {
	return [...new Set(texts.filter(text => text !== null))]
}

/** The exact values of an event, as words. */
export function markOf(event: StoredEvent, facts: {addresses: readonly string[]; hashes: readonly string[]; outcome: string | null}) {
	const exact = (field: MarkField, value: string | null) =>
		value === null || value === '' ? [plainMark('lacks', markLetters[field])] : [textMark(field, value)]
	const groups = event.groups === '' ? [] : event.groups.split(' ')
	return [
		everyMark,
		severityMark(event.severity),
		...(event.type_id === null ? [] : [plainMark('type', event.type_id)]),
		textMark('typeName', event.type),
		...(facts.outcome === null ? [plainMark('lacks', 'o')] : [plainMark('outcome', facts.outcome)]),
		...(event.service_id === null ? [] : [textMark('id', event.service_id)]),
		...exact('host', event.hostname),
		...exact('user', event.user),
		...exact('guid', event.guid),
		...exact('detection', event.detection),
		...exact('detectionId', event.detection_id),
		...exact('file', event.file_name),
		...exact('path', event.file_path),
		...exact('url', event.url),
		...(groups.length === 0 ? [plainMark('lacks', 'g')] : groups.map(guid => textMark('group', guid))),
		...(facts.hashes.length === 0 ? [plainMark('lacks', 'x')] : []),
		...(facts.addresses.length === 0 ? [plainMark('lacks', 'a')] : facts.addresses.flatMap(marksOfAddress))
	].join(' ')
}

function marksOfAddress(text: string) {
	const number = ipv4Number(text)
	return number === undefined ? [] : addressMarks(number)
}
