import {CordonError} from '#contract/errors.ts'
import type {LogEntry} from '#model/incident.ts'

import {redact} from '#base/redact.ts'
import type {LogStamp, NewEntry} from './types.ts'

/** Under these names nothing may reach the log, masked or not: a caller that passes them has a defect. */
const forbidden: ReadonlySet<string> = new Set(['apikey', 'authorization'])

/**
 * The second line of defence: callers redact, and what they forgot is masked here.
 * Throws `internal` when an API key or credentials are handed in at all.
 */
export function completeEntry(entry: NewEntry, stamp: LogStamp): LogEntry {
	return {
		...stamp,
		kind: entry.kind,
		about: entry.about ?? null,
		incident: entry.incident ?? null,
		command: entry.command ?? null,
		args: redact(entry.args ?? null),
		target: entry.target ?? null,
		connection: entry.connection ?? null,
		surface: entry.surface,
		durationMs: entry.durationMs ?? null,
		status: entry.status ?? null,
		requestId: entry.requestId ?? null,
		message: entry.message,
		data: redact(entry.data ?? null)
	}
}

export function refuseCredentials(entry: NewEntry) {
	const found = findForbidden(entry.args) ?? findForbidden(entry.data)
	if (found === undefined) return
	throw new CordonError('internal', `An entry with "${found}" was handed to the incident log; it was refused.`)
}

function findForbidden(value: unknown): string | undefined {
	if (typeof value !== 'object' || value === null) return undefined
	for (const [name, inner] of Object.entries(value)) {
		if (!Array.isArray(value) && forbidden.has(name.replace(/[-_]/g, '').toLowerCase())) return name
		const deeper = findForbidden(inner)
		if (deeper !== undefined) return deeper
	}
	return undefined
}
