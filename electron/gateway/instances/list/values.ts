/** Converts source values: one value in, its lines of the built list out. */
import type {ListService} from '#model/instance.ts'

import {keyOf, parseRange, rangeText, type AddressRange} from './address.ts'
import {parseHostName} from './hosts.ts'
import {hostIsFree, type Never} from './never.ts'
import {without} from './ranges.ts'
import {lineOfUrl, parseListUrl} from './urls.ts'

export type ListType = ListService['type']

/** The result of a value. */
interface Checked {
	/** Lines of the built list; see {@link valueOfLine} in `render.ts`. */
	lines: readonly string[]
	/** The change, or why nothing is left; `null`: unchanged. */
	reason: string | null
	/** The value in the log, if different from the raw one. */
	value: string | null
	/** Not a value of this type: dropped, unless invalid values are retained. */
	invalid: boolean
}

export type Check = (raw: string) => Checked

/** `raw`: trimmed, not empty, no comment. */
export function checkOf(type: ListType, never: Never) {
	const checks: Readonly<Record<ListType, Check>> = {
		sha256: raw => checkHash(raw, never),
		ip: raw => checkAddress(raw, never),
		domain: raw => checkDomain(raw, never),
		url: raw => checkUrl(raw, never)
	}
	return checks[type]
}

/** The value of a source line, without its comment; `null` without one. */
export function valueOf(line: string): string | null {
	const text = line.trim()
	if (text === '' || text.startsWith('#')) return null
	const comment = text.search(/\s#/)
	return comment < 0 ? text : text.slice(0, comment).trimEnd()
}

const asIs = {reason: null, value: null, invalid: false} as const

function taken(line: string): Checked {
	return {lines: [line], ...asIs}
}

function invalid(reason: string): Checked {
	return {lines: [], reason, value: null, invalid: true}
}

function kept(reason: string): Checked {
	return {lines: [], reason, value: null, invalid: false}
}

const isNever = 'is never published'

/** A description may follow, as in the formats of `sha256sum` and FortiGate. */
function checkHash(raw: string, never: Never) {
	const hash = (raw.length === 64 ? raw : firstWord(raw)).toLowerCase()
	if (!/^[0-9a-f]{64}$/.test(hash)) return invalid('is not a SHA-256')
	return never.values.has(hash) ? kept(isNever) : taken(hash)
}

/** PAN-OS reads text after an address as a comment. */
function firstWord(raw: string) {
	return /^\S+/.exec(raw)?.[0] ?? ''
}

const widest = {4: 32n - 8n, 6: 128n - 19n} as const

function checkAddress(raw: string, never: Never): Checked {
	const text = addressPart(raw)
	const range = parseRange(text)
	if (range === null) return invalid('is not an address, network or range')
	if (range.end - range.start >= 1n << widest[range.family]) {
		return invalid(range.family === 4 ? 'is wider than /8' : 'is wider than /19')
	}
	const left = without(range, never.ranges)
	if (left.length === 0) return kept(isNever)
	if (left[0] !== range) return {...cut(left), reason: 'without what is never published'}
	const value = rangeText(range)
	return value === text ? taken(keyOf(range)) : {...cut(left), reason: 'is written in its usual form'}
}

/** `1.2.3.4 - 1.2.3.9` contains spaces itself. */
function addressPart(raw: string) {
	return /^\S+\s+-\s+\S+/.exec(raw)?.[0].replaceAll(/\s/g, '') ?? firstWord(raw)
}

function cut(left: readonly AddressRange[]): Omit<Checked, 'reason'> {
	return {lines: left.map(keyOf), value: left.map(rangeText).join(' '), invalid: false}
}

function checkDomain(raw: string, never: Never): Checked {
	const host = parseHostName(firstWord(raw))
	if (host.problem !== undefined) return invalid(host.problem)
	if (never.blocksHost(host)) return kept(isNever)
	if (!host.wildcard) return taken(host.name)
	const lines = [host.name, `*.${host.name}`]
	return {lines, reason: 'stands for the domain and all below it', value: lines.join(' '), invalid: false}
}

function checkUrl(raw: string, never: Never): Checked {
	const url = /\s/.test(raw) ? 'holds a space' : parseListUrl(raw)
	if (typeof url === 'string') return invalid(url)
	const registered = url.host.startsWith('*.') ? parseHostName(url.host) : null
	if (registered?.problem !== undefined) return invalid(registered.problem)
	if (hostIsFree(url.host, never) || never.values.has(url.host + url.tail)) return kept(isNever)
	if (registered === null) return taken(lineOfUrl(url))
	const lines = [lineOfUrl({...url, host: registered.name}), lineOfUrl(url)]
	const value = `${registered.name}${url.tail} ${url.host}${url.tail}`
	return {lines, reason: 'stands for the domain and all below it', value, invalid: false}
}
