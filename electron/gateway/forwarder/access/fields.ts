import {only} from '../headers/lookup.ts'
import type {Fields} from '../message-types.ts'

/**
 * The value of an authenticating field. `null`: absent; `'several'`: ambiguous, because the instance might read another one, so
 * it proves nothing.
 */
export function proofOf(fields: Fields, name: string): {value: string} | 'several' | null {
	const value = only(fields, name.toLowerCase())
	if (value === undefined) return 'several'
	return value === null ? null : {value}
}

/** Text as the Latin-1 form of its UTF-8 bytes, as in fields; control characters are removed. */
export function fieldText(text: string) {
	return Buffer.from(text.replaceAll(/[\u0000-\u001f\u007f]/g, ''), 'utf8').toString('latin1')
}
