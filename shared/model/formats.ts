/** Formats of service values (API reference, "Value formats"). Pure checks for forms, command line and API client. */

const guid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const sha256 = /^[0-9a-f]{64}$/i
const octet = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)'
const ipv4 = new RegExp(`^${octet}(?:\\.${octet}){3}$`)
const iso8601 = /^(\d{4})-(\d{2})-(\d{2})(?:T([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d|60)(?:\.\d{1,9})?)?(?:Z|[+-](?:[01]\d|2[0-3]):?[0-5]\d)?)?$/

/** 8-4-4-4-12 hexadecimal digits, upper or lower case. */
export function isGuid(text: string) {
	return guid.test(text)
}

/** 64 hexadecimal digits, upper or lower case. */
export function isSha256(text: string) {
	return sha256.test(text)
}

/** Four decimal octets without leading zeros, which some programs read as octal. */
export function isIpv4(text: string) {
	return ipv4.test(text)
}

/** `YYYY-MM-DD`, or with `THH:MM[:SS[.fraction]]` and an optional `Z` or `±HH:MM`; the day must exist. */
export function isIso8601(text: string) {
	const match = iso8601.exec(text)
	if (match === null) return false
	const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])]
	return month >= 1 && month <= 12 && day >= 1 && day <= daysOf(year, month)
}

/** The sent and compared form of GUIDs. */
export function normalGuid(text: string): string {
	return text.toLowerCase()
}

export function isSameGuid(given: unknown, guid: string) {
	return typeof given === 'string' && normalGuid(given) === normalGuid(guid)
}

/** The sent and compared form of hashes: the service returns mixed case in places. */
export function normalSha256(text: string): string {
	return text.toLowerCase()
}

function daysOf(year: number, month: number) {
	return new Date(Date.UTC(year, month, 0)).getUTCDate()
}
