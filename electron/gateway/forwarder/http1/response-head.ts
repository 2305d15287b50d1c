/**
 * An instance's head, strictly: an ambiguous head is a 502. Lenient only where it has no effect:
 * - the status line may end after the status, without the space before an empty reason (old Python and shell servers);
 * - names may contain `_`: no field of this server does, and clients decide how to treat them;
 * - a `Content-Length` on 204, 304, 1xx and answers to HEAD says nothing about the following bytes (RFC 9112, 6.3).
 */
import type {Refusal, ResponseFraming, ResponseHead} from '../message-types.ts'
import {badAnswer} from '../refusals.ts'
import {carriageReturn, lineFeed, space, tokenBytes, valueBytes, zero} from './characters.ts'
import {
	contentLength,
	joined,
	nothingRead,
	readHead,
	refused,
	tokens,
	transferCoding,
	type HeadSoFar,
	type ReadLine,
	type Refused
} from './fields.ts'

interface AnswerContext {
	/** Of the request: an answer to HEAD has no body. */
	method: string
	headBytes: number
}

export type ParsedResponse = {kind: 'head'; head: ResponseHead; next: number} | {kind: 'more'; soFar: ResponseSoFar} | Refused

export type ResponseSoFar = HeadSoFar<StatusLine>

const mostFields = 2000

interface StatusLine {
	kind: 'line'
	version: '1.0' | '1.1'
	status: number
	reason: string
	next: number
}

const version = 'HTTP/1.'
/** Behind `HTTP/1.1 200`. */
const statusEnd = 12

/** `NaN`: not three digits of a status. */
function statusOf(text: string) {
	const hundreds = text.charCodeAt(9) - zero
	const tens = text.charCodeAt(10) - zero
	const ones = text.charCodeAt(11) - zero
	const isStatus = hundreds >= 1 && hundreds <= 5 && tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9
	return isStatus ? hundreds * 100 + tens * 10 + ones : Number.NaN
}

/** Incomplete, or malformed so far. */
function unfinished(text: string): ReadLine<StatusLine> {
	const isBegun = !text.includes('\n') && version.startsWith(text.slice(0, version.length))
	return isBegun ? {kind: 'more'} : refused(badAnswer.statusLine)
}

function readStatusLine(text: string): ReadLine<StatusLine> {
	const minor = text.charCodeAt(7) - zero
	const status = statusOf(text)
	if (!text.startsWith(version) || (minor !== 0 && minor !== 1) || text.charCodeAt(8) !== space || Number.isNaN(status)) return unfinished(text)
	const hasReason = text.charCodeAt(statusEnd) === space
	let at = hasReason ? statusEnd + 1 : statusEnd
	while (valueBytes[text.charCodeAt(at)] === 1) at++
	if (text.charCodeAt(at) !== carriageReturn || text.charCodeAt(at + 1) !== lineFeed) return unfinished(text)
	const reason = hasReason ? text.slice(statusEnd + 1, at) : ''
	if (!hasReason && at > statusEnd) return unfinished(text)
	return {kind: 'line', version: minor === 0 ? '1.0' : '1.1', status, reason, next: at + 2}
}

class Noted {
	lengths = 0
	length = ''
	coding: string | null = null
	connection: string | null = null
}

function note(fields: readonly string[]) {
	const noted = new Noted()
	for (let at = 0; at < fields.length; at += 2) {
		const name = fields[at] ?? ''
		const value = fields[at + 1] ?? ''
		if (name.length === 14 && name.toLowerCase() === 'content-length') {
			noted.lengths++
			noted.length = value
		} else if (name.length === 17 && name.toLowerCase() === 'transfer-encoding') {
			noted.coding = joined(noted.coding, value)
		} else if (name.length === 10 && name.toLowerCase() === 'connection') {
			noted.connection = joined(noted.connection, value)
		}
	}
	return noted
}

/** Framing by the fields; a length and a coding exclude each other even without a body (G07, G08). */
function declared(noted: Noted, version: '1.0' | '1.1'): ResponseFraming | Refusal {
	if (noted.coding !== null) {
		if (noted.lengths > 0) return badAnswer.lengthAndCoding
		return version === '1.1' && transferCoding(noted.coding) === 'chunked' ? {kind: 'chunked'} : badAnswer.coding
	}
	if (noted.lengths === 0) return {kind: 'close'}
	const length = noted.lengths === 1 ? contentLength(noted.length) : null
	return length === null ? badAnswer.length : {kind: 'length', length}
}

/** G21. */
function neverHasBody(method: string, status: number) {
	return method === 'HEAD' || status < 200 || status === 204 || status === 304
}

/** A bodiless answer that announces a body may be followed by one: its connection is not reused. */
function isDubious(status: number, framing: ResponseFraming) {
	const announces = framing.kind === 'chunked' || (framing.kind === 'length' && framing.length > 0)
	return announces && (status < 200 || status === 204)
}

function understand(line: StatusLine, fields: readonly string[], method: string, next: number): ParsedResponse {
	const noted = note(fields)
	const announced = declared(noted, line.version)
	if ('detail' in announced) return refused(announced)
	const connection = noted.connection === null ? [] : tokens(noted.connection)
	if (connection === null) return refused(badAnswer.fieldValue)
	const isBodiless = neverHasBody(method, line.status)
	const framing: ResponseFraming = isBodiless ? {kind: 'none'} : announced
	const offers = !connection.includes('close') && (line.version === '1.1' || connection.includes('keep-alive'))
	const head: ResponseHead = {
		status: line.status,
		reason: line.reason,
		version: line.version,
		fields,
		framing,
		connection,
		keepAlive: offers && framing.kind !== 'close' && !(isBodiless && isDubious(line.status, announced))
	}
	return {kind: 'head', head, next}
}

const direction = {readLine: readStatusLine, names: tokenBytes, refusals: badAnswer}

/** An answer's head between `start` and `end`. `before` as in `readHead`. A refusal is always 502. */
export function parseResponseHead(
	bytes: Buffer,
	start: number,
	end: number,
	{method, headBytes}: AnswerContext,
	before: ResponseSoFar = nothingRead
): ParsedResponse {
	if (start === end) return {kind: 'more', soFar: nothingRead}
	const read = readHead(direction, bytes, {start, from: start, end}, {headBytes, fields: mostFields, targetBytes: 0}, before)
	return read.kind === 'lines' ? understand(read.line, read.fields, method, read.next) : read
}
