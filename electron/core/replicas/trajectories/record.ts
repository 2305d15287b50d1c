/** Reads one event of a trajectory. Any field may be missing or of another type. */
import {eventSeverities, type EventSeverity} from '#model/event.ts'
import type {Disposition} from '#model/choices.ts'
import {textAt, valueAt} from '../kit/fields.ts'

export type TrajectoryRecord = Readonly<Record<string, unknown>>

export function sha256At(record: unknown, ...path: readonly string[]): string | null {
	const text = textAt(record, ...path)?.toLowerCase() ?? null
	return text !== null && /^[0-9a-f]{64}$/.test(text) ? text : null
}

export function integerAt(record: unknown, ...path: readonly string[]): number | null {
	const value = valueAt(record, ...path)
	return typeof value === 'number' && Number.isSafeInteger(value) ? value : null
}

/** Unix seconds and the nanoseconds within; `null` without any time. */
export function timeOf(record: TrajectoryRecord): {seconds: number; nanoseconds: number} | null {
	const stamp = integerAt(record, 'timestamp')
	const nanoseconds = integerAt(record, 'timestamp_nanoseconds')
	const within = nanoseconds !== null && nanoseconds >= 0 && nanoseconds < 1e9 ? nanoseconds : 0
	if (stamp !== null && Math.abs(stamp) < 8.64e12) return {seconds: stamp, nanoseconds: within}
	const ms = Date.parse(textAt(record, 'date') ?? '')
	if (Number.isNaN(ms)) return null
	return {seconds: Math.floor(ms / 1000), nanoseconds: nanoseconds === null ? (ms % 1000) * 1e6 : within}
}

/** The service's words differ between years: *Blacklisted* and *Blocklisted* mean the same. */
const dispositionWords: Readonly<Record<string, Disposition>> = {
	malicious: 'malicious',
	malware: 'malicious',
	blocked: 'blocked',
	blocklisted: 'blocked',
	blacklisted: 'blocked',
	clean: 'clean',
	allowed: 'clean',
	allowlisted: 'clean',
	whitelisted: 'clean'
}

/** An unknown word is not clean: it counts as *unknown*. */
export function dispositionAt(record: unknown, ...path: readonly string[]): Disposition {
	const word = textAt(record, ...path)?.toLowerCase()
	return word === undefined ? 'none' : (dispositionWords[word] ?? 'unknown')
}

export function severityOf(record: TrajectoryRecord): EventSeverity {
	const word = textAt(record, 'severity')?.toLowerCase()
	return eventSeverities.find(severity => severity === word) ?? 'none'
}
