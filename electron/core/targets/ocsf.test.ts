/**
 * Each class used, as in the public schema (https://schema.ocsf.io/1.8.0, github.com/ocsf/ocsf-schema): its required attributes,
 * numbers, and the types and constraints of every attribute sent. Any other attribute is refused.
 */
import {z, type ZodType} from 'zod'

import type {EventRow} from '#contract/events.ts'
import type {LogEntry} from '#model/incident.ts'

import {ocsfOfEntry, ocsfOfEvent} from './sources.ts'

const text = z.string().min(1)
const whole = z.int()
const list = (items: ZodType) => z.array(items).min(1)
const among = (...values: number[]) => z.literal(values)

/** Names with `!` are required; `either`: at least one of them is. */
function object(attributes: Readonly<Record<string, ZodType>>, either: string[] = []): ZodType {
	const entries = Object.entries(attributes).map(([name, schema]) =>
		name.endsWith('!') ? [name.slice(0, -1), schema] : [name, schema.optional()]
	)
	return z
		.strictObject(Object.fromEntries(entries))
		.refine(value => either.length === 0 || either.some(name => Object.hasOwn(value, name)), {message: `has none of ${either.join(', ')}`})
}

const user = object({name: text, uid: text}, ['name', 'uid'])
const endpoint = object({ip: text, name: text}, ['ip', 'name'])
const fingerprint = object({'algorithm_id!': among(0, 1, 2, 3, 4, 5, 6, 7, 99), algorithm: text, 'value!': text})
const file = object({'name!': text, path: text, 'type_id!': among(0, 1, 2, 3, 4, 5, 6, 7, 99), hashes: list(fingerprint)})
const device = object({uid: text, hostname: text, name: text, 'type_id!': among(0, 1, 2, 3, 4, 5, 6, 7, 8, 99)}, ['uid', 'hostname', 'name'])
const actor = object({user, app_name: text}, ['user', 'app_name'])
const evidence = object({file, url: object({'url_string!': text}), dst_endpoint: endpoint, user}, ['file', 'url', 'dst_endpoint', 'user'])
const metadata = object({
	...{'version!': z.literal('1.8.0'), uid: text, profiles: z.tuple([z.literal('host')])},
	'product!': object({name: text, 'vendor_name!': text}, ['name'])
})

const base = {
	...{'metadata!': metadata, 'time!': z.int().min(1e12), class_name: text, activity_name: text},
	...{'severity_id!': among(0, 1, 2, 3, 4, 5, 6, 99), message: text, status_detail: text, unmapped: z.looseObject({})},
	observables: z.array(object({'name!': text, 'type_id!': among(1, 2, 4, 6, 7, 8), value: text}))
}
const done = {status_id: among(0, 1, 2, 99), duration: whole}

/** Attributes of this class only, with its activities. */
function ofClass(uid: number, category: number, activities: number[], own: Readonly<Record<string, ZodType>>) {
	return object({
		...base,
		...{'class_uid!': among(uid), 'category_uid!': among(category), 'activity_id!': among(...activities)},
		...{'type_uid!': among(...activities.map(activity => uid * 100 + activity)), ...own}
	})
}

const crud = [0, 1, 2, 3, 4, 99]
const remediation = {...done, status_id: among(0, 1, 2, 3, 4, 5, 6, 99), 'command_uid!': text, device, actor}
const classes: Readonly<Record<number, ZodType>> = {
	0: ofClass(0, 0, [0, 99], {device}),
	2004: ofClass(2004, 2, [0, 1, 2, 3, 99], {
		...{status_id: among(0, 1, 2, 3, 4, 5, 6, 99), is_alert: z.boolean(), device},
		'finding_info!': object({'uid!': text, title: text, types: list(text), first_seen_time: whole}),
		evidences: z.array(evidence),
		resources: list(object({uid: text, name: text, type: text}, ['uid', 'name']))
	}),
	3004: ofClass(3004, 3, crud, {
		...{...done, actor},
		'entity!': object({name: text, uid: text, type_id: among(0, 1, 2, 3, 4, 5, 6, 7, 99)}, ['name', 'uid'])
	}),
	6003: ofClass(6003, 6, crud, {...{...done, 'actor!': actor, 'api!': object({'operation!': text}), 'src_endpoint!': endpoint}}),
	7001: ofClass(7001, 7, crud, remediation),
	7002: ofClass(7002, 7, crud, {...remediation, 'file!': file})
}

interface Seen {
	class_uid: number
	status_id?: number
	activity_id: number
	activity_name?: string
	device?: unknown
	metadata: {profiles?: unknown}
	observables?: {name: string; value: string}[]
	unmapped: unknown
	severity_id: number
}

