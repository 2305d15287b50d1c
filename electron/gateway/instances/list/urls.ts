/** URLs in the form of firewalls: host and path, with optional protocol and port stored separately. */
import {asciiName} from './hosts.ts'
import {parseRange} from './address.ts'

interface ListUrl {
	/** Lower case, without user and port; may contain `*` and `^` as whole labels. */
	host: string
	/** Path and query; empty, or begins with `/` or `?`. */
	tail: string
	/** `https://`, or empty. */
	protocol: string
	/** `:8443`, or empty. */
	port: string
}

/** PAN-OS accepts 255 characters; the original list service truncates at 254, so longer ones are invalid here. */
export const longestUrl = 254

/** The parts, or why it is no URL. */
export function parseListUrl(text: string): ListUrl | string {
	const match = /^([a-z][a-z0-9+.-]*:\/\/)?([^/?#]*)([^#]*)/i.exec(text)
	const authority = match?.[2] ?? ''
	const [, host = '', digits] = /^(?:.*@)?(\[[^\]]*\]|[^:@]*)(?::(\d*))?$/.exec(authority) ?? []
	if (host === '') return 'has no host'
	const name = asciiName(host)
	if (!isHost(name)) return 'has no valid host'
	if (digits !== undefined && !isPort(digits)) return 'has no valid port'
	const tail = encoded(match?.[3] ?? '')
	if (name.length + tail.length > longestUrl) return `is longer than ${longestUrl} characters`
	if (!tokensAreWhole(name + tail)) return 'has a * or ^ that is not a whole part'
	return {host: name, tail, protocol: (match?.[1] ?? '').toLowerCase(), port: digits ? `:${digits}` : ''}
}

function isPort(digits: string) {
	return digits === '' || (digits.length <= 5 && Number(digits) >= 1 && Number(digits) <= 65_535)
}

function isHost(host: string) {
	if (host.startsWith('[')) return parseRange(host.slice(1, -1))?.family === 6
	return host.length <= 253 && host.split('.').every(label => /^(?:[a-z0-9_-]{1,63}|\*|\^)$/.test(label))
}

/** Encodes non-ASCII characters like browsers. */
function encoded(tail: string) {
	return tail.replace(/[^\u0021-\u007e]+/gu, part => encodeURIComponent(part))
}

function tokensAreWhole(text: string) {
	if (!/[*^]/.test(text)) return true
	return text.split(/[./?&=;+]/).every(token => !/[*^]/.test(token) || token === '*' || token === '^')
}

/** One line of the built list: the common part of all forms first, then the rest, so that equal URLs are adjacent. */
export function lineOfUrl({host, tail, protocol, port}: ListUrl) {
	return protocol === '' && port === '' ? host + tail : `${host}${tail}\t${protocol}\t${port}`
}

/** The inverse of {@link lineOfUrl}, with or without protocol and port. */
export function urlOfLine(line: string, keep: {protocol: boolean; port: boolean}) {
	const tab = line.indexOf('\t')
	if (tab < 0) return line
	const key = line.slice(0, tab)
	if (!keep.protocol && !keep.port) return key
	const middle = line.indexOf('\t', tab + 1)
	const protocol = keep.protocol ? line.slice(tab + 1, middle) : ''
	if (!keep.port) return protocol + key
	const end = key.search(/[/?]/)
	const host = end < 0 ? key : key.slice(0, end)
	return `${protocol}${host}${line.slice(middle + 1)}${key.slice(host.length)}`
}

/** Whether two lines are the same without protocol and port. */
export function sameUrl(one: string, other: string) {
	const end = lengthOfKey(one)
	return end === lengthOfKey(other) && one.startsWith(other.slice(0, end))
}

function lengthOfKey(line: string) {
	const tab = line.indexOf('\t')
	return tab < 0 ? line.length : tab
}
