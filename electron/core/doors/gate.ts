/**
 * Access to the local API: pure decisions over a request's headers. Every page in a browser on this computer can reach
 * loopback. A request with an Origin, from another site, or under a rebound host name is therefore refused, and
 * no CORS headers are sent.
 */
import type {IncomingHttpHeaders} from 'node:http'

interface DoorHead {
	headers: IncomingHttpHeaders
	/** How many `Host` fields there are. */
	hosts: number
	/** `null`: a UNIX socket, which pages cannot reach. */
	port: number | null
}

export function isFromPage({headers, hosts, port}: DoorHead) {
	// Sent by browsers only.
	const {host = '', origin, 'sec-fetch-site': site = 'none'} = headers
	if (origin !== undefined || site !== 'none') return true
	if (port === null) return false
	const names = [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`]
	return hosts !== 1 || !names.includes(host.toLowerCase())
}

/** The text of a bearer token, or `undefined`. */
export function bearerOf({authorization}: IncomingHttpHeaders) {
	return /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1]
}

/** A token bucket per API token: holds one minute's requests, refilled evenly. */
export function createPace(monotonic: () => number) {
	const buckets = new Map<string, {level: number; at: number}>()
	return {
		/** Milliseconds until the next request is allowed; 0: allowed now, and counted. */
		take(id: string, perMinute: number) {
			const now = monotonic()
			const {level, at} = buckets.get(id) ?? {level: perMinute, at: now}
			const filled = Math.min(perMinute, level + ((now - at) * perMinute) / 60_000)
			const goes = filled >= 1
			buckets.set(id, {level: goes ? filled - 1 : filled, at: now})
			return goes ? 0 : Math.ceil(((1 - filled) * 60_000) / perMinute)
		}
	}
}
