import type {ForwarderStatus} from '#contract/instances.ts'

/** Names and addresses of this computer besides loopback. */
export interface OwnNames {
	readonly hostnames: readonly string[]
	readonly addresses: readonly string[]
}

/** `https://name[:port]`, best first: configured names, this computer's own, its addresses, then loopback. */
export function originsOf(listen: ForwarderStatus['listen'], hostnames: readonly string[], own: OwnNames): readonly string[] {
	if (listen === null) return []
	const port = listen.port === 443 ? '' : `:${listen.port}`
	const names = isWide(listen.host) ? [...hostnames, ...own.hostnames, ...own.addresses] : []
	const loopback = ['localhost', listen.host === '::1' ? '::1' : '127.0.0.1']
	return [...new Set([...names, ...loopback])].map(name => `https://${bracketed(name)}${port}`)
}

/** `http://host:port` of an open port for others. */
export function directOf(port: number, hostnames: readonly string[], own: OwnNames) {
	const [name] = [...hostnames, ...own.addresses.filter(address => !address.includes(':')), ...own.hostnames]
	return name === undefined ? null : `http://${bracketed(name)}:${port}`
}

function isWide(host: string) {
	return host === '::' || host === '0.0.0.0'
}

function bracketed(name: string) {
	return name.includes(':') ? `[${name}]` : name
}
