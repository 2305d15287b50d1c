/** Failed attempts per instance and address: after a few in a row the next ones are refused unchecked. */
import {addressGroup} from './addresses.ts'

interface Entry {
	failures: number
	/** Attempts with a pending outcome; without them a burst of guesses would be checked in full. */
	pending: number
	/** Monotonic milliseconds until which nothing is checked, and when it last failed. */
	until: number
	seen: number
}

/** What a check may do with one address at one instance. */
export interface Attempts {
	begin(): Attempt | null
	/** The address succeeded without an attempt. */
	forgive(): void
}

export interface Attempt {
	/** `undecided`: it was not checked after all, and does not count. */
	end(outcome: 'good' | 'bad' | 'undecided'): void
}

const freeFailures = 5
const firstDelayMs = 1000
const longestDelayMs = 15 * 60_000
const capacity = 10_000

export function createBackOff(monotonic: () => number) {
	/** Ordered by last change. */
	const all = new Map<string, Entry>()

	/** Milliseconds in which nothing from this address is checked; 0: it may try. */
	function waitMs(instanceId: string, address: string) {
		if (all.size === 0) return 0
		const found = all.get(keyOf(instanceId, address))
		return found === undefined ? 0 : Math.max(0, found.until - monotonic())
	}

	/** An attempt whose outcome must be reported exactly once; `null` when it has to wait or too many are running. */
	function begin(instanceId: string, address: string): Attempt | null {
		const key = keyOf(instanceId, address)
		const now = monotonic()
		const entry = current(key, now)
		if (now < entry.until || entry.pending >= Math.max(1, freeFailures - entry.failures)) return null
		entry.pending += 1
		keep(key, entry)
		return {end: outcome => finish(key, entry, outcome)}
	}

	function forgive(instanceId: string, address: string) {
		const found = all.size === 0 ? undefined : all.get(keyOf(instanceId, address))
		if (found !== undefined) Object.assign(found, {failures: 0, until: 0})
	}

	function finish(key: string, entry: Entry, outcome: 'good' | 'bad' | 'undecided') {
		entry.pending -= 1
		if (outcome === 'bad') fail(entry, monotonic())
		if (outcome === 'good') Object.assign(entry, {failures: 0, until: 0})
		if (entry.failures > 0 || entry.pending > 0) keep(key, entry)
		else if (all.get(key) === entry) all.delete(key)
	}

	/** Entries older than the longest delay are removed. */
	function current(key: string, now: number) {
		const found = all.get(key)
		if (found === undefined) return {failures: 0, pending: 0, until: 0, seen: now}
		if (found.failures > 0 && now - Math.max(found.seen, found.until) > longestDelayMs) {
			Object.assign(found, {failures: 0, until: 0})
		}
		return found
	}

	function keep(key: string, entry: Entry) {
		all.delete(key)
		all.set(key, entry)
		if (all.size <= capacity) return
		const [oldest] = all.keys()
		if (oldest !== undefined) all.delete(oldest)
	}

	return {waitMs, begin, forgive}
}

function fail(entry: Entry, now: number) {
	entry.failures += 1
	entry.seen = now
	const beyond = entry.failures - freeFailures
	if (beyond >= 0) entry.until = now + Math.min(longestDelayMs, firstDelayMs * 2 ** Math.min(beyond, 20))
}

function keyOf(instanceId: string, address: string) {
	return `${addressGroup(address)} ${instanceId}`
}
