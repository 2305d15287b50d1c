import type {TrajectoryPoint} from '#contract/insight.ts'
import {textAt, valueAt} from '../kit/fields.ts'
import {dispositionAt, integerAt, sha256At, type TrajectoryRecord} from './record.ts'
import type {Disposition} from '#model/choices.ts'

/** An event with the facts that decide its place in the chart. */
export interface TrajectoryEvent extends EventKind {
	readonly record: TrajectoryRecord
	readonly type: string
	/** SHA-256 of the event's file. */
	readonly sha256: string | null
	readonly fileName: string | null
	readonly disposition: Disposition
	/** SHA-256 and name of the acting process. */
	readonly parent: string | null
	readonly parentName: string | null
	readonly parentDisposition: Disposition
	readonly isNetwork: boolean
	readonly detectionId: string | null
}

/** Events of both families: activity, and the service's judgement of it (API reference, 4.5). */
export function readEvent(record: TrajectoryRecord): TrajectoryEvent {
	const typeId = integerAt(record, 'event_type_id')
	const type = textAt(record, 'event_type') ?? (typeId === null ? 'Unnamed event' : `Event ${typeId}`)
	const kind = kindOf(type, typeId)
	const sha256 = sha256At(record, 'file', 'identity', 'sha256')
	// Network activity may name a file only by path; its process is the parent.
	const isNetwork = kind.shape === 'network' || (sha256 === null && valueAt(record, 'network_info') !== undefined)
	const by = isNetwork && valueAt(record, 'network_info', 'parent') !== undefined ? 'network_info' : 'file'
	const parentDisposition = dispositionAt(record, by, 'parent', 'disposition')
	const told = isNetwork ? parentDisposition : dispositionAt(record, 'file', 'disposition')
	return {
		...kind,
		record,
		type,
		sha256: isNetwork ? null : sha256,
		fileName: isNetwork ? null : nameAt(record, 'file'),
		disposition: typeId === executionBlocked ? worse(told, 'blocked') : told,
		parent: sha256At(record, by, 'parent', 'identity', 'sha256'),
		parentName: nameAt(record, by, 'parent'),
		parentDisposition,
		isNetwork,
		detectionId: textAt(record, 'detection_id')
	}
}

/** A blocked execution is not clean. */
const executionBlocked = 0x2100_0028

/** The name, or the last part of the path if that is all. */
function nameAt(record: TrajectoryRecord, ...path: readonly string[]) {
	return (
		textAt(record, ...path, 'file_name') ??
		textAt(record, ...path, 'file_path')
			?.split(/[\\/]/)
			.findLast(part => part !== '') ??
		null
	)
}

const ranks: Readonly<Record<Disposition, number>> = {none: 0, clean: 1, unknown: 2, blocked: 3, malicious: 4}

export function worse(one: Disposition, other: Disposition): Disposition {
	return ranks[other] > ranks[one] ? other : one
}

/** Malicious, blocked, detected, quarantined, or failed to be quarantined. */
export function isBad({disposition, shape, detectionId}: Pick<TrajectoryEvent, 'disposition' | 'shape' | 'detectionId'>) {
	return (
		disposition === 'malicious' ||
		disposition === 'blocked' ||
		shape === 'detect' ||
		shape === 'quarantine' ||
		(shape === 'fail' && detectionId !== null)
	)
}

/** The kind of a trajectory event, by type id, or by name without an id (API reference, 4.5 and 7). */
type Shape = TrajectoryPoint['shape']

type EventKind = ReturnType<typeof kindOf>

/** File and network activity has no id, only these names. */
const activities: Readonly<Record<string, Shape>> = {
	'created by': 'create',
	'copied by': 'create',
	'executed by': 'execute',
	'moved by': 'move',
	'renamed by': 'move',
	'opened by': 'open',
	nfm: 'network'
}

/** Ids by their top byte: known types, and those that are more than system information. */
const information = [
	0x02, 0x03, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0f, 0x11, 0x12, 0x13, 0x15, 0x16, 0x1a, 0x1b, 0x1e, 0x20, 0x21, 0x23, 0x24, 0x26, 0x28, 0x2a, 0x2b,
	0x2d, 0x30, 0x33, 0x43, 0x44, 0x47, 0x4a, 0x4c, 0x4e, 0x50, 0x52, 0x57, 0x10_000a, 0x10_000b, 0x10_0034, 0x10_0035
]
const requests = [0x32, 0x33, 0x34, 0x35, 0x36, 0x37]
const warnings = [0x31, 0x38, 0x39, 0x43]
const detections = [0x0e, 0x29, 0x2c, 0x3e, 0x3f, 0x41, 0x48, 0x1388, 0x1389, 0x10_000c, 0x10_0036]
const indicators = [
	0x01, 0x02, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x0e, 0x0f, 0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18, 0x19,
	0x1a, 0x1b, 0x1c, 0x1d, 0x58
]
const failures = [
	0x02, 0x04, 0x10, 0x14, 0x1c, 0x1d, 0x1f, 0x22, 0x25, 0x27, 0x2e, 0x2f, 0x32, 0x3a, 0x43, 0x4b, 0x4d, 0x4f, 0x51, 0x53, 0x10_000d, 0x10_0037
]

const shapes: ReadonlyMap<number, Shape> = new Map([
	...under(0x21, information, 'system'),
	...under(0x22, requests, 'system'),
	...under(0x41, warnings, 'system'),
	...under(0x41, detections, 'detect'),
	...under(0x42, indicators, 'detect'),
	...under(0x81, failures, 'fail'),
	...under(0x82, [0x32], 'fail'),
	// Cloud Recall Detection, Execution Blocked, Malicious Activity Block.
	...under(0x21, [0x13, 0x28, 0x47], 'detect'),
	// Threat Quarantined, Cloud Recall Quarantine Successful.
	...under(0x21, [0x0f, 0x1b], 'quarantine')
])

/** For cloud events that came without their id. */
const names: Readonly<Record<string, Shape>> = {
	'threat detected': 'detect',
	'dfc threat detected': 'detect',
	'cloud ioc': 'detect',
	'executed malware': 'detect',
	'exploit prevention': 'detect',
	'malicious activity detection': 'detect',
	'cloud recall detection': 'detect',
	'retrospective detection': 'detect',
	'execution blocked': 'detect',
	'threat quarantined': 'quarantine',
	'cloud recall quarantine successful': 'quarantine',
	'quarantine failure': 'fail',
	'cloud recall quarantine attempt failed': 'fail',
	'scan started': 'system',
	'scan completed, no detections': 'system',
	'policy update': 'system',
	'reboot pending': 'system',
	'reboot completed': 'system',
	'fault cleared': 'system'
}

/** Unknown types are drawn as system information. */
function kindOf(type: string, typeId: number | null) {
	const name = type.trim().toLowerCase()
	const shape = activities[name] ?? (typeId === null ? names[name] : shapes.get(typeId))
	return {
		shape: shape ?? 'system',
		/** `false`: unknown type. */
		known: shape !== undefined
	}
}

/** Ids exceed 2^31: no bit operations. */
function under(top: number, rest: readonly number[], shape: Shape): readonly (readonly [number, Shape])[] {
	return rest.map(low => [top * 0x100_0000 + low, shape])
}
