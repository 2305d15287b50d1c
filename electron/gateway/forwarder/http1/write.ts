import type {Fields} from '../message-types.ts'
import {isSafe, isToken} from './characters.ts'

/** A text that would have broken the head to be written (G28). */
export class UnsafeHead extends Error {
	override readonly name = 'UnsafeHead'
}

/** Returns the text if it is safe in a head. Throws `UnsafeHead` without repeating the text, which may be secret. */
export function safe(text: string) {
	if (!isSafe(text)) throw new UnsafeHead('A line of a head holds a line break or a character that cannot be sent.')
	return text
}

/** Field lines, each with its CRLF. Names and values are checked: throws `UnsafeHead`. */
export function writeFields(fields: Fields) {
	let text = ''
	for (let at = 0; at < fields.length; at += 2) {
		const name = fields[at] ?? ''
		if (!isToken(name)) throw new UnsafeHead('A field that was to be sent has no proper name.')
		text += `${name}: ${safe(fields[at + 1] ?? '')}\r\n`
	}
	return text
}

/** Latin-1, including the empty line. Each hop uses 1.1, whatever the other one uses (G04). */
export function writeResponseHead(status: number, reason: string, fields: Fields) {
	return `HTTP/1.1 ${String(status)} ${safe(reason)}\r\n${writeFields(fields)}\r\n`
}

/** Precedes a chunk's data. `bytes` is above 0: zero would be the end. */
export function chunkStart(bytes: number) {
	return `${bytes.toString(16)}\r\n`
}

export const chunkEnd = '\r\n'

/** The last chunk and the trailer section. */
export function lastChunk(trailers: Fields) {
	return trailers.length === 0 ? '0\r\n\r\n' : `0\r\n${writeFields(trailers)}\r\n`
}
