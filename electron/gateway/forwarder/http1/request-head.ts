import type {Refusal, RequestFraming, RequestHead} from '../message-types.ts'
import type {ServerLimits} from '../types.ts'
import {badRequest} from '../refusals.ts'
import {isAuthority} from './authority.ts'
import {carriageReturn, lineFeed, requestNameBytes} from './characters.ts'
import {contentLength, joined, nothingRead, readHead, refused, tokens, transferCoding, type HeadSoFar, type Refused} from './fields.ts'
import {readRequestLine, type RequestLine} from './request-line.ts'

export type ParsedRequest = {kind: 'head'; head: RequestHead; next: number} | {kind: 'more'; soFar: RequestSoFar} | Refused

export type RequestSoFar = HeadSoFar<RequestLine>

/** The fields used by this parser, as received. */
class Noted {
	hosts = 0
	host = ''
	lengths = 0
	length = ''
	coding: string | null = null
	connection: string | null = null
	expect: string | null = null
	upgrade: string | null = null
	te: string | null = null

	note(name: string, value: string) {
		switch (name.toLowerCase()) {
			case 'host':
				this.hosts++
				this.host = value
				break
			case 'content-length':
				this.lengths++
				this.length = value
				break
			case 'transfer-encoding':
				this.coding = joined(this.coding, value)
				break
			case 'connection':
				this.connection = joined(this.connection, value)
				break
			case 'expect':
				this.expect = joined(this.expect, value)
				break
			case 'upgrade':
				this.upgrade = joined(this.upgrade, value)
				break
			case 'te':
				this.te = joined(this.te, value)
				break
		}
	}
}

function note(fields: readonly string[]) {
	const noted = new Noted()
	for (let at = 0; at < fields.length; at += 2) {
		const name = fields[at] ?? ''
		// The lengths of the seven names: most fields need no lower-casing.
		switch (name.length) {
			case 2:
			case 4:
			case 6:
			case 7:
			case 10:
			case 14:
			case 17:
				noted.note(name, fields[at + 1] ?? '')
		}
	}
	return noted
}

const noBody: RequestFraming = {kind: 'none'}
const chunked: RequestFraming = {kind: 'chunked'}

/** Length of the body (RFC 9112, 6.3), or the ambiguity: two readers would see two different requests (G07-G09). */
function framingOf(noted: Noted, version: '1.0' | '1.1'): RequestFraming | Refusal {
	if (noted.coding !== null) {
		if (noted.lengths > 0) return badRequest.lengthAndCoding
		if (version === '1.0') return badRequest.coding
		const coding = transferCoding(noted.coding)
		if (coding === 'chunked') return chunked
		return coding === 'unknown' ? badRequest.unknownCoding : badRequest.coding
	}
	if (noted.lengths === 0) return noBody
	const length = noted.lengths === 1 ? contentLength(noted.length) : null
	return length === null ? badRequest.length : {kind: 'length', length}
}

const none: readonly string[] = []
const belongToMessage =
	/^(?:host|content-length|authorization|cookie|x-request-uri|x-forwarded-.*|content-type|content-encoding|content-range|expect|via|date)$/

/** Tokens of `Connection`; `null` when it names an end-to-end field, which could make others drop ours (G01). */
function connectionTokens(value: string | null) {
	if (value === null) return none
	const found = tokens(value)
	return found === null || found.some(token => belongToMessage.test(token)) ? null : found
}

/** `true`: `100-continue`; `null`: any other value, refused with 417 (G16). */
export function expectsContinue(value: string | null) {
	if (value === null) return false
	return value.toLowerCase() === '100-continue' ? true : null
}

/** Whether `TE` names `trailers`. */
export function namesTrailers(te: string | null) {
	return te !== null && /(?:^|,)[ \t]*trailers[ \t]*(?:,|$)/i.test(te)
}

function hasBody(framing: RequestFraming) {
	return framing.kind === 'chunked' || (framing.kind === 'length' && framing.length > 0)
}

function stays(version: '1.0' | '1.1', connection: readonly string[]) {
	if (connection.includes('close')) return false
	return version === '1.1' || connection.includes('keep-alive')
}

function understand(line: RequestLine, fields: readonly string[], next: number): ParsedRequest {
	const noted = note(fields)
	if (noted.hosts !== 1 || !isAuthority(noted.host)) return refused(badRequest.host)
	const framing = framingOf(noted, line.version)
	if ('status' in framing) return refused(framing)
	const connection = connectionTokens(noted.connection)
	if (connection === null) return refused(badRequest.connection)
	const continues = expectsContinue(noted.expect)
	if (continues === null) return refused(badRequest.expectation)
	const isModern = line.version === '1.1'
	// A request with a body cannot also switch protocols: the following bytes would be ambiguous.
	const leaves = isModern && noted.upgrade !== null && connection.includes('upgrade') && !hasBody(framing)
	const head: RequestHead = {
		method: line.method,
		target: line.target,
		version: line.version,
		authority: line.authority ?? noted.host,
		fields,
		framing,
		connection,
		keepAlive: stays(line.version, connection),
		expectContinue: continues && isModern && hasBody(framing),
		upgrade: leaves && noted.upgrade !== null ? noted.upgrade.toLowerCase() : null,
		wantsTrailers: noted.te !== null && isModern && namesTrailers(noted.te)
	}
	return {kind: 'head', head, next}
}

/** At most one empty line before a request is skipped (RFC 9112, 2.2). */
function skipEmptyLine(bytes: Buffer, start: number, end: number) {
	const isEmpty = end - start >= 2 && bytes[start] === carriageReturn && bytes[start + 1] === lineFeed
	return isEmpty ? start + 2 : start
}

const direction = {readLine: readRequestLine, names: requestNameBytes, refusals: badRequest}

/** A request's head between `start` and `end`: strict, by the column "Ours" of the route description, 3.3. `before` as in `readHead`. */
export function parseRequestHead(
	bytes: Buffer,
	start: number,
	end: number,
	limits: ServerLimits,
	before: RequestSoFar = nothingRead
): ParsedRequest {
	const from = skipEmptyLine(bytes, start, end)
	if (from === end || (end - from === 1 && bytes[from] === carriageReturn)) return {kind: 'more', soFar: before}
	if (bytes[from] === carriageReturn) return refused(badRequest.emptyLines)
	const read = readHead(direction, bytes, {start, from, end}, limits, before)
	return read.kind === 'lines' ? understand(read.line, read.fields, read.next) : read
}
