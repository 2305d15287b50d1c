/** Fields that end at a gateway (G01), and those that only this server sets. Lower case. */
import type {ForwarderConfig} from '../types.ts'

/** Connection fields besides those named by `Connection`. Both directions. */
const ofTheConnection = ['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade', 'http2-settings']

/** Request fields that are dropped: answered, rewritten or owned by this server. */
const notFromClients: ReadonlySet<string> = new Set([
	...ofTheConnection,
	'content-length',
	'expect',
	'host',
	'proxy-authorization',
	'forwarded',
	'via',
	'x-request-id',
	'x-request-uri',
	'x-real-ip'
])

/** Cookies know no ports: a browser that entered the headless console on this host sends its session here too. */
const sessions = /(?:^|;)[ \t]*cordon_\d+[ \t]*=[^;]*/g

/** Cookies without those of a console. */
export function withoutSessions(cookies: string) {
	return cookies.replaceAll(sessions, '').replace(/^;[ \t]*/, '')
}

/** Prefixes of fields that only this server sets. */
const ownedPrefixes = ['x-forwarded-', 'x-console-', 'x-client-cert']

function isOwned(name: string) {
	return name.startsWith('x-') && ownedPrefixes.some(prefix => name.startsWith(prefix))
}

/** Like CGI, an instance may take any other mark in a name for a `-`. */
function plainOf(name: string) {
	return /[^a-z0-9-]/.test(name) ? name.replaceAll(/[^a-z0-9]/g, '-') : name
}

/** Whether a request's field (lower case) ends here. */
export function endsHere(name: string) {
	const plain = plainOf(name)
	return notFromClients.has(plain) || isOwned(plain)
}

/**
 * Answer fields that concern the whole host, which an instance does not own: `Clear-Site-Data` would sign others out, `NEL` tell
 * of their requests, `Strict-Transport-Security` lock operators out behind a private authority.
 */
export const ofTheHost = [
	'proxy-authenticate',
	'proxy-authentication-info',
	'alt-svc',
	'clear-site-data',
	'nel',
	'report-to',
	'service-worker-allowed',
	'strict-transport-security'
] as const

/** Answer fields that are dropped. */
export const notFromInstances: ReadonlySet<string> = new Set([...ofTheConnection, 'content-length', ...ofTheHost, 'x-request-id'])

/** Never trailers, even if the list allows them: framing, routing, authentication, content processing (RFC 9110, 6.5.1). */
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
	'www-authenticate'
])

export function mayTrail(name: string) {
	const plain = plainOf(name)
	return !neverTrailers.has(plain) && !isOwned(plain) && !plain.startsWith('if-')
}

/** A token; anything else would end the element in `Via`. */
export function pseudonymOf(config: Pick<ForwarderConfig, 'pseudonym'>) {
	return config.pseudonym.replaceAll(/[^A-Za-z0-9._-]/g, '-') || 'cordon'
}

/** Ours in `Proxy-Status`. A parameter's name must begin with a letter or `*`; else it is a string (RFC 8941, 3.3). */
export function proxyName(config: Pick<ForwarderConfig, 'pseudonym'>) {
	const name = pseudonymOf(config)
	return /^[A-Za-z]/.test(name) ? name : `"${name}"`
}
