/** Values of lists as STIX 2.1 indicators. Pure. */
import {createHash} from 'node:crypto'

import {parseRange, rangeText} from '../list/address.ts'
import {parseHostName} from '../list/hosts.ts'
import {parseListUrl} from '../list/urls.ts'

/** Cordon's own namespace: a value has the same id everywhere and always. */
const namespace = 'b5a1a9f0-2d4c-4a8e-9a57-6f0d2c7e31aa'

/** Name-based UUID, version 5 (RFC 9562). */
export function uuid5(name: string, space = namespace) {
	const bytes = createHash('sha1')
		.update(Buffer.from(space.replaceAll('-', ''), 'hex'))
		.update(name)
		.digest()
	bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6)
	bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
	return bytes.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** `SHA-256:…`: kind and canonical form; `null` for anything else. */
export function indicatorKey(raw: string) {
	const [word = ''] = raw.trim().split(/\s+/)
	const hash = {32: 'MD5', 40: 'SHA-1', 64: 'SHA-256'}[/^[0-9a-f]+$/i.test(word) ? word.length : 0]
	if (hash !== undefined) return `${hash}:${word.toLowerCase()}`
	const range = parseRange(word)
	if (range !== null) return word.includes('-') ? null : `ipv${range.family}-addr:${rangeText(range)}`
	if (/^[a-z][a-z0-9+.-]*:\/\//i.test(word)) return typeof parseListUrl(word) === 'string' ? null : `url:${word}`
	const host = parseHostName(word)
	return host.problem !== undefined || host.wildcard || !host.name.includes('.') ? null : `domain-name:${host.name}`
}

export function indicatorId(key: string) {
	return `indicator--${uuid5(key)}`
}

/** Strings in patterns have single quotes. */
function patternOf(key: string) {
	const [, kind = '', value = ''] = /^([^:]+):(.*)$/s.exec(key) ?? []
	const text = `'${value.replace(/[\\']/g, '\\$&')}'`
	if (kind === 'MD5') return `[file:hashes.MD5 = ${text}]`
	return kind.startsWith('SHA') ? `[file:hashes.'${kind}' = ${text}]` : `[${kind}:value = ${text}]`
}

export interface Version {
	readonly id: string
	readonly key: string
	/** Unix milliseconds. */
	readonly created: number
	readonly modified: number
	readonly revoked: number
	/** When it was added to the collection, Unix microseconds. */
	readonly added: number
}

export function indicatorOf({id, key, created, modified, revoked}: Version) {
	const at = new Date(created).toISOString()
	return {
		type: 'indicator',
		spec_version: '2.1',
		id,
		created_by_ref: identity.id,
		created: at,
		modified: new Date(modified).toISOString(),
		name: key.slice(key.indexOf(':') + 1),
		indicator_types: ['malicious-activity'],
		pattern: patternOf(key),
		pattern_type: 'stix',
		valid_from: at,
		...(revoked === 1 && {revoked: true})
	}
}

const identity = {id: `identity--${uuid5('Cordon')}`}

/** With microseconds, as in `date_added`. */
export function microTime(micros: number) {
	const ms = Math.floor(micros / 1000)
	return new Date(ms).toISOString().replace('Z', `${String(micros - ms * 1000).padStart(3, '0')}Z`)
}

/** Unix microseconds of a STIX timestamp; `null` if invalid. */
export function microsOf(text: string) {
	const [, whole, fraction = ''] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?Z$/.exec(text) ?? []
	const seconds = whole === undefined ? Number.NaN : Date.parse(`${whole}Z`)
	return Number.isNaN(seconds) ? null : seconds * 1000 + Number(fraction.padEnd(6, '0').slice(0, 6))
}
