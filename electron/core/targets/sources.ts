/** Stored events and entries, in stored order, as items for a target. */
import type {IncidentLog} from '#core/record/incidents/types.ts'
import type {EventStore} from '#core/replicas/events/store.ts'
import {findCommand} from '#shared/commands/catalogue.ts'
import {hasCode} from '#contract/errors.ts'
import type {EventRow} from '#contract/events.ts'
import {parseExact, stringifyExact} from '#model/exact-json.ts'
import {isMissed, isTrouble, type LogEntry} from '#model/incident.ts'
import type {TargetDefinition} from '#model/target.ts'
import type {Batch, Source} from './session.ts'
import type {Cursor} from './store.ts'
import {eventSeverities} from '#model/event.ts'

export interface SourceDependencies {
	log: Pick<IncidentLog, 'matching' | 'newest'>
	events(connection: string): Pick<EventStore, 'arrivals' | 'arrived'>
}

/** Maximum items in memory. */
const most = 200
/** The log is never recreated. */
const ofLog = 'log'

export function sourcesOf({events, log}: TargetDefinition): readonly Source[] {
	return [...(events === null ? [] : (['events'] as const)), ...(log === null ? [] : (['log'] as const))]
}

/** The current end of a source; `null`: a removed connection has no events any more. */
export async function endOf(deps: SourceDependencies, definition: TargetDefinition, source: Source): Promise<Cursor | null> {
	if (source === 'log') return {generation: ofLog, position: await deps.log.newest()}
	try {
		const {generation, newest} = deps.events(definition.events?.connection ?? '').arrived()
		return {generation, position: newest}
	} catch (error) {
		if (hasCode(error, 'unknown_connection')) return null
		throw error
	}
}

/** Items after the cursor; `null` without new ones. A recreated store of events begins again. */
export async function nextBatch(deps: SourceDependencies, definition: TargetDefinition, source: Source, cursor: Cursor): Promise<Batch | null> {
	const end = await endOf(deps, definition, source)
	if (end === null) return null
	const after = cursor.generation === end.generation && cursor.position <= end.position ? cursor.position : 0
	if (end.position <= after) return null
	return {
		...(source === 'log' ? await entries(deps, definition, after, end.position) : arrived(deps, definition, after, end.position)),
		...{source, generation: end.generation}
	}
}

async function entries(deps: SourceDependencies, {log, format}: TargetDefinition, after: number, end: number) {
	const {text = '', changesOnly: writesOnly = false} = log ?? {}
	const found = await deps.log.matching({...(text !== '' && {text}), writesOnly}, after, most)
	const items = found.map(entry => ({
		...{position: entry.seq, id: entry.id, kind: entry.kind, at: entry.at, severity: isTrouble(entry) ? 2 : 0},
		body: format === 'ocsf' ? ocsfOfEntry(entry) : stringifyExact(entry)
	}))
	const last = items.at(-1)?.position ?? end
	// Fewer than requested: everything up to the earlier end is covered.
	return {items, upTo: items.length === most ? last : Math.max(last, end)}
}

function arrived(deps: SourceDependencies, {events, format}: TargetDefinition, after: number, end: number) {
	const {connection, filter} = events ?? {connection: '', filter: ''}
	const {events: found, upTo} = deps.events(connection).arrivals(after, most, filter)
	const items = found.map(({no, row, json}) => ({
		...{position: no, id: row.key, kind: 'event', at: row.at, severity: rankOf(row)},
		body: format === 'ocsf' ? ocsfOfEvent(row, json) : json
	}))
	// None is found when all have been trimmed.
	return {items, upTo: upTo === after ? end : upTo}
}

function rankOf({severity}: EventRow) {
	return 4 - eventSeverities.indexOf(severity)
}

/** Events and entries as OCSF 1.8. Pure. Fields without a place stay whole under `unmapped`. */
type Fields = Readonly<Record<string, unknown>>

const version = '1.8.0'
/** 0 for an unknown word, 1 informational to 5 critical. */
const severities = {unknown: 0, none: 1, low: 2, medium: 3, high: 4, critical: 5} as const

interface Class {
	uid: number
	name: string
	category: number
	activity: number
}

const finding: Class = {uid: 2004, name: 'Detection Finding', category: 2, activity: 1}
/** An event without a finding. */
const plain: Class = {uid: 0, name: 'Base Event', category: 0, activity: 99}

/** `json`: the record of the service. */
export function ocsfOfEvent(row: EventRow, json: string) {
	const isFinding = row.detection !== null || row.detectionId !== null
	const about = isFinding ? finding : plain
	const head = {at: row.at, severity: severities[row.severity], uid: row.id ?? row.key, product: 'Endpoint'}
	const hasDevice = row.guid !== null || row.hostname !== ''
	const event = {
		...headOf(about, head, hasDevice ? host : []),
		...(!isFinding && {activity_name: row.type}),
		message: [row.type, row.detection ?? row.about].filter(text => text !== null).join(': '),
		...(isFinding && {finding_info: findingOf(row), is_alert: true, evidences: evidencesOf(row)}),
		...(hasDevice && {device: deviceOf(row.guid, row.hostname), ...(isFinding && {resources: [computerOf(row)]})}),
		...(row.outcome !== null && {status_detail: row.outcome}),
		observables: observablesOf(row, isFinding),
		unmapped: parseExact(json)
	}
	return stringifyExact(event)
}

interface Head {
	at: string
	severity: number
	uid: string
	product: string
}

/** The profile of `device` and `actor` where a class has none of its own. */
const host = ['host'] as const

