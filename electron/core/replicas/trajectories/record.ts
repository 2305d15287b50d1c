/** Reads one event of a trajectory. Any field may be missing or of another type. */
import {eventSeverities, type EventSeverity} from '#shared/contract/events.ts'
import type {Disposition} from '#shared/contract/sight.ts'

export type TrajectoryRecord = Readonly<Record<string, unknown>>

/** The value at a path, or `undefined`. A plain loop: it runs about twenty times per event. */
export function valueAt(record: unknown, ...path: readonly string[]): unknown {
	let inner = record
	for (const key of path) {
		if (typeof inner !== 'object' || inner === null) return undefined
		inner = (inner as Readonly<Record<string, unknown>>)[key]
	}
	return inner
}

/** A non-empty string; integers of any size as digits. */
export function textAt(record: unknown, ...path: readonly string[]): string | null {
	const value = valueAt(record, ...path)
	if (typeof value === 'bigint' || (typeof value === 'number' && Number.isFinite(value))) return String(value)
	return typeof value === 'string' && value.trim() !== '' ? value.trim() : null
}

export function sha256At(record: unknown, ...path: readonly string[]): string | null {
	const text = textAt(record, ...path)?.toLowerCase() ?? null
	return text !== null && /^[0-9a-f]{64}$/.test(text) ? text : null
}

export function integerAt(record: unknown, ...path: readonly string[]): number | null {
	const value = valueAt(record, ...path)
	return typeof value === 'number' && Number.isSafeInteger(value) ? value : null
}

/** Unix seconds and the nanoseconds within; `null` without any time. */
export function timeOf(record: TrajectoryRecord): {readonly seconds: number; readonly nanoseconds: number} | null {
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
	whitelisted: 'clean',
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

/** `command_line.arguments` is a string or a list of strings (API reference, 4.5). */
export function commandLineOf(record: TrajectoryRecord): string | null {
	const value = valueAt(record, 'command_line', 'arguments')
	if (!Array.isArray(value)) return textAt(record, 'command_line', 'arguments')
	const words = value.filter((word): word is string => typeof word === 'string')
	return words.length === 0 ? null : words.map(quoted).join(' ')
}

function quoted(word: string): string {
	return word === '' || /\s/.test(word) ? `"${word}"` : word
}

const none: readonly string[] = []

/** Tactics and techniques are ids, or objects with `external_id`. */
export function mitreOf(record: TrajectoryRecord): readonly string[] {
	if (record['tactics'] === undefined && record['techniques'] === undefined) return none
	return ['tactics', 'techniques'].flatMap(list => {
		const items = valueAt(record, list)
		if (!Array.isArray(items)) return none
		return items.flatMap(item => textAt({item}, 'item') ?? textAt(item, 'external_id') ?? none)
	})
}
