/** Pages of an entry's objects. */
import type {LogEntry} from '#model/incident.ts'

const places: readonly (readonly [kind: RegExp, address: (id: string) => string])[] = [
	[/file_?list/i, guid => `/file-lists/${guid}`],
	[/computer|isolation/i, guid => `/computers/${guid}`],
	[/group/i, guid => `/groups/${guid}`],
	[/polic/i, guid => `/policies/${guid}`]
]

/** `kind`: the name of a command, or the audit log's type; `null` without a page. */
export function placeOf(kind: string, guid: string) {
	if (!/^[0-9a-f]{8}-/i.test(guid)) return null
	return places.find(([name]) => name.test(kind))?.[1](guid.toLowerCase()) ?? null
}

export function jobOf({data}: LogEntry) {
	const job = data?.['job']
	return typeof job === 'string' ? job : null
}

export function hashesOf({args, data, message}: LogEntry): readonly string[] {
	const text = `${JSON.stringify(args ?? {}, plain)} ${JSON.stringify(data ?? {}, plain)} ${message}`
	return [...new Set((text.match(/\b[0-9a-f]{64}\b/gi) ?? []).map(hash => hash.toLowerCase()))]
}

function plain(_key: string, value: unknown) {
	return typeof value === 'bigint' ? value.toString() : value
}
