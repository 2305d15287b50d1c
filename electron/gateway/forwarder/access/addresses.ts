/** Addresses of peers: allow lists, trusted proxies, and how they are grouped for counting. */
import {BlockList, isIP} from 'node:net'

import {valuesOf} from '../headers/lookup.ts'
import type {Fields} from '../message-types.ts'

type Family = 'ipv4' | 'ipv6'
/** One for each family: a single list treats an IPv4 address as IPv6-mapped and finds it in `::/0`. */
type Networks = Readonly<Record<Family, BlockList>>

const compiled = new WeakMap<readonly string[], Networks>()

export function isLoopback(host: string) {
	return host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host)
}

/** Whether an address is in one of the networks (addresses or CIDR). No networks: everyone is allowed. */
export function isAllowed(networks: readonly string[], address: string) {
	return networks.length === 0 || isIn(networks, address)
}

/**
 * The origin of a request: the peer, unless it is a trusted proxy; then the rightmost address of `X-Forwarded-For` that is not
 * one. Anything left of it, or no address, was written by an untrusted party.
 */
export function clientAddress(peer: string, fields: Fields, trustedProxies: readonly string[]) {
	const own = plainAddress(peer) ?? peer
	if (trustedProxies.length === 0 || !isIn(trustedProxies, own)) return own
	const hops = valuesOf(fields, 'x-forwarded-for').flatMap(value => value.split(','))
	let client = own
	for (const hop of hops.toReversed()) {
		const address = hopAddress(hop)
		if (address === null) return client
		client = address
		if (!isIn(trustedProxies, address)) return client
	}
	return client
}

/**
 * The unit of counting: an IPv4 address, or the /64 network of an IPv6 address, which one client has as a whole. The text is a
 * key, not an address.
 */
export function addressGroup(address: string) {
	if (!address.includes(':')) return address
	const plain = plainAddress(address) ?? address
	if (!plain.includes(':')) return plain
	const [left = '', right] = plain.split('::')
	const head = left === '' ? [] : left.split(':')
	if (right !== undefined) {
		const tail = right === '' ? [] : right.split(':')
		while (head.length + tail.length < 8) head.push('0')
		head.push(...tail)
	}
	return `${head.slice(0, 4).join(':')}::/64`
}

/** Short form, without zone and without the prefix of an IPv4-mapped address; `null` when it is no address. */
export function plainAddress(text: string) {
	const zone = text.indexOf('%')
	const bare = zone < 0 ? text : text.slice(0, zone)
	const version = isIP(bare)
	if (version !== 6) return version === 4 ? bare : null
	const short = new URL(`http://[${bare}]`).hostname.slice(1, -1)
	return mapped(short) ?? short
}

/** `::ffff:a00:1` as `10.0.0.1`. */
function mapped(short: string) {
	const match = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(short)
	if (match === null) return null
	const [high, low] = [Number.parseInt(match[1] ?? '', 16), Number.parseInt(match[2] ?? '', 16)]
	return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

/** An element of `X-Forwarded-For`; some proxies add a port, or quotes. */
function hopAddress(hop: string) {
	const text = hop.trim().replaceAll(/^"|"$/g, '')
	const bracketed = /^\[([^\]]+)\](?::\d{1,5})?$/.exec(text)
	if (bracketed !== null) return isIP(bracketed[1] ?? '') === 6 ? plainAddress(bracketed[1] ?? '') : null
	const withPort = /^([\d.]+):\d{1,5}$/.exec(text)
	return plainAddress(withPort?.[1] ?? text)
}

function isIn(networks: readonly string[], address: string) {
	const plain = plainAddress(address)
	if (plain === null) return false
	const family = familyOf(plain)
	return listOf(networks)[family].check(plain, family)
}

function listOf(networks: readonly string[]) {
	const known = compiled.get(networks)
	if (known !== undefined) return known
	const list = {ipv4: new BlockList(), ipv6: new BlockList()}
	for (const network of networks) addNetwork(list, network)
	compiled.set(networks, list)
	return list
}

/** Skips anything that is no network: it allows nobody. */
function addNetwork(list: Networks, network: string) {
	const [base = '', bits] = network.split('/')
	const address = plainAddress(base)
	if (address === null || (bits !== undefined && !/^\d{1,3}$/.test(bits))) return
	const family = familyOf(address)
	const wasMapped = family === 'ipv4' && base.includes(':')
	const all = family === 'ipv6' ? 128 : 32
	const length = bits === undefined ? all : Number(bits) - (wasMapped ? 96 : 0)
	if (length < 0 || length > all) return
	list[family].addSubnet(address, length, family)
}

function familyOf(plain: string) {
	return plain.includes(':') ? 'ipv6' : 'ipv4'
}
