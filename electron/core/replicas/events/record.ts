import {hash} from 'node:crypto'

import {type ServiceEvent, eventSeverities, type EventSeverity} from '#model/event.ts'
import {stringifyExact} from '#model/exact-json.ts'
import {oddOf} from '#model/odd.ts'

import {addressesOf, valueAt, hashesOf, textAt, wordsOf, type EventWords, type StoredEvent} from './words.ts'

export interface EventFacts {
	stored: StoredEvent
	words: EventWords
	addresses: readonly string[]
	hashes: readonly string[]
	record: ServiceEvent
}

/** All stored facts of a service record. `readAt` (Unix ms) replaces a missing time. */
export function factsOf(record: ServiceEvent, readAt: number): EventFacts {
	const addresses = addressesOf(record)
	const hashes = hashesOf(record)
	const stored = storedOf(record, readAt)
	return {stored, addresses, hashes, record, words: wordsOf(record, stored, addresses, hashes)}
}

function storedOf(record: ServiceEvent, readAt: number): StoredEvent {
	return {
		key: keyOf(record),
		service_id: idOf(record),
		...timeOf(record, readAt),
		...kindOfEvent(record),
		detection: textAt(record, 'detection'),
		detection_id: textAt(record, 'detection_id'),
		guid: (textAt(record, 'connector_guid') ?? textAt(record, 'computer', 'connector_guid'))?.toLowerCase() ?? null,
		hostname: textAt(record, 'computer', 'hostname') ?? textAt(record, 'hostname') ?? '',
		user: userOf(record),
		groups: groupsOf(record).join(' '),
		...fileOf(record),
		remote: textAt(record, 'network_info', 'remote_ip'),
		url: textAt(record, 'network_info', 'dirty_url') ?? textAt(record, 'network_info', 'url'),
		odd: oddOf(record) === undefined ? 0 : 1
	}
}

function kindOfEvent(record: ServiceEvent): Pick<StoredEvent, 'type_id' | 'type' | 'severity'> {
	const id = record.event_type_id
	const type_id = id !== undefined && Number.isSafeInteger(id) ? id : null
	const type = textAt(record, 'event_type') ?? (type_id === null ? 'Unnamed event' : `Event ${type_id}`)
	return {type_id, type, severity: rankOf(severityOf(record))}
}

function fileOf(
	record: ServiceEvent
): Pick<StoredEvent, 'sha256' | 'parent_sha256' | 'archived_sha256' | 'file_name' | 'file_path' | 'disposition'> {
	const sha256 = (...path: readonly string[]) => textAt(record, ...path, 'identity', 'sha256')?.toLowerCase() ?? null
	return {
		sha256: sha256('file'),
		parent_sha256: sha256('file', 'parent') ?? sha256('network_info', 'parent'),
		archived_sha256: sha256('file', 'archived_file'),
		file_name: textAt(record, 'file', 'file_name'),
		file_path: textAt(record, 'file', 'file_path'),
		disposition: textAt(record, 'file', 'disposition') ?? textAt(record, 'network_info', 'disposition')
	}
}

function idOf(record: ServiceEvent) {
	const {id} = record
	return id === undefined ? null : String(id)
}

/**
 * The service's id; without one a digest of the fields that stay the same between readings: the service reports the computer's
 * current state, not that of the event's time (API reference, 6.1).
 */
function keyOf(record: ServiceEvent) {
	const id = idOf(record)
	if (id !== null) return id
	const lasting = {...record, computer: textAt(record, 'computer', 'connector_guid')}
	return `h${hash('sha256', stringifyExact(ordered(lasting)), 'hex').slice(0, 32)}`
}

/** For a second event with the same id: small ids are not guaranteed unique over all kinds. */
export function furtherKey(event: StoredEvent) {
	return `${event.key}:${event.type_id ?? ''}:${event.ms}`
}

function ordered(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(ordered)
	if (typeof value !== 'object' || value === null) return value
	return Object.fromEntries(
		Object.entries(value)
			.toSorted(([one], [other]) => (one < other ? -1 : 1))
			.map(([name, inner]) => [name, ordered(inner)])
	)
}

function timeOf(record: ServiceEvent, readAt: number) {
	const {timestamp, timestamp_nanoseconds: fraction, date} = record
	if (timestamp === undefined || !(timestamp >= 0) || timestamp > latestSecond) {
		const parsed = Date.parse(date ?? '')
		return {ms: parsed >= 0 && parsed < latestSecond * 1000 ? parsed : readAt, ns: 0}
	}
	const nanoseconds = fraction !== undefined && fraction >= 0 && fraction < 1e9 ? Math.floor(fraction) : 0
	const part = Math.round((timestamp % 1) * 1000)
	return {ms: Math.floor(timestamp) * 1000 + Math.floor(nanoseconds / 1e6) + (nanoseconds === 0 ? part : 0), ns: nanoseconds % 1_000_000}
}

/** 1 January 2040: the latest time that fits into an id. */
const latestSecond = Date.UTC(2040, 0, 1) / 1000

/** The lowest id of that moment; there are 4 for each microsecond. */
export function idAt(ms: number, ns = 0) {
	return (Math.min(Math.max(0, Math.floor(ms)), latestSecond * 1000) * 1000 + Math.floor(ns / 1000)) * 4
}

export function minuteOf(id: number) {
	return Math.floor(id / idAt(60_000))
}

function severityOf(record: ServiceEvent) {
	return (textAt(record, 'severity') ?? textAt(record, 'threat_hunting', 'severity') ?? 'none').toLowerCase()
}

/** 4 for critical, 0 for none, -1 for an unknown word: it may be the worst of all. */
export function rankOf(severity: string): number {
	const place = eventSeverities.findIndex(known => known === severity)
	return place === -1 ? -1 : 4 - place
}

export function severityAt(rank: number): EventSeverity {
	return eventSeverities[4 - rank] ?? 'none'
}

/** Some systems report no user name (API reference, 6.1). */
function userOf(record: ServiceEvent) {
	const user = textAt(record, 'computer', 'user') ?? textAt(record, 'user_name')
	return user === null || /^not available$/i.test(user) ? null : user
}

function groupsOf(record: ServiceEvent) {
	const guids = valueAt(record, 'group_guids')
	if (!Array.isArray(guids)) return []
	const texts = guids.filter((guid): guid is string => typeof guid === 'string' && /^[\w-]+$/.test(guid))
	return [...new Set(texts.map(guid => guid.toLowerCase()))]
}