function headOf({uid, name, category, activity}: Class, head: Head, profiles: readonly string[]): Fields {
	const product = {name: head.product, vendor_name: 'Cordon'}
	return {
		class_uid: uid,
		class_name: name,
		category_uid: category,
		activity_id: activity,
		type_uid: uid * 100 + activity,
		time: Date.parse(head.at),
		severity_id: head.severity,
		metadata: {version, uid: head.uid, product, ...(profiles.length > 0 && {profiles})}
	}
}

function findingOf({detection, detectionId, type, key, at}: EventRow): Fields {
	return {uid: detectionId ?? key, title: detection ?? type, types: [type], first_seen_time: Date.parse(at)}
}

function deviceOf(guid: string | null, hostname: string): Fields {
	return {...(guid !== null && {uid: guid}), ...(hostname !== '' && {hostname}), type_id: 0}
}

function computerOf({guid, hostname}: EventRow): Fields {
	return {...(guid !== null && {uid: guid}), ...(hostname !== '' && {name: hostname}), type: 'Device'}
}

/** Never empty: the standard requires at least one artefact in each. */
function evidencesOf(row: EventRow) {
	const {fileName, filePath, sha256, url, remote, user} = row
	const hasFile = fileName !== null || filePath !== null || sha256 !== null
	const evidence = {
		...(hasFile && {file: fileOf(sha256, fileName, filePath)}),
		...(url !== null && {url: {url_string: url}}),
		...(remote !== null && {dst_endpoint: {ip: remote}}),
		...(user !== null && {user: {name: user}})
	}
	return Object.keys(evidence).length === 0 ? [] : [evidence]
}

function fileOf(sha256: string | null, name: string | null = null, path: string | null = null): Fields {
	return {
		name: name ?? path ?? sha256 ?? 'unknown',
		...(path !== null && {path}),
		type_id: 1,
		...(sha256 !== null && {hashes: [{algorithm_id: 3, algorithm: 'SHA-256', value: sha256}]})
	}
}

/** OCSF's type numbers of observables; each with its path in the event. */
function observablesOf(row: EventRow, isFinding: boolean) {
	const all: readonly (readonly [number, string, string, string | null])[] = [
		[1, 'device.hostname', 'device.hostname', row.hostname],
		[2, 'evidences.dst_endpoint.ip', 'unmapped.network_info.remote_ip', row.remote],
		[4, 'evidences.user.name', 'unmapped.computer.user', row.user],
		[6, 'evidences.url.url_string', 'unmapped.network_info.dirty_url', row.url],
		[7, 'evidences.file.name', 'unmapped.file.file_name', row.fileName],
		[8, 'evidences.file.hashes.value', 'unmapped.file.identity.sha256', row.sha256]
	]
	return all.flatMap(([type_id, mapped, raw, value]) =>
		value === null || value === '' ? [] : [{name: isFinding ? mapped : raw, type_id, value}]
	)
}

const remediation = {uid: 7001, name: 'Remediation Activity', category: 7}
const fileRemediation = {uid: 7002, name: 'File Remediation Activity', category: 7}
const management = {uid: 3004, name: 'Entity Management', category: 3}

/** Classes of commands: isolation, release, lists, and every other change. */
const classes: Readonly<Record<string, Class>> = {
	svc_put_computers_isolation: {...remediation, activity: 1},
	svc_delete_computers_isolation: {...remediation, activity: 3},
	svc_move_computer: {...management, activity: 3},
	svc_set_file_list_files_by_sha: {...fileRemediation, activity: 1},
	svc_delete_file_list_files_by_sha: {...fileRemediation, activity: 3},
	svc_set_group_policy: {...management, activity: 3}
}

const statuses: Readonly<Record<string, number>> = {'command.succeeded': 1, 'command.failed': 2}

/** Everything else: API calls, and notes of Cordon or an operator. */
function classOf({command}: LogEntry) {
	const known = classes[command ?? '']
	if (known !== undefined) return known
	const risk = command === null ? undefined : findCommand(command)?.risk
	return {uid: 6003, name: 'API Activity', category: 6, activity: risk === undefined ? 99 : risk === 'read' ? 2 : 3}
}

export function ocsfOfEntry(entry: LogEntry) {
	const about = classOf(entry)
	const isHost = about.category === 7
	return stringifyExact({
		...headOf(about, {at: entry.at, severity: isTrouble(entry) ? 3 : 1, uid: entry.id, product: 'Incident log'}, isHost ? host : []),
		...(about.activity === 99 && {activity_name: entry.kind}),
		message: entry.message,
		status_id: isMissed(entry) ? 2 : (statuses[entry.kind] ?? 0),
		status_detail: entry.kind,
		...(entry.durationMs !== null && {duration: Math.round(entry.durationMs)}),
		actor: {user: {name: entry.operator}, app_name: `cordon ${entry.surface}`},
		...detailsOf(about, entry),
		unmapped: entry
	})
}

function detailsOf({uid}: Class, {command, kind, args, target, about, id, connection}: LogEntry): Fields {
	const [guid, label] = [target?.guid ?? '', target?.label ?? '']
	const named = {...(guid !== '' && {uid: guid}), name: label === '' ? (command ?? kind) : label}
	if (uid === 3004) return {entity: {...named, type_id: command === 'svc_move_computer' ? 1 : 3}}
	if (uid === 7001) return {command_uid: about ?? id, device: {...deviceOf(null, label), ...named}}
	if (uid === 7002) {
		const sha256 = args?.['sha256'] ?? args?.['file_sha256']
		return {command_uid: about ?? id, file: fileOf(typeof sha256 === 'string' ? sha256 : null)}
	}
	return {api: {operation: command ?? kind}, src_endpoint: {name: connection?.name ?? 'Cordon'}}
}
