/** Ids that sort by the time they were made: 48 bits of time and 80 random bits in Crockford's base 32 (the ULID form). */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** `at` in Unix milliseconds; 26 characters. */
export function timeOrderedId(at: number, random: (bytes: number) => Uint8Array) {
	return base32(BigInt(Math.max(0, Math.trunc(at))), 10) + base32(bytesToInteger(random(10)), 16)
}

function bytesToInteger(bytes: Uint8Array) {
	return bytes.reduce((value, byte) => (value << 8n) | BigInt(byte), 0n)
}

function base32(value: bigint, length: number) {
	const digits = Array.from({length}, (_, place) => alphabet[Number((value >> BigInt(5 * (length - 1 - place))) & 31n)])
	return digits.join('')
}
