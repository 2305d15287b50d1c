import {hash} from 'node:crypto'

/** Keys in the order of their code units, as in RFC 8785; numbers here are integers. */
export function canonicalJson(value: unknown): string {
	if (Array.isArray(value)) return `[${value.map(one => canonicalJson(one ?? null)).join(',')}]`
	if (typeof value !== 'object' || value === null) return JSON.stringify(value)
	const entries = Object.entries(value)
		.filter(([, inner]) => inner !== undefined)
		.toSorted(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0))
	return `{${entries.map(([key, inner]) => `${JSON.stringify(key)}:${canonicalJson(inner)}`).join(',')}}`
}

/** SHA-256 of its canonical JSON, in hexadecimal. */
export function digestOfJson(value: unknown) {
	return hash('sha256', canonicalJson(value ?? null), 'hex')
}
