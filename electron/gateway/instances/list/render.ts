/** Renders the built list to the bytes of a variant, streaming one batch at a time. */
import type {ListService} from '#model/instance.ts'

import {isNetwork, networksOf, networkText, rangeOfKey, rangeText, spanText, type AddressRange} from './address.ts'
import {linesAt, type Batch} from './lines.ts'
import {joined, touches} from './ranges.ts'
import {longestUrl, sameUrl, urlOfLine} from './urls.ts'
import type {Variant} from './variant.ts'

/** The two files of a built list, sorted and without duplicates. */
export interface Base {
	readonly type: ListService['type']
	/** Hashes and domains unchanged, URLs by `lineOfUrl`, addresses by `keyOf`. */
	readonly valid: string
	/** Values that do not fit the type, for variants that include them. */
	readonly invalid: string
}

/** Values in list order. */
export async function* valuesOf(base: Base, variant: Variant, signal?: AbortSignal): AsyncGenerator<Batch> {
	yield* window(allValues(base, variant, signal), variant.offset, variant.limit)
}

async function* allValues(base: Base, variant: Variant, signal?: AbortSignal) {
	const lines = linesAt(base.valid, signal)
	if (base.type === 'ip') yield* addresses(lines, variant.collapse)
	else if (base.type === 'url') yield* urls(lines, variant)
	else yield* lines
	if (!variant.dropInvalid) yield* linesAt(base.invalid, signal)
}

async function* window(batches: AsyncIterable<Batch>, offset: number, limit: number) {
	let skip = offset
	let left = limit
	for await (const batch of batches) {
		const part = batch.slice(skip, skip + left)
		skip = Math.max(0, skip - batch.length)
		left -= part.length
		if (part.length > 0) yield part
		if (left <= 0) return
	}
}

/** URLs that differ only in a stripped port become one: such lines are adjacent. */
async function* urls(batches: AsyncIterable<Batch>, variant: Variant) {
	const keep = {protocol: !variant.stripProtocol, port: !variant.stripPort}
	const fits = (url: string) => !variant.dropInvalid || url.length <= longestUrl
	let group = new Set<string>()
	let last = ''
	for await (const batch of batches) {
		const out: string[] = []
		for (const line of batch) {
			const url = urlOfLine(line, keep)
			if (!sameUrl(line, last)) {
				last = line
				if (group.size > 0) group = new Set()
			} else {
				group.add(urlOfLine(last, keep))
				if (group.has(url)) continue
				group.add(url)
			}
			if (fits(url)) out.push(url)
		}
		yield out
	}
}

/** A line of the built list in readable form. */
export function valueOfLine(line: string, type: Base['type']) {
	if (type === 'ip') return rangeText(rangeOfKey(line))
	return type === 'url' ? urlOfLine(line, {protocol: true, port: true}) : line
}

async function* addresses(batches: AsyncIterable<Batch>, collapse: Variant['collapse']) {
	if (collapse === 'none') {
		for await (const batch of batches) yield batch.map(key => rangeText(rangeOfKey(key)))
		return
	}
	const texts = collapse === 'ranges' ? (range: AddressRange) => [spanText(range)] : networkTexts
	let open: AddressRange | null = null
	for await (const batch of batches) {
		const out: string[] = []
		for (const range of batch.map(rangeOfKey)) {
			if (open !== null && touches(open, range)) {
				open = joined(open, range)
				continue
			}
			if (open !== null) out.push(...texts(open))
			open = range
		}
		yield out
	}
	if (open !== null) yield texts(open)
}

function networkTexts(range: AddressRange) {
	return isNetwork(range) ? [networkText(range)] : networksOf(range).map(networkText)
}

/** The syntax of a format; `empty` is the whole body without values. */
interface Format {
	open: string
	between: string
	close: string
	empty: string
	value: (value: string) => string
}

function formatOf(base: Base, variant: Variant): Format {
	const kind = indicatorType[base.type]
	if (variant.format === 'json') {
		const value = (text: string) => `{"value": ${JSON.stringify(text)}, "indicator_type": "${kind(text)}"}`
		return {open: '[', between: ', ', close: ']', empty: '[]', value}
	}
	if (variant.format === 'csv') {
		const value = (text: string) => `"${inert(text).replaceAll('"', '""')}","${kind(text)}"`
		return {open: 'value,indicator_type\n', between: '\n', close: '', empty: 'value,indicator_type', value}
	}
	const empty = variant.commentIfEmpty ? '# Empty List' : ''
	return {open: '', between: '\n', close: '', empty, value: text => text}
}

/** Kinds of indicators, named as in the original. */
const indicatorType: Readonly<Record<Base['type'], (value: string) => string>> = {
	sha256: () => 'File',
	url: () => 'URL',
	domain: value => (value.startsWith('*') ? 'DomainGlob' : 'Domain'),
	ip: value => `${value.includes(':') ? 'IPv6' : 'IP'}${value.includes('/') ? 'CIDR' : ''}`.replace('IPCIDR', 'CIDR')
}

/** Only a retained invalid value can look like a formula (OWASP, "CSV Injection"). */
function inert(text: string) {
	return /^[=+\-@]/.test(text) ? `'${text}` : text
}

export interface Piece {
	readonly bytes: Buffer
	/** Number of values in these bytes. */
	readonly values: number
}

/** Writes the body of a variant. `values`: of {@link valuesOf}, which the caller may share between formats. */
export function writerOf(base: Base, variant: Variant): {piece(batch: Batch): Piece; end(): Piece} {
	const format = formatOf(base, variant)
	let written = 0
	return {
		piece: batch => {
			const before = written === 0 ? format.open : format.between
			written += batch.length
			const text = batch.length === 0 ? '' : before + batch.map(format.value).join(format.between)
			return {bytes: Buffer.from(text), values: batch.length}
		},
		end: () => ({bytes: Buffer.from(written === 0 ? format.empty : format.close), values: 0})
	}
}

export async function* bodyOf(base: Base, variant: Variant, signal?: AbortSignal): AsyncGenerator<Piece> {
	const writer = writerOf(base, variant)
	for await (const batch of valuesOf(base, variant, signal)) yield writer.piece(batch)
	yield writer.end()
}