function checked(line: string) {
	const seen = JSON.parse(line) as Seen
	expect(classes[seen.class_uid]?.safeParse(seen).error?.issues ?? []).toEqual([])
	expect(Object.keys(classes)).toContain(String(seen.class_uid))
	// The standard: what is mapped to Other names itself; attributes of a profile name the profile.
	if (seen.activity_id === 99) expect(seen.activity_name).toBeTypeOf('string')
	expect(seen.metadata.profiles !== undefined).toBe(seen.device !== undefined || seen.class_uid >= 7000)
	for (const {name, value} of seen.observables ?? []) expect(valuesAt(seen, name.split('.'))).toContain(value)
	return seen
}

function valuesAt(value: unknown, [name, ...rest]: string[]): unknown[] {
	if (Array.isArray(value)) return value.flatMap(each => valuesAt(each, [name ?? '', ...rest]))
	if (name === undefined) return [value]
	return typeof value === 'object' && value !== null ? inner((value as Record<string, unknown>)[name], rest) : []
}

function inner(value: unknown, rest: string[]): unknown[] {
	return rest.length === 0 ? [value] : valuesAt(value, rest)
}

const record = {
	...{computer: {user: 'ana'}, file: {file_name: 'a.exe', identity: {sha256: 'ab'}}},
	network_info: {remote_ip: '192.0.2.7', dirty_url: 'https://bad.example/'}
}
const bare: EventRow = {
	...{key: 'k', id: null, at: '2026-01-01T00:00:00.000Z', typeId: null, type: 'Scan Started', severity: 'none'},
	...{detection: null, about: null, detectionId: null, outcome: null, guid: null, hostname: '', user: null, groupGuids: []},
	...{sha256: null, parent: null, fileName: null, filePath: null, disposition: null, remote: null, url: null, odd: false}
}
const rich: EventRow = {
	...{...bare, id: '6419204901661835278', guid: 'g', hostname: 'WS-1', user: 'ana', sha256: 'ab', fileName: 'a.exe'},
	...{filePath: 'C:\\a.exe', remote: '192.0.2.7', url: 'https://bad.example/', severity: 'critical'}
}

test.each<[string, EventRow, number]>([
	['a bare one', bare, 0],
	['of a computer', rich, 0],
	['a bare detection', {...bare, detectionId: '1'}, 2004],
	['a detection', {...rich, detection: 'W32.Bad', detectionId: '1', outcome: 'quarantined'}, 2004],
	['a detection of a hash alone', {...bare, detection: 'W32.Bad', sha256: 'ab', severity: 'unknown'}, 2004],
	['a detection of a computer without a name', {...bare, detection: 'W32.Bad', guid: 'g'}, 2004]
])('an event: %s', (_what, row, uid) => {
	const raw = row.sha256 === null ? {} : record
	expect(checked(ocsfOfEvent(row, JSON.stringify(raw)))).toMatchObject({class_uid: uid, unmapped: raw})
})

const entry: LogEntry = {
	...{seq: 1, id: '01H', at: '2026-01-01T00:00:00.000Z', kind: 'command.succeeded', about: '01G', incident: null},
	...{command: null, args: null, target: null, connection: null, operator: 'ana', surface: 'cli', durationMs: 12.5},
	...{status: 200, requestId: null, message: 'Done.', data: null}
}
const target = {guid: 'g', label: 'WS-1'}

test.each<[string | null, Partial<LogEntry>, number, number]>([
	[null, {kind: 'note', durationMs: null, about: null}, 6003, 99],
	['svc_get_computers', {}, 6003, 2],
	['svc_get_computers', {kind: 'command.outcome_unknown'}, 6003, 2],
	['svc_put_computers_isolation', {target}, 7001, 1],
	['svc_put_computers_isolation', {kind: 'command.requested', about: null}, 7001, 1],
	['svc_delete_computers_isolation', {target, kind: 'command.failed'}, 7001, 3],
	['svc_set_file_list_files_by_sha', {args: {sha256: 'ab'}}, 7002, 1],
	['svc_delete_file_list_files_by_sha', {args: null}, 7002, 3],
	['svc_move_computer', {target}, 3004, 3],
	['svc_set_group_policy', {target: {guid: 'g', label: ''}}, 3004, 3],
	['svc_of_a_later_version', {}, 6003, 99]
])('an entry of the log: %s %j', (command, change, uid, activity) => {
	const seen = checked(ocsfOfEntry({...entry, command, ...change}))
	expect(seen).toMatchObject({class_uid: uid, activity_id: activity})
})

test('an isolation that was not carried out is as severe as one that failed', () => {
	const observed = {...entry, kind: 'command.observed', command: 'svc_put_computers_isolation', target} as const
	const shown = ['isolated', 'not_isolated'].map(state => checked(ocsfOfEntry({...observed, data: {state}})))
	expect(shown.map(({severity_id: severity, status_id: status}) => [severity, status])).toEqual([
		[1, 0],
		[3, 2]
	])
})
