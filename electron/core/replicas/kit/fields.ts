/** Reads fields that trajectories and events share. Any may be missing or of another type. */
import {counted} from '#text/numbers.ts'
import {nouns} from '#text/terms.ts'

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

/** `command_line.arguments` is a string or a list of strings (API reference, 4.5). */
export function commandLineOf(record: unknown): string | null {
	const value = valueAt(record, 'command_line', 'arguments')
	if (!Array.isArray(value)) return textAt(record, 'command_line', 'arguments')
	const words = value.filter((word): word is string => typeof word === 'string')
	return words.length === 0 ? null : words.map(quoted).join(' ')
}

function quoted(word: string) {
	return word === '' || /\s/.test(word) ? `"${word}"` : word
}

const none: readonly string[] = []

/** Tactics and techniques are ids, or objects with `external_id`. */
export function mitreOf(record: unknown): readonly string[] {
	if (valueAt(record, 'tactics') === undefined && valueAt(record, 'techniques') === undefined) return none
	return ['tactics', 'techniques'].flatMap(list => {
		const items = valueAt(record, list)
		if (!Array.isArray(items)) return none
		return items.flatMap(item => textAt({item}, 'item') ?? textAt(item, 'external_id') ?? none)
	})
}

/**
 * What the service tells besides a detection's name: of a Cloud IOC or hunt its title, tactics, techniques and command line; of a
 * scan what it looked at and found; of a fault or failure the reason. `null` without any.
 */
export function aboutOf(record: unknown): string | null {
	const title = textAt(record, 'cloud_ioc', 'short_description') ?? textAt(record, 'threat_hunting', 'incident_title')
	const told = [title, scanOf(record), textAt(record, 'fault_event_title'), errorOf(record)].filter(text => text !== null)
	if (told.length === 0) return null
	const ids = title === null ? none : mitreOf(record)
	const line = commandLineOf(record)
	return `${told.join(', ')}${ids.length === 0 ? '' : ` (${ids.join(', ')})`}${line === null ? '' : `: ${line}`}`
}

function scanOf(record: unknown) {
	const [target, files, found] = ['description', 'scanned_files', 'malicious_detections'].map(name => textAt(record, 'scan', name))
	if (target === null || target === undefined) return null
	const counts = [files == null ? null : counted(Number(files), nouns.file), found == null ? null : counted(Number(found), nouns.detection)]
	return [target, ...counts.filter(text => text !== null)].join(', ')
}

function errorOf(record: unknown) {
	const [told, code] = [textAt(record, 'error', 'description'), textAt(record, 'error', 'error_code')]
	if (told === null) return code === null ? null : `error ${code}`
	return code === null ? told : `${told.replace(/\.$/, '')} (error ${code})`
}
