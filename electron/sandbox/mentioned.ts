import type {EventBlock} from './tenant/facts.ts'
import type {Tenant} from './tenant/tenant.ts'

/** Finds computers that the tenant's events and attack mention with a value; returns indexes. */
export type Mentioned = (q: string) => readonly number[]

/** Indexes all values at first use: a search must not scan tens of thousands of events. */
export function createMentioned(tenant: Tenant): Mentioned {
	let index: Mentioned | undefined
	return q => (index ??= indexOf(tenant))(q)
}

function indexOf(tenant: Tenant): Mentioned {
	const values = new Map<string, Set<number>>()
	const urls = new Map<string, Set<number>>()
	const note = (map: Map<string, Set<number>>, value: string, host: number) => void map.set(value, (map.get(value) ?? new Set()).add(host))
	for (const {block, host} of [...tenant.story.activities, ...tenant.events().filter(({frame}) => frame !== 'hostname')]) {
		for (const [key, value] of stringsOf(block)) {
			if (exact.has(key)) note(values, value.toLowerCase(), host)
			if (key === 'dirty_url') note(urls, value, host)
		}
	}
	return q => [...(values.get(q.toLowerCase()) ?? []), ...[...urls].flatMap(([url, hosts]) => (partOf(url, q) ? [...hosts] : []))]
}

/** Whether a block of an event or activity contains that address, hash, file name or part of a URL. */
export function mentions(block: EventBlock, q: string) {
	return stringsOf(block).some(([key, value]) => (exact.has(key) && same(value, q)) || (key === 'dirty_url' && partOf(value, q)))
}

const exact = new Set(['sha256', 'remote_ip', 'local_ip', 'file_name'])

function stringsOf(value: unknown, key = ''): readonly (readonly [key: string, value: string])[] {
	if (typeof value === 'string') return [[key, value]]
	if (typeof value !== 'object' || value === null) return []
	return Object.entries(value).flatMap(([name, inner]) => stringsOf(inner, name))
}

export function same(value: string, q: string) {
	return value.toLowerCase() === q.toLowerCase()
}

/** Whether that is a part of the URL, case-insensitive. */
export function partOf(url: string | undefined, q: string) {
	return url?.toLowerCase().includes(q.toLowerCase()) === true
}
