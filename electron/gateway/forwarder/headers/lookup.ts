/** Field lookup by name: the only place. Names are given in lower case. */
import type {Fields} from '../message-types.ts'

/** The values of every field of a name, in order. */
export function valuesOf(fields: Fields, name: string): readonly string[] {
	const found: string[] = []
	for (let at = 0; at < fields.length; at += 2) if (isNamed(fields[at], name)) found.push(fields[at + 1] ?? '')
	return found
}

/** The value of the only field of a name; `null`: absent; `undefined`: several. */
export function only(fields: Fields, name: string) {
	const [found = null, ...more] = valuesOf(fields, name)
	return more.length === 0 ? found : undefined
}

/** All values of a name as one list (RFC 9110, 5.3); `null`: absent. */
export function combined(fields: Fields, name: string) {
	const found = valuesOf(fields, name)
	return found.length === 0 ? null : found.join(', ')
}

/** Lengths are compared first: most fields differ there, without a copy of the name. */
function isNamed(given: string | undefined, name: string) {
	return given?.length === name.length && given.toLowerCase() === name
}
