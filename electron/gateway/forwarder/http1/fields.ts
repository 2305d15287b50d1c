/** Common to heads of both directions: the lines of a head, lists of tokens, lengths, codings. */
import type {Refusal} from '../message-types.ts'
import {carriageReturn, colon, isToken, lineFeed, space, tab, valueBytes} from './characters.ts'

/** By the name of its refusal. */
type FieldFault = 'fieldName' | 'fieldValue' | 'headTooLarge'

/** State of a partly parsed head, so that no line is read twice. Positions count from the head's start. */
export interface HeadSoFar<Line> {
	/** Every byte before it was examined. */
	readonly seen: number
	/** The first line, once complete. */
	readonly line: Line | null
	/** Of the lines before `read`; further parsing appends. */
	readonly fields: string[]
	readonly read: number
}

/** Before the first byte of a head. */
export const nothingRead: HeadSoFar<never> = {seen: 0, line: null, fields: [], read: 0}

export interface Refused {
	readonly kind: 'refused'
	readonly refusal: Refusal
}

export function refused(refusal: Refusal): Refused {
	return {kind: 'refused', refusal}
}

interface FirstLine {
	kind: 'line'
	/** After the line's CRLF. */
	next: number
}

export type ReadLine<Line extends FirstLine> = Line | {kind: 'more'} | Refused

/** What differs between heads of requests and of answers. */
interface Direction<Line extends FirstLine> {
	/** `text` may end anywhere: a fault in its beginning is found at once. */
	readLine: (text: string, longestTarget: number) => ReadLine<Line>
	names: Uint8Array
	refusals: Readonly<Record<FieldFault, Refusal>>
}

interface HeadLimits {
	headBytes: number
	fields: number
	targetBytes: number
}

type ReadHead<Line> =
	/** `next`: the first byte after the head. */
	| {kind: 'lines'; line: Line; fields: readonly string[]; next: number}
	/** The head continues after `end`: the next call resumes from `soFar`. */
	| {kind: 'more'; soFar: HeadSoFar<Line>}
	| Refused

/**
 * The lines of a head between `from` and `end`. Faults are found in byte order, so the result is independent of pieces, and no
 * invalid head is awaited to its end. `before`: from the last call with the same `start` that returned `more`; it is used up
 * by this one.
 */
export function readHead<Line extends FirstLine>(
	{readLine, names, refusals}: Direction<Line>,
	bytes: Buffer,
	{start, from, end}: {start: number; from: number; end: number},
	limits: HeadLimits,
	before: HeadSoFar<Line>
): ReadHead<Line> {
	const seen = start + before.seen
	const next = findEnd(bytes, from, end, seen)
	const isWhole = next !== -1 && next - from <= limits.headBytes
	const isFull = !isWhole && end - from >= limits.headBytes
	if (!isWhole && !isFull && !hasNews(bytes, from, end, seen)) return {kind: 'more', soFar: {...before, seen: end - start}}

	const at = before.line === null ? from : start + before.read
	const text = bytes.toString('latin1', at, isWhole ? next - 2 : Math.min(end, from + limits.headBytes))
	const line = before.line ?? readLine(text, limits.targetBytes)
	if (line.kind === 'refused') return line
	if (line.kind === 'more') return isFull ? refused(refusals.headTooLarge) : {kind: 'more', soFar: {...nothingRead, seen: end - start}}
	const fieldsAt = before.line === null ? line.next : 0
	const fields = before.line === null ? [] : before.fields
	const lines = isWhole ? text : wholeLines(text, fieldsAt)
	const fault = readFields(lines, fieldsAt, names, limits.fields, fields)
	if (fault !== null) return refused(refusals[fault])
	if (isWhole) return {kind: 'lines', line, fields, next}
	if (isFull) return refused(refusals.headTooLarge)
	return {kind: 'more', soFar: {seen: end - start, line, fields, read: at + lines.length - start}}
}

