/** Which fields end at a gateway (G01), and which are ours alone to set. Lower case. */

/** Of the connection, whatever `Connection` names beside. Both ways. */
const ofTheConnection = [
	'connection',
	'keep-alive',
	'proxy-connection',
	'te',
	'trailer',
	'transfer-encoding',
	'upgrade',
	'http2-settings',
]

/** Request fields that are dropped: we answer, rewrite or own them. */
export const notFromClients: ReadonlySet<string> = new Set([
	...ofTheConnection,
	'content-length',
	'expect',
	'host',
	'proxy-authorization',
	'forwarded',
	'via',
	'x-request-id',
	'x-request-uri',
	'x-real-ip',
])

/** So begin the fields that only we set. */
const ownedPrefixes = ['x-forwarded-', 'x-console-', 'x-client-cert']

export function isOwned(name: string): boolean {
	return name.startsWith('x-') && ownedPrefixes.some(prefix => name.startsWith(prefix))
}

/**
 * Names of answers that are dropped. `Alt-Svc` and `Service-Worker-Allowed` speak for the whole host, which an instance
 * does not own; `Strict-Transport-Security` would lock operators out behind a private authority.
 */
export const notFromInstances: ReadonlySet<string> = new Set([
	...ofTheConnection,
	'content-length',
	'proxy-authenticate',
	'proxy-authentication-info',
	'alt-svc',
	'service-worker-allowed',
	'strict-transport-security',
	'x-request-id',
])

/** Never as trailers, even if the list allows them: framing, routing, authentication, how to read the content (RFC 9110, 6.5.1). */
const neverTrailers = new Set([
	...notFromClients,
	...notFromInstances,
	'age',
	'authorization',
	'cache-control',
	'content-encoding',
	'content-range',
	'content-type',
	'cookie',
	'date',
	'expires',
	'location',
	'max-forwards',
	'pragma',
	'range',
	'retry-after',
	'set-cookie',
	'vary',
	'warning',
	'www-authenticate',
])

export function mayTrail(name: string): boolean {
	return !neverTrailers.has(name) && !isOwned(name) && !name.startsWith('if-')
}
