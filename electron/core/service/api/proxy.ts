import {directWay} from '#model/connection.ts'

import {bareHost, isLoopback} from './url.ts'
import {TransportError} from './transport-errors.ts'
import type {OwnProxy} from './types.ts'

type ProxyEnvironment = Readonly<Record<string, string | undefined>>

export interface Proxy {
	readonly url: URL
	login(): Promise<string | undefined>
}

/** The proxy between here and the server, or `null` for none. Throws `TransportError` when it cannot be used. */
export function wayTo(server: URL, environment: ProxyEnvironment, own: OwnProxy | undefined): Proxy | null {
	if (own?.address === directWay) return null
	if (own !== undefined) return {url: new URL(own.address), login: own.login}
	const url = proxyFor(server, environment)
	return url === null ? null : {url, login: async () => loginIn(url)}
}

/** What the variable of the system holds before the `@`. */
function loginIn({username, password}: URL) {
	if (username === '' && password === '') return undefined
	return `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
}

/**
 * The proxy that the environment names for an address, or `null` for none. Lower case goes before upper case, as in
 * curl. Loopback addresses are always reached directly. Throws `TransportError` when the proxy cannot be used.
 */
export function proxyFor(server: URL, environment: ProxyEnvironment): URL | null {
	if (isLoopback(server.hostname)) return null
	const text = lookUp(environment, `${server.protocol.slice(0, -1)}_proxy`) ?? lookUp(environment, 'all_proxy')
	if (text === undefined || isExempt(server, lookUp(environment, 'no_proxy') ?? '')) return null
	const full = text.includes('://') ? text : `http://${text}`
	const proxy = URL.canParse(full) ? new URL(full) : undefined
	if (proxy === undefined) throw new TransportError('proxy', 'The proxy variable of the system holds no address.', false)
	if (proxy.protocol === 'http:' || proxy.protocol === 'https:') return proxy
	throw new TransportError('proxy', `Proxies of the kind ${proxy.protocol.slice(0, -1)} are not supported.`, false)
}

function lookUp(environment: ProxyEnvironment, name: string) {
	const value = (environment[name] ?? environment[name.toUpperCase()])?.trim()
	return value === '' ? undefined : value
}

/** NO_PROXY: `*`, host names, `.suffix` or `*.suffix`, each with an optional port, separated by commas or blanks. */
function isExempt(server: URL, list: string) {
	return list
		.toLowerCase()
		.split(/[\s,]+/)
		.some(entry => entry !== '' && matches(server, entry))
}

function matches(server: URL, entry: string) {
	if (entry === '*') return true
	const [, name = '', port] = /^(\[[^\]]+\]|[^:]*|.*?)(?::(\d+))?$/.exec(entry) ?? []
	if (port !== undefined && port !== (server.port === '' ? '443' : server.port)) return false
	const host = bareHost(server.hostname).toLowerCase()
	const suffix = bareHost(name).replace(/^\*?\./, '')
	return suffix !== '' && (host === suffix || host.endsWith(`.${suffix}`))
}