const endOfHead = Buffer.from('\r\n\r\n', 'latin1')

/** End of the head that begins at `start`: after its empty line; `-1` when it does not end before `end`. */
function findEnd(bytes: Buffer, start: number, end: number, seen: number) {
	const at = bytes.indexOf(endOfHead, Math.max(start, seen - 3))
	return at === -1 || at + 4 > end ? -1 : at + 4
}

/**
 * Whether a partial head must be parsed again: a line has ended since `seen`, or the first one is incomplete. Otherwise a head
 * sent byte by byte would cost quadratic time.
 */
function hasNews(bytes: Buffer, start: number, end: number, seen: number) {
	if (seen <= start) return true
	const first = bytes.indexOf(lineFeed, start)
	if (first === -1 || first >= seen) return true
	const next = bytes.indexOf(lineFeed, seen)
	return next !== -1 && next < end
}

function isBlank(code: number) {
	return code === space || code === tab
}

/**
 * Reads field lines from `from` to the end of `text`, which holds complete lines only, into `fields`. Folded lines, blanks around
 * the name, control characters and bare CR or LF are faults (G10).
 */
export function readFields(text: string, from: number, names: Uint8Array, most: number, fields: string[]): FieldFault | null {
	let at = from
	while (at < text.length) {
		if (fields.length >= most * 2) return 'headTooLarge'
		const nameAt = at
		while (names[text.charCodeAt(at)] === 1) at++
		if (at === nameAt || text.charCodeAt(at) !== colon) return 'fieldName'
		const name = text.slice(nameAt, at++)
		while (isBlank(text.charCodeAt(at))) at++
		const valueAt = at
		while (valueBytes[text.charCodeAt(at)] === 1) at++
		if (text.charCodeAt(at) !== carriageReturn || text.charCodeAt(at + 1) !== lineFeed) return 'fieldValue'
		let valueEnd = at
		while (valueEnd > valueAt && isBlank(text.charCodeAt(valueEnd - 1))) valueEnd--
		fields.push(name, text.slice(valueAt, valueEnd))
		at += 2
	}
	return null
}

/** The complete lines of a partial text: up to its last LF. */
export function wholeLines(text: string, from: number) {
	const end = text.lastIndexOf('\n') + 1
	return end > from ? text.slice(0, end) : text.slice(0, from)
}

const closeOnly: readonly string[] = ['close']
const keepAliveOnly: readonly string[] = ['keep-alive']

/** Lower-case tokens of a list; `null` with a non-token element. Empty elements are skipped (RFC 9110, 5.6.1.2). */
export function tokens(value: string) {
	if (value === 'keep-alive') return keepAliveOnly
	if (value === 'close') return closeOnly
	const found: string[] = []
	for (const part of value.toLowerCase().split(',')) {
		const token = part.trim()
		if (token === '') continue
		if (!isToken(token)) return null
		found.push(token)
	}
	return found
}

/** Digits only, within safe integers; `null` otherwise. Leading zeros are dropped (G08). */
export function contentLength(value: string) {
	if (!/^[0-9]+$/.test(value)) return null
	const length = Number(value)
	return Number.isSafeInteger(length) ? length : null
}

/** `unknown`: well-formed, but not exactly `chunked`; chunked twice is malformed (RFC 9112, 6.1). */
export function transferCoding(value: string): 'chunked' | 'unknown' | 'malformed' {
	const lower = value.toLowerCase()
	if (lower === 'chunked') return 'chunked'
	const codings = lower.split(',').map(coding => coding.trim())
	if (!codings.every(isToken)) return 'malformed'
	return codings.every(coding => coding === 'chunked') ? 'malformed' : 'unknown'
}

/** Appends the value of a repeated field as RFC 9110, 5.3 combines them. */
export function joined(before: string | null, value: string) {
	return before === null ? value : `${before}, ${value}`
}
