import type {EventRow} from '#contract/events.ts'
import {quoteText} from '#model/filter-format.ts'
import {isGuid, isIpv4} from '#model/formats.ts'

import type {Field} from './fields.ts'

interface Pivot {
	title: string
	term: string
}

/** Related queries from an event: the same hash, computer, user, address, URL or detection. */
export function pivotsOf(row: EventRow): readonly Pivot[] {
	const address = row.remote === null ? null : withoutPort(row.remote)
	const asked: readonly (readonly [title: string, field: string, value: string | null])[] = [
		['Same hash', 'hash:', row.sha256],
		['Same computer', 'guid:', row.guid],
		['Same user', 'user=', row.user],
		['Same address', 'ip:', address],
		['Same URL', 'url=', row.url],
		['Same detection', 'detection=', row.detection]
	]
	return asked.flatMap(([title, field, value]) => (value === null || value === '' ? [] : [{title, term: `${field}${quoteText(value)}`}]))
}

/** The query for a value anywhere in a record, such as the hash of a parent; `null` for most. */
export function termOf({path, text}: Field) {
	if (/^[0-9a-f]+$/i.test(text) && [32, 40, 64].includes(text.length)) return `hash:${text.toLowerCase()}`
	if (isIpv4(text)) return `ip:${text}`
	if (isGuid(text)) return `guid=${text}`
	if (path === 'computer.hostname') return `host=${quoteText(text)}`
	return path === 'computer.user' ? `user=${quoteText(text)}` : null
}

/** `10.0.0.1:443` and `[fe80::1]:443` are queried without their ports. */
function withoutPort(remote: string) {
	const [, v4, v6] = /^(?:(\d{1,3}(?:\.\d{1,3}){3}):\d+|\[([^\]]+)\](?::\d+)?)$/.exec(remote) ?? []
	return v4 ?? v6 ?? remote
}
