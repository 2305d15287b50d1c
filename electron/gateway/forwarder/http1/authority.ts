import {isIPv6} from 'node:net'

/** A name of the DNS has at most 255 characters; escaped ones count three. */
const longest = 800
const plain = /^((?:[A-Za-z0-9\-._~!$&'()*+,;=]|%[0-9A-Fa-f]{2})+)(?::([0-9]{0,5}))?$/
const bracketed = /^\[([0-9A-Fa-f:.]+)\](?::([0-9]{0,5}))?$/

/** Host without brackets and port of a valid `uri-host[:port]` (RFC 9110, 4.2); `null` if invalid. Port `null`: not given. */
export function splitAuthority(authority: string) {
	if (authority.length > longest) return null
	const isBracketed = authority.startsWith('[')
	const match = (isBracketed ? bracketed : plain).exec(authority)
	const host = match?.[1]
	if (host === undefined || (isBracketed && !isIPv6(host))) return null
	const port = match?.[2] === undefined || match[2] === '' ? null : Number(match[2])
	return port === null || port <= 65_535 ? {host, port} : null
}

export function isAuthority(authority: string) {
	return splitAuthority(authority) !== null
}
