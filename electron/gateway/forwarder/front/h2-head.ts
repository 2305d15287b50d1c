/**
 * The head of an HTTP/2 request, made into the head that every version shares (RFC 9113, section 8; G26).
 * nghttp2 has already refused control characters, upper-case names, connection fields and wrong pseudo-fields.
 */
import { isAuthority } from '../http1/authority.ts';
import { isToken, requestNameBytes, targetBytes, valueBytes } from '../http1/characters.ts';
import { contentLength } from '../http1/fields.ts';
import { expectsContinue, namesTrailers } from '../http1/request-head.ts';
import { badRequest, refused } from '../refusals.ts';
import type { Refusal, RequestFraming, RequestHead } from '../message-types.ts';
import type { ServerLimits } from '../types.ts';

export interface Http2Head {
	/** As far as it could be read, for the log and the answer. */
	readonly head: RequestHead;
	/** The rule that it breaks. */
	readonly refusal: Refusal | null;
}

/** What the pseudo-fields said; the rest in order, cookie crumbs joined. */
interface Parts {
	readonly method: string;
	readonly path: string;
	readonly scheme: string;
	readonly authority: string | null;
	readonly hosts: readonly string[];
	/** All but `host`. */
	readonly fields: string[];
	readonly lengths: readonly string[];
	readonly te: string | null;
	readonly expect: string | null;
	readonly connection: boolean;
	readonly size: number;
}

const ofTheConnection = new Set(['connection', 'keep-alive', 'proxy-connection', 'transfer-encoding', 'upgrade']);

/** `raw`: names and values in turn, as node:http2 tells them. `ended`: no body follows. */
export function readHttp2Head(raw: readonly string[], ended: boolean, limits: ServerLimits): Http2Head {
	const parts = partsOf(raw);
	const head = headOf(parts, ended);
	const refusal = refusalOf(parts, ended, limits);
	return { head, refusal };
}

function partsOf(raw: readonly string[]): Parts {
	const pseudo: Record<string, string> = {};
	const hosts: string[] = [];
	const lengths: string[] = [];
	const fields: string[] = [];
	let cookie = -1;
	let te: string | null = null;
	let expect: string | null = null;
	let connection = false;
	let size = 0;
	for (let at = 0; at + 1 < raw.length; at += 2) {
		const name = raw[at] ?? '';
		const value = raw[at + 1] ?? '';
		size += name.length + value.length + 4;
		if (name.startsWith(':')) {
			pseudo[name] = value;
		} else if (name === 'host') {
			hosts.push(value);
		} else if (name === 'cookie' && cookie >= 0) {
			fields[cookie] = `${fields[cookie] ?? ''}; ${value}`;
		} else {
			if (name === 'cookie') cookie = fields.length + 1;
			else if (name === 'content-length') lengths.push(value);
			else if (name === 'te') te = te === null ? value : `${te}, ${value}`;
			else if (name === 'expect') expect = expect === null ? value : `${expect}, ${value}`;
			else if (ofTheConnection.has(name)) connection = true;
			fields.push(name, value);
		}
	}
	return {
		method: pseudo[':method'] ?? '',
		path: pseudo[':path'] ?? '',
		scheme: pseudo[':scheme'] ?? '',
		authority: pseudo[':authority'] ?? null,
		hosts,
		fields,
		lengths,
		te,
		expect,
		connection,
		size,
	};
}

function headOf(parts: Parts, ended: boolean): RequestHead {
	const authority = parts.authority ?? parts.hosts[0] ?? '';
	return {
		method: parts.method,
		target: parts.path,
		version: '2',
		authority,
		fields: ['host', authority, ...parts.fields],
		framing: framingOf(parts, ended),
		connection: [],
		keepAlive: true,
		expectContinue: expectsContinue(parts.expect) === true && !ended,
		upgrade: null,
		wantsTrailers: namesTrailers(parts.te),
	};
}

function framingOf(parts: Parts, ended: boolean): RequestFraming {
	if (ended) return { kind: 'none' };
	const length = contentLength(parts.lengths[0] ?? '');
	return length === null ? { kind: 'chunked' } : { kind: 'length', length };
}

function refusalOf(parts: Parts, ended: boolean, limits: ServerLimits): Refusal | null {
	return lineProblem(parts, limits) ?? hostProblem(parts) ?? fieldProblem(parts, limits) ?? lengthProblem(parts, ended);
}

function consists(text: string, table: Uint8Array): boolean {
	for (let at = 0; at < text.length; at++) if (table[text.charCodeAt(at)] !== 1) return false;
	return true;
}

function lineProblem(parts: Parts, limits: ServerLimits): Refusal | null {
	if (parts.method === 'CONNECT') return refused.connect;
	if (!isToken(parts.method) || (parts.scheme !== 'https' && parts.scheme !== 'http')) return badRequest.line;
	if (parts.path.length > limits.targetBytes) return badRequest.targetTooLong;
	const fits = parts.path.startsWith('/') || (parts.path === '*' && parts.method === 'OPTIONS');
	return fits && consists(parts.path, targetBytes) ? null : badRequest.target;
}

/** `:authority` and `Host` may both stand there, and then must be the same (RFC 9113, 8.3.1). */
function hostProblem(parts: Parts): Refusal | null {
	const [host] = parts.hosts;
	const authority = parts.authority ?? host ?? '';
	const same = host === undefined || host.toLowerCase() === authority.toLowerCase();
	return parts.hosts.length <= 1 && same && isAuthority(authority) ? null : badRequest.host;
}

function fieldProblem(parts: Parts, limits: ServerLimits): Refusal | null {
	if (parts.size > limits.headBytes || parts.fields.length > limits.fields * 2) return badRequest.headTooLarge;
	if (parts.connection) return badRequest.connection;
	for (let at = 0; at < parts.fields.length; at += 2) {
		const name = parts.fields[at] ?? '';
		if (name === '' || !consists(name, requestNameBytes)) return badRequest.fieldName;
		if (!consists(parts.fields[at + 1] ?? '', valueBytes)) return badRequest.fieldValue;
	}
	return expectsContinue(parts.expect) === null ? badRequest.expectation : null;
}

function lengthProblem(parts: Parts, ended: boolean): Refusal | null {
	const [length] = parts.lengths;
	if (length === undefined) return null;
	const count = parts.lengths.length === 1 ? contentLength(length) : null;
	return count === null || (ended && count !== 0) ? badRequest.length : null;
}
