import type {IsolationStatus} from '#model/isolation.ts'
import {heartbeatSeconds, type Host, type InitialIsolation} from './tenant/host.ts'
import type {PolicySeed} from './tenant/policies.ts'
import type {Tenant} from './tenant/tenant.ts'

/** Changes of a computer since the start. Times are Unix milliseconds. */
interface HostState {
	group?: number
	online?: boolean
	/** Time of the last switch on or off. */
	switchedAt?: number
	available?: boolean
	removed?: boolean
	/** Still in effect although the group has another: the connector has not loaded it yet. */
	heldPolicy?: PolicySeed | undefined
	isolation?: IsolationState
	/** Whether the connector will report failure on its next isolation request. */
	failsNext?: boolean
}

export interface IsolationState {
	status: IsolationStatus
	unlockCode: string | null
	comment: string | null
	by: string | undefined
	/** Time when it became isolated. */
	since: number
	/** Until then the service still reports `isolated` after a release request. */
	lingersUntil: number
}

/** The current computers of the tenant. */
export type Fleet = ReturnType<typeof createFleet>

const untouched: Readonly<HostState> = {}

export function createFleet(tenant: Tenant, start: number) {
	const byGuid = new Map(tenant.hosts.map(host => [host.guid, host]))
	const states = new Map<Host, HostState>()
	let visible = tenant.hosts
	let names: NameIndex | undefined
	let addresses: ReturnType<typeof byAddress> | undefined
	const contacts = Float64Array.from(tenant.hosts, host => start - host.silentFor * 1000)
	const beating = Uint8Array.from(tenant.hosts, host => Number(host.online))
	const lastSeen = (index: number, now: number) => lastContact(beating[index] === 1, contacts[index] ?? start, now)
	const present = (found: readonly Host[]) => (visible === tenant.hosts ? found : found.filter(host => state(host).removed !== true))
	const state = (host: Host) => (states.size === 0 ? untouched : (states.get(host) ?? untouched))
	return {
		/** In the service's order, without removed ones. */
		hosts: () => visible,
		/** Computers whose name contains one of the texts, case-insensitive. */
		named: (parts: readonly string[]) => {
			names ??= createNameIndex(tenant.hosts)
			return present(names(parts))
		},
		/** Computers with this internal address. */
		addressed: (ip: string) => {
			addresses ??= byAddress(tenant.hosts)
			return present(addresses.get(ip)?.map(({host}) => host) ?? [])
		},
		/** With a last contact at `from` or later, and before `to`. Records of others are not touched. */
		seen: (from: number, to: number, now: number) => {
			const found: Host[] = []
			for (let index = 0; index < contacts.length; index += 1) {
				const at = lastSeen(index, now)
				const host = at >= from && at < to ? tenant.hosts[index] : undefined
				if (host !== undefined) found.push(host)
			}
			return present(found)
		},
		find: (guid: string) => {
			const host = byGuid.get(guid.toLowerCase())
			return host === undefined || state(host).removed === true ? undefined : host
		},
		at: (index: number) => tenant.hosts[index],
		state,
		online: (host: Host) => beating[host.index] === 1,
		change: (host: Host, change: HostState) => {
			states.set(host, {...states.get(host), ...change})
			if (change.online !== undefined) beating[host.index] = Number(change.online)
			if (change.switchedAt !== undefined) contacts[host.index] = change.switchedAt
			if (change.removed !== undefined) visible = tenant.hosts.filter(candidate => state(candidate).removed !== true)
		},
		group: (host: Host) => state(host).group ?? host.group,
		available: (host: Host) => state(host).available ?? host.isolationAvailable,
		isolation: (host: Host) => state(host).isolation ?? initialState(host.isolation, start),
		/** Last contact, Unix milliseconds; online connectors report every five minutes. */
		lastSeen: (host: Host, now: number) => lastSeen(host.index, now)
	}
}

function byAddress(hosts: readonly Host[]) {
	const known = hosts.flatMap(host => [...new Set(host.ips.map(ip => ip.trim()))].map(ip => ({ip, host})))
	return Map.groupBy(known, ({ip}) => ip)
}

const never: IsolationState = {status: 'not_isolated', unlockCode: null, comment: null, by: undefined, since: 0, lingersUntil: 0}

function initialState(initial: InitialIsolation | undefined, start: number) {
	if (initial === undefined) return never
	const {status, unlockCode, comment, by} = initial
	return {status, unlockCode, comment, by, since: start - initial.since * 1000, lingersUntil: 0}
}

/** Milliseconds. */
const beat = heartbeatSeconds * 1000

// A filter asks each host, and % is slow.
const lastContact = (online: boolean, contact: number, now: number) => (online ? contact + Math.trunc((now - contact) / beat) * beat : contact)

/** Finds hosts whose name contains one of the texts; case-insensitive, in host order. */
type NameIndex = (parts: readonly string[]) => readonly Host[]

/** All names in one string, because reading 100,000 objects costs more than the requested page. */
export function createNameIndex(hosts: readonly Host[]): NameIndex {
	const text = hosts.map(({lowerName}) => lowerName).join('\n')
	const starts = new Uint32Array(hosts.length)
	let at = 0
	for (const [index, {lowerName}] of hosts.entries()) {
		starts[index] = at
		at += lowerName.length + 1
	}
	const search = (parts: readonly string[]): readonly Host[] => {
		const found = new Set(parts.flatMap(part => occurrences(text, starts, part)))
		return [...found].toSorted((a, b) => a - b).flatMap(index => hosts[index] ?? [])
	}
	// Names never change, and page 2 repeats the query of page 1.
	const remembered = new Map<string, readonly Host[]>()
	return parts => {
		const key = parts.join('\n').toLowerCase()
		const found = remembered.get(key) ?? search(key.split('\n'))
		if (remembered.size >= searchesKept) remembered.clear()
		remembered.set(key, found)
		return found
	}
}

const searchesKept = 16

function occurrences(text: string, starts: Uint32Array, part: string) {
	const found: number[] = []
	if (part === '') return found
	let at = text.indexOf(part)
	while (at >= 0) {
		const index = lastNotAfter(starts, at)
		found.push(index)
		// Next name: one occurrence is enough.
		at = text.indexOf(part, starts[index + 1] ?? text.length)
	}
	return found
}

/** Index of the greatest start not after `at`. */
function lastNotAfter(starts: Uint32Array, at: number) {
	let [low, high] = [0, starts.length - 1]
	while (low < high) {
		const middle = (low + high + 1) >>> 1
		if ((starts[middle] ?? 0) <= at) low = middle
		else high = middle - 1
	}
	return low
}
