/** Field lookup by name: the only place. Names are given in lower case. */
import type {Fields} from '../message-types.ts'

/** The values of every field of a name, in order. */
export function valuesOf(fields: Fields, name: string): readonly string[] {
	const found: string[] = []
	for (let at = 0; at < fields.length; at += 2) if (isNamed(fields[at], name)) found.push(fields[at + 1] ?? '')
	return found
}

/** The value of the only field of a name; `null`: absent; `undefined`: several. */
export function only(fields: Fields, name: string): string | null | undefined {
	let found: string | null = null
	for (let at = 0; at < fields.length; at += 2) {
		if (!isNamed(fields[at], name)) continue
		if (found !== null) return undefined
		found = fields[at + 1] ?? ''
	}
	return found
}

/** All values of a name as one list (RFC 9110, 5.3); `null`: absent. */
export function combined(fields: Fields, name: string): string | null {
	let found: string | null = null
	for (let at = 0; at < fields.length; at += 2) {
		if (!isNamed(fields[at], name)) continue
		found = found === null ? (fields[at + 1] ?? '') : `${found}, ${fields[at + 1] ?? ''}`
	}
	return found
}

/** Lengths are compared first: most fields differ there, without a copy of the name. */
function isNamed(given: string | undefined, name: string) {
	return given?.length === name.length && given.toLowerCase() === name
}
