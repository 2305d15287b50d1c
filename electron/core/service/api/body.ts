import {promisify} from 'node:util'
import {gunzip} from 'node:zlib'

import {systemCode} from '#contract/errors.ts'
import {parseExact} from '#model/exact-json.ts'
import {failed, type Outcome} from './failure.ts'

/** The most that an answer may hold, packed and unpacked. */
export const maxBodyBytes = 64 * 1024 * 1024

const unzip = promisify(gunzip)

/** The bytes of an answer as its text. */
export async function textOf(bytes: Uint8Array, encoding: string): Promise<Outcome<string>> {
	const name = encoding.trim().toLowerCase()
	if (name === '' || name === 'identity' || bytes.length === 0) return {ok: true, value: decode(bytes)}
	if (name !== 'gzip' && name !== 'x-gzip') {
		return {ok: false, failure: failed('bad_json', `The service's answer is packed in a way that was not asked for (${name}).`, {unknown: true})}
	}
	try {
		return {ok: true, value: decode(await unzip(bytes, {maxOutputLength: maxBodyBytes}))}
	} catch (error) {
		return {ok: false, failure: unzipFailure(error)}
	}
}

/** The JSON of a success, with exact integers. The envelope is always an object. */
export function jsonOf(text: string): Outcome<unknown> {
	const value = tryJson(text)
	if (value === undefined) return {ok: false, failure: failed('bad_json', notJson(text), {unknown: true})}
	if (typeof value === 'object' && value !== null && !Array.isArray(value)) return {ok: true, value}
	return {ok: false, failure: failed('unexpected_shape', undefined, {unknown: true})}
}

/** `undefined` when it is no JSON. */
export function tryJson(text: string): unknown {
	try {
		return parseExact(text)
	} catch {
		return undefined
	}
}

function notJson(text: string) {
	return /^\s*</.test(text) ? "The service's answer is a web page, not JSON: something between here and the service may have sent it." : undefined
}

function decode(bytes: Uint8Array) {
	return new TextDecoder().decode(bytes)
}

function unzipFailure(error: unknown) {
	const code = systemCode(error)
	if (code === 'ERR_BUFFER_TOO_LARGE') return failed('too_large', undefined, {unknown: true})
	if (code === 'Z_BUF_ERROR') return failed('truncated', undefined, {unknown: true, retry: true})
	return failed('bad_json', "The service's answer cannot be unpacked.", {unknown: true})
}
