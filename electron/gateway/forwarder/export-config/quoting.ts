/** Operator values in the languages of other engines: never more than the value itself. */
import {CordonError} from '#contract/errors.ts'

/** For a comment: one line, whatever the text. */
export function commentText(text: string) {
	return JSON.stringify(text).replaceAll(/[\u007f-\u009f\u2028\u2029]/g, char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** A path that every engine accepts literally. Others would need quotes that the engines parse differently. */
export function plainPath(path: string) {
	if (/^[\w./@+,:=-]+$/.test(path)) return path
	throw new CordonError(
		'invalid_argument',
		`The path ${commentText(path)} cannot be written into the configuration of another engine: use letters, digits and . _ - / only.`,
		{field: 'path'}
	)
}

/** Both equivalent spellings of a name, in UTF-8. */
export function spellings(name: string): readonly Buffer[] {
	return [...new Set([name.normalize('NFC'), name.normalize('NFD')])].map(form => Buffer.from(form, 'utf8'))
}

export function hexOf(bytes: Uint8Array) {
	return Buffer.from(bytes).toString('hex').toUpperCase()
}

/** A pattern for exactly these bytes, made of letters, digits and escapes only. */
export function literalPattern(bytes: Uint8Array) {
	return [...bytes].map(literal).join('')
}

/** A pattern for every percent-encoding of these bytes; bytes not allowed in URLs must be encoded. */
export function encodedPattern(bytes: Uint8Array) {
	return [...bytes].map(byte => (mayStand(byte) ? `(?:${literal(byte)}|${percent(byte)})` : percent(byte))).join('')
}

/** A pattern for the usual encoding only: everything except letters, digits and `._~-` is encoded. Shorter. */
export function usualPattern(bytes: Uint8Array) {
	return [...bytes].map(byte => (isUnreserved(byte) ? literal(byte) : `%${hexOf(Uint8Array.of(byte))}`)).join('')
}

function literal(byte: number) {
	const char = String.fromCharCode(byte)
	return /[A-Za-z0-9_]/.test(char) ? char : `\\x${hexOf(Uint8Array.of(byte))}`
}

function percent(byte: number) {
	return `%${[...hexOf(Uint8Array.of(byte))].map(digit => (/\d/.test(digit) ? digit : `[${digit}${digit.toLowerCase()}]`)).join('')}`
}

function mayStand(byte: number) {
	return byte > 0x20 && byte < 0x7f && !'%/?#'.includes(String.fromCharCode(byte))
}

function isUnreserved(byte: number) {
	return /[A-Za-z0-9._~-]/.test(String.fromCharCode(byte))
}
