/** Events and entries as OCSF 1.8. Pure. What has no place there stays whole under `unmapped`. */
import type { EventRow } from '#shared/contract/events.ts';
import { parseExact, stringifyExact } from '#shared/model/exact-json.ts';
import type { LogEntry } from '#shared/model/incident.ts';

type Fields = Readonly<Record<string, unknown>>;

const version = '1.8.0';
/** 0 for a word that nobody knows, 1 informational to 5 critical. */
const severities = { unknown: 0, none: 1, low: 2, medium: 3, high: 4, critical: 5 } as const;

interface Class {
	readonly uid: number;
	readonly name: string;
	readonly category: number;
	readonly activity: number;
}

const finding: Class = { uid: 2004, name: 'Detection Finding', category: 2, activity: 1 };
/** What happened without a finding. */
const plain: Class = { uid: 0, name: 'Base Event', category: 0, activity: 99 };

/** `json`: the record of the service. */
export function ocsfOfEvent(row: EventRow, json: string): string {
	const isFinding = row.detection !== null || row.detectionId !== null;
	const about = isFinding ? finding : plain;
	const event = {
		...headOf(about, { at: row.at, severity: severities[row.severity], uid: row.id ?? row.key, product: 'Endpoint' }),
		message: row.detection === null ? row.type : `${row.type}: ${row.detection}`,
		...(isFinding && { finding_info: findingOf(row), is_alert: true }),
		...(row.guid !== null && { [isFinding ? 'resources' : 'device']: isFinding ? [computerOf(row)] : deviceOf(row) }),
		...(row.outcome !== null && { status_detail: row.outcome }),
		observables: observablesOf(row),
		unmapped: parseExact(json),
	};
	return stringifyExact(event);
}

interface Head {
	readonly at: string;
	readonly severity: number;
	readonly uid: string;
	readonly product: string;
}

function headOf({ uid, name, category, activity }: Class, head: Head): Fields {
	return {
		class_uid: uid,
		class_name: name,
		category_uid: category,
		activity_id: activity,
		type_uid: uid * 100 + activity,
		time: Date.parse(head.at),
		severity_id: head.severity,
		metadata: { version, uid: head.uid, product: { name: head.product, vendor_name: 'Cordon' } },
	};
}

function findingOf({ detection, detectionId, type, key, at }: EventRow): Fields {
	return { uid: detectionId ?? key, title: detection ?? type, types: [type], first_seen_time: Date.parse(at) };
}

function deviceOf({ guid, hostname }: EventRow): Fields {
	return { uid: guid, hostname, name: hostname, type_id: 0 };
}

function computerOf({ guid, hostname }: EventRow): Fields {
	return { uid: guid, name: hostname, type: 'Device' };
}

/** Numbers of OCSF's own types of observables. */
function observablesOf(row: EventRow): readonly Fields[] {
	const all: readonly (readonly [number, string, string | null])[] = [
		[1, 'device.hostname', row.hostname],
		[2, 'dst_endpoint.ip', row.remote],
		[4, 'user.name', row.user],
		[6, 'url.url_string', row.url],
		[7, 'file.name', row.fileName],
		[8, 'file.hashes.value', row.sha256],
	];
	return all.flatMap(([type_id, name, value]) => (value === null || value === '' ? [] : [{ name, type_id, value }]));
}

/** Commands and what they are there: isolating, releasing, lists, and every other change. */
const classes: Readonly<Record<string, Class>> = {
	svc_put_computers_isolation: { uid: 7001, name: 'Remediation Activity', category: 7, activity: 1 },
	svc_delete_computers_isolation: { uid: 7001, name: 'Remediation Activity', category: 7, activity: 3 },
	svc_move_computer: { uid: 3004, name: 'Entity Management', category: 3, activity: 3 },
	svc_set_file_list_files_by_sha: { uid: 7002, name: 'File Remediation Activity', category: 7, activity: 1 },
	svc_delete_file_list_files_by_sha: { uid: 7002, name: 'File Remediation Activity', category: 7, activity: 3 },
	svc_set_group_policy: { uid: 3004, name: 'Entity Management', category: 3, activity: 3 },
};

/** Reads of the interface, and what Cordon did by itself. */
const api: Class = { uid: 6003, name: 'API Activity', category: 6, activity: 2 };

const statuses: Readonly<Record<string, number>> = { 'command.succeeded': 1, 'command.failed': 2 };

export function ocsfOfEntry(entry: LogEntry): string {
	const about = classes[entry.command ?? ''] ?? api;
	const failed = entry.kind === 'command.failed' || entry.kind === 'command.outcome_unknown';
	return stringifyExact({
		...headOf(about, { at: entry.at, severity: failed ? 3 : 1, uid: entry.id, product: 'Incident log' }),
		message: entry.message,
		status_id: statuses[entry.kind] ?? 0,
		status_detail: entry.kind,
		...(entry.durationMs !== null && { duration: Math.round(entry.durationMs) }),
		actor: { user: { name: entry.operator }, app_name: `cordon ${entry.surface}` },
		...detailsOf(about, entry),
		unmapped: entry,
	});
}

function detailsOf({ uid }: Class, { command, kind, args, target, about, id, connection }: LogEntry): Fields {
	const entity = { name: target?.label ?? '', uid: target?.guid ?? '', type_id: 1 };
	if (uid === 3004) return { entity };
	if (uid === 7001) return { command_uid: about ?? id, device: { ...entity, hostname: entity.name, type_id: 0 } };
	if (uid === 7002) return { command_uid: about ?? id, file: fileOf(args) };
	return { api: { operation: command ?? kind }, src_endpoint: { name: connection?.name ?? 'Cordon' } };
}

function fileOf(args: LogEntry['args']): Fields {
	const sha256 = args?.['sha256'] ?? args?.['file_sha256'];
	const value = typeof sha256 === 'string' ? sha256 : '';
	return { name: value, type_id: 1, hashes: [{ algorithm_id: 3, algorithm: 'SHA-256', value }] };
}
