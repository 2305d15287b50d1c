/** Addresses, networks and ranges of IPv4 and IPv6 as intervals; as text, and as keys that sort like numbers. */
import {isIPv6} from 'node:net'

export interface AddressRange {
	readonly family: 4 | 6
	/** First and last address, inclusive. */
	readonly start: bigint
	readonly end: bigint
}

const bits = {4: 32n, 6: 128n} as const
const mappedStart = 0xffff_0000_0000n
const mappedEnd = 0xffff_ffff_ffffn

/** An address, a CIDR network, or `first-last`; `null` if invalid. IPv4-mapped addresses count as IPv4. */
export function parseRange(text: string): AddressRange | null {
	const dash = text.indexOf('-')
	if (dash >= 0) return between(parseAddress(text.slice(0, dash).trim()), parseAddress(text.slice(dash + 1).trim()))
	const slash = text.indexOf('/')
	const address = parseAddress(slash < 0 ? text : text.slice(0, slash))
	if (address === null) return null
	if (slash < 0) return unmapped({family: address.family, start: address.value, end: address.value})
	return network(address, text.slice(slash + 1))
}

interface Address {
	family: 4 | 6
	value: bigint
}

function network({family, value}: Address, length: string) {
	if (!/^(?:0|[1-9]\d{0,2})$/.test(length) || BigInt(length) > bits[family]) return null
	const host = bits[family] - BigInt(length)
	const start = (value >> host) << host
	return unmapped({family, start, end: start + (1n << host) - 1n})
}

function between(first: Address | null, last: Address | null) {
	if (first === null || last === null || first.family !== last.family || first.value > last.value) return null
	return unmapped({family: first.family, start: first.value, end: last.value})
}

function unmapped(range: AddressRange): AddressRange {
	if (range.family === 4 || range.start < mappedStart || range.end > mappedEnd) return range
	return {family: 4, start: range.start - mappedStart, end: range.end - mappedStart}
}

function parseAddress(text: string): Address | null {
	const four = parseFour(text)
	if (four !== null) return {family: 4, value: BigInt(four)}
	return isIPv6(text) && !text.includes('%') ? {family: 6, value: parseSix(text)} : null
}

/** Four decimal numbers without leading zeros, which other programs read as octal. */
function parseFour(text: string) {
	const match = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(text)
	if (match === null) return null
	let value = 0
	for (const part of match.slice(1)) {
		if ((part.length > 1 && part.startsWith('0')) || Number(part) > 255) return null
		value = value * 256 + Number(part)
	}
	return value
}

function parseSix(text: string) {
	const [head = '', tail] = text.split('::')
	const before = groupsOf(head)
	const after = tail === undefined ? [] : groupsOf(tail)
	const zeros = Array.from({length: 8 - before.length - after.length}, () => 0)
	return [...before, ...zeros, ...after].reduce((value, group) => (value << 16n) | BigInt(group), 0n)
}

function groupsOf(text: string) {
	if (text === '') return []
	return text.split(':').flatMap(group => {
		const four = group.includes('.') ? parseFour(group) : null
		return four === null ? [Number.parseInt(group, 16)] : [Math.floor(four / 65_536), four % 65_536]
	})
}

/** Fixed width, so that text order of keys is the order of start and end, IPv4 first. */
export function keyOf({family, start, end}: AddressRange) {
	const width = family === 4 ? 8 : 32
	return `${family}${start.toString(16).padStart(width, '0')}${end.toString(16).padStart(width, '0')}`
}

/** The inverse of {@link keyOf}. */
export function rangeOfKey(key: string): AddressRange {
	const width = key.startsWith('4') ? 8 : 32
	const start = BigInt(`0x${key.slice(1, 1 + width)}`)
	return {family: width === 8 ? 4 : 6, start, end: BigInt(`0x${key.slice(1 + width)}`)}
}

/** An address, a network if the range is one, else `first-last`. */
export function rangeText(range: AddressRange) {
	return isNetwork(range) ? networkText(range) : spanText(range)
}

/** An address, else `first-last`. */
export function spanText({family, start, end}: AddressRange) {
	return start === end ? addressText(family, start) : `${addressText(family, start)}-${addressText(family, end)}`
}

/** Of a range that {@link isNetwork}. */
export function networkText({family, start, end}: AddressRange) {
	if (start === end) return addressText(family, start)
	return `${addressText(family, start)}/${bits[family] - BigInt(bitLength(end - start))}`
}

export function isNetwork({start, end}: AddressRange) {
	const size = end - start + 1n
	return (size & (size - 1n)) === 0n && start % size === 0n
}

/** The fewest networks that cover exactly this range, in order. */
export function networksOf({family, start, end}: AddressRange) {
	const networks: AddressRange[] = []
	for (let at = start; at <= end;) {
		const aligned = at === 0n ? 1n << bits[family] : at & -at
		const fits = 1n << BigInt(bitLength(end - at + 1n) - 1)
		const size = aligned < fits ? aligned : fits
		networks.push({family, start: at, end: at + size - 1n})
		at += size
	}
	return networks
}

function bitLength(value: bigint) {
	return value === 0n ? 0 : value.toString(2).length
}

function addressText(family: 4 | 6, value: bigint) {
	return family === 4 ? fourText(Number(value)) : sixText(value)
}

function fourText(value: number) {
	return `${value >>> 24}.${(value >>> 16) & 255}.${(value >>> 8) & 255}.${value & 255}`
}

/** RFC 5952: lower case, the first longest run of zeros as `::`. */
function sixText(value: bigint) {
	const groups = Array.from({length: 8}, (_, index) => Number((value >> BigInt(112 - 16 * index)) & 0xffffn))
	const run = longestZeros(groups)
	const text = (part: readonly number[]) => part.map(group => group.toString(16)).join(':')
	if (run.length < 2) return text(groups)
	return `${text(groups.slice(0, run.at))}::${text(groups.slice(run.at + run.length))}`
}

function longestZeros(groups: readonly number[]) {
	let best = {at: 0, length: 0}
	for (let at = 0; at < groups.length; at += 1) {
		let length = 0
		while (groups[at + length] === 0) length += 1
		if (length > best.length) best = {at, length}
	}
	return best
}
