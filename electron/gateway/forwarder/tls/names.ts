/** Names and addresses of the local authority's certificates, and the authority's constraints. */
import {BlockList, isIP} from 'node:net'
import {hostname, networkInterfaces} from 'node:os'
import {domainToASCII} from 'node:url'

/** Host names in lower case, and addresses in their usual short form. */
export interface Names {
	readonly hostnames: readonly string[]
	readonly addresses: readonly string[]
}

/** Constraints of an authority: DNS names (with subdomains), and networks in CIDR form. */
export interface Constraints {
	readonly names: readonly string[]
	readonly networks: readonly string[]
}

/**
 * Whole ranges instead of this computer's own networks: a new DHCP address, another site or a VPN must not invalidate an
 * authority that every client had to import. They contain no public address, so the authority can certify nobody there.
 */
export const privateNetworks: readonly string[] = [
	'127.0.0.0/8',
	'10.0.0.0/8',
	'172.16.0.0/12',
	'192.168.0.0/16',
	'169.254.0.0/16',
	'100.64.0.0/10',
	'::1/128',
	'fc00::/7',
	'fe80::/10'
]

const always: Names = {hostnames: ['localhost'], addresses: ['127.0.0.1', '::1']}

/** This computer's name and its addresses usable from other computers, without loopback. */
export function machineNames(): Names {
	const addresses = Object.values(networkInterfaces())
		.flatMap(entries => entries ?? [])
		.filter(entry => !entry.internal && (entry.scopeid ?? 0) === 0)
		.map(entry => entry.address)
	return {hostnames: [hostname()], addresses}
}

/** Names of a certificate, cleaned: configured names first, because the first becomes its common name. */
export function wantedNames(configured: readonly string[], machine: Names): Names {
	const hostnames = [...configured, ...machine.hostnames].map(asciiName)
	const addresses = [...configured, ...machine.addresses].filter(address => isIP(address) !== 0)
	return {
		hostnames: unique([...hostnames.filter(isHostname), ...always.hostnames]),
		addresses: unique([...always.addresses, ...addresses.map(shortAddress)])
	}
}

/** In certificate form: lower case, non-ASCII letters in Punycode, without a final dot. */
function asciiName(name: string) {
	return (domainToASCII(name) || name.toLowerCase()).replace(/\.$/, '')
}

/** Letters, digits and hyphens in labels (RFC 1123); only digits and dots would be an address. */
export function isHostname(name: string) {
	if (name.length > 253 || isIP(name) !== 0) return false
	return /^(?!.*\.\d+$)(?!\d+$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/.test(name)
}

/** Constraints of a new authority. Addresses outside the private ranges are those known now. */
export function constraintsFor(names: Names): Constraints {
	const inside = networkTest(privateNetworks)
	const own = names.addresses.filter(address => !inside(address))
	const single = own.map(address => `${address}/${isIP(address) === 4 ? 32 : 128}`)
	return {names: names.hostnames, networks: [...privateNetworks, ...single]}
}

/** Splits names by whether an authority with these constraints may certify them. */
export function within(names: Names, limits: Constraints): {inside: Names; outside: Names} {
	const inNetwork = networkTest(limits.networks)
	const inNames = (name: string) => limits.names.some(base => name === base || name.endsWith(`.${base}`))
	return {
		inside: {hostnames: names.hostnames.filter(inNames), addresses: names.addresses.filter(inNetwork)},
		outside: {hostnames: names.hostnames.filter(name => !inNames(name)), addresses: names.addresses.filter(address => !inNetwork(address))}
	}
}

/** `2001:DB8:0::1` as `2001:db8::1`, so that two spellings are one address. */
export function shortAddress(address: string) {
	return isIP(address) === 6 ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address
}

function networkTest(networks: readonly string[]): (address: string) => boolean {
	const list = new BlockList()
	for (const network of networks) {
		const [base = '', bits = ''] = network.split('/')
		list.addSubnet(base, Number(bits), familyOf(base))
	}
	return address => list.check(address, familyOf(address))
}

function familyOf(address: string) {
	return isIP(address) === 6 ? 'ipv6' : 'ipv4'
}

function unique(values: readonly string[]) {
	return [...new Set(values)]
}
