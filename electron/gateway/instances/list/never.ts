/** Values never published, whatever the sources: the operator's own, and addresses that would harm the network itself. */
import type {ListService} from '#model/instance.ts'

import {parseRange, type AddressRange} from './address.ts'
import {parseHostName} from './hosts.ts'
import {rangeSet, without} from './ranges.ts'
import {parseListUrl} from './urls.ts'

export interface Never {
	/** Sorted and merged: removed from addresses and networks. */
	readonly ranges: readonly AddressRange[]
	/** Hashes, and URLs without protocol and port. */
	readonly values: ReadonlySet<string>
	/** Whether an entry for this host would block a protected name. */
	blocksHost(entry: {name: string; wildcard: boolean}): boolean
	/** Values of the setting of no known kind: they protect nothing. */
	readonly unread: readonly string[]
}

/** Never meant by a block list: this host, loopback, link-local, multicast, reserved. */
const own = ['0.0.0.0/8', '127.0.0.0/8', '169.254.0.0/16', '224.0.0.0/3', '::', '::1', 'fe80::/10', 'ff00::/8']
/** RFC 1918, RFC 6598, RFC 4193. */
const privateNetworks = ['10.0.0.0/8', '100.64.0.0/10', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7']

interface HostRule {
	name: string
	/** Also everything below the name. */
	wildcard: boolean
}

export function neverOf({never, allowPrivate}: Pick<ListService, 'never' | 'allowPrivate'>): Never {
	const ranges = [...own, ...(allowPrivate ? [] : privateNetworks)].flatMap(text => parseRange(text) ?? [])
	const values = new Set<string>()
	const hosts: HostRule[] = []
	const unread: string[] = []
	for (const text of never.map(value => value.trim())) {
		const range = parseRange(text)
		const host = parseHostName(text)
		if (range !== null) ranges.push(range)
		else if (/^[0-9a-f]{64}$/i.test(text)) values.add(text.toLowerCase())
		else if (host.problem === undefined) hosts.push(host)
		else if (!addUrl(text, values)) unread.push(text)
	}
	return {ranges: rangeSet(ranges), values, blocksHost: hostCheck(hosts), unread}
}

function addUrl(text: string, values: Set<string>) {
	const url = parseListUrl(text)
	if (typeof url === 'string' || url.tail === '') return false
	values.add(url.host + url.tail)
	return true
}

function hostCheck(rules: readonly HostRule[]): Never['blocksHost'] {
	const names = new Set(rules.map(rule => rule.name))
	const above = new Set(rules.filter(rule => rule.wildcard).map(rule => rule.name))
	return entry => {
		if (names.has(entry.name) || parents(entry.name).some(parent => above.has(parent))) return true
		return entry.wildcard && rules.some(rule => rule.name.endsWith(`.${entry.name}`))
	}
}

/** `a.b.com` -> `b.com`, `com`. */
function parents(name: string) {
	const labels = name.split('.')
	return labels.slice(1).map((_, index) => labels.slice(index + 1).join('.'))
}

/** Whether a URL's host, a name or an address, is protected. */
export function hostIsFree(host: string, never: Never) {
	const range = parseRange(host.replace(/^\[(.*)\]$/, '$1'))
	if (range !== null) return without(range, never.ranges)[0] !== range
	const wildcard = host.startsWith('*.')
	return never.blocksHost({name: wildcard ? host.slice(2) : host, wildcard})
}
