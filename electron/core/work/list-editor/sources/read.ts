import {Readable} from 'node:stream'

import {parse} from 'csv-parse'

import {CordonError, messageOf, usageError} from '#contract/errors.ts'
import {isRecord, parsedJson} from '#shared/is-record.ts'
import {isSha256, normalSha256} from '#model/formats.ts'
import type {HashSource, SourceColumn, SourceReport} from '#model/list-draft.ts'
import {counted} from '#text/numbers.ts'
import {nouns} from '#text/terms.ts'
import {breaths} from '#base/breaths.ts'
import type {FoundHash, ReadSource} from './types.ts'

/**
 * Reads by what the text is, not by what the file is called: lines and rows in pieces, for there may be a hundred thousand. Throws
 * `usage` where it is damaged.
 */
export async function readSource({name, text, columns}: HashSource, now: number): Promise<ReadSource> {
	const bundle = text.trimStart().startsWith('{') ? parsedJson(text) : undefined
	if (isStix(bundle)) return await readStix(bundle, now)
	const isTable = columns !== undefined || /\.(?:csv|tsv)$/i.test(name) || delimiterOf(text) !== undefined
	return await (isTable ? readCsv(text, columns) : readPlain(text))
}

export async function reportOf({format, found, ignored, columns, chosen}: ReadSource): Promise<SourceReport> {
	const [hashes, others] = [new Set<string>(), new Set<string>()]
	const breath = breaths()
	for (const {text} of found) {
		if (isSha256(text)) hashes.add(normalSha256(text))
		else others.add(text)
		await breath()
	}
	return {format, hashes: hashes.size, others: others.size, ignored, columns, chosen}
}

/** Hashes in plain text: a list with one to a line and perhaps a note, or a report with hashes somewhere in it. */
const sha256 = /(?<![0-9a-z])[0-9a-f]{64}(?![0-9a-z])/gi
const shorter = /(?<![0-9a-z])(?:[0-9a-f]{40}|[0-9a-f]{32})(?![0-9a-z])/gi
const comment = /^\s*(?:#|\/\/|;)/
/** A single word, which may have been meant as a hash. */
const word = /^\s*(?=\S*[0-9a-z])\S+\s*$/i
/** Between a hash and its note, and around both. */
const edges = /^[\s,;|:="'`()[\]<>*-]+|[\s,;|:="'`()[\]<>*-]+$/g

async function readPlain(text: string): Promise<ReadSource> {
	const found: FoundHash[] = []
	const breath = breaths()
	let prose = 0
	for (const [index, line] of lines(text)) {
		await breath()
		if (line.trim() === '' || comment.test(line)) continue
		const here = inLine(line, `line ${index + 1}`)
		for (const one of here) found.push(one)
		if (here.length > 0) continue
		if (!word.test(line)) prose += 1
		else found.push({text: line.trim().slice(0, 200), note: '', place: `line ${index + 1}`})
	}
	const ignored = prose === 0 ? [] : [`${counted(prose, nouns.line)} without a hash`]
	return {format: 'text', found, ignored, columns: [], chosen: null}
}

/** A line that names a file by several hashes gives the SHA-256 alone. */
function inLine(line: string, place: string) {
	const long = [...line.matchAll(sha256)].map(([hash]) => hash)
	const hashes = long.length > 0 ? long : [...line.matchAll(shorter)].map(([hash]) => hash)
	const [only] = hashes
	if (hashes.length === 1 && only !== undefined) return [{text: only, note: noteOf(line, only), place}]
	return hashes.map(text => ({text, note: '', place}))
}

function noteOf(line: string, hash: string) {
	const [before = '', after = ''] = line.split(hash)
	return [before, after]
		.map(part => part.replaceAll(shorter, '').replaceAll(edges, ''))
		.filter(part => part !== '')
		.join(' ')
}

function lines(text: string) {
	return text
		.replace(/^\uFEFF/, '')
		.split(/\r\n|\n|\r/)
		.entries()
}

/** SHA-256 hashes of a STIX 2.0 or 2.1 bundle: of file objects, and of indicators whose pattern asks for a hash. */
type Json = Readonly<Record<string, unknown>>

/** `file:hashes.'SHA-256' = '…'` (STIX 2.1, section 9); what is negated is none. */
const compared =
	/(\bNOT\s+)?\bfile:(?:[\w.-]+\.)?hashes\.(?:'([^']+)'|"([^"]+)"|([\w-]+))\s*(NOT\s+)?(!=|=|IN|LIKE|MATCHES)\s*(\([^)]*\)|'[^']*')/gi

function isStix(value: unknown): value is Json {
	return isRecord(value) && (value['type'] === 'bundle' || (typeof value['id'] === 'string' && value['id'].includes('--')))
}

async function readStix(root: Json, now: number): Promise<ReadSource> {
	const found: FoundHash[] = []
	const passed = {revoked: 0, expired: 0, other: 0}
	const breath = breaths()
	for (const object of Array.isArray(root['objects']) ? (root['objects'] as unknown[]) : [root]) {
		await breath()
		if (!isRecord(object)) continue
		const here = hashesOf(object)
		if (here.length === 0) passed.other += Number(object['type'] === 'indicator')
		else if (object['revoked'] === true) passed.revoked += 1
		else if (isOver(object, now)) passed.expired += 1
		else for (const one of here) found.push(one)
	}
	return {format: 'stix', found, ignored: words(passed), columns: [], chosen: null}
}

function words({revoked, expired, other}: Readonly<Record<string, number>>) {
	const told = [
		[revoked, 'revoked'],
		[expired, 'expired'],
		[other, 'not about the hash of a file']
	] as const
	return told.filter(([count = 0]) => count > 0).map(([count = 0, why]) => `${counted(count, ['indicator', 'indicators'])} ${why}`)
}

function isOver(object: Json, now: number) {
	const until = object['valid_until']
	return typeof until === 'string' && Date.parse(until) <= now
}

function hashesOf(object: Json) {
	const place = typeof object['id'] === 'string' ? object['id'].slice(0, 100) : 'an object without id'
	const note = typeof object['name'] === 'string' ? object['name'] : ''
	return [...ofFile(object), ...ofPattern(object), ...ofObserved(object)].map(text => ({text: text.slice(0, 200), note, place}))
}

/** The SHA-256 of a file; a weaker hash only where it is all there is. */
function ofFile(object: Json) {
	const hashes = object['hashes']
	if (object['type'] !== 'file' || !isRecord(hashes)) return []
	return strongest(Object.entries(hashes))
}

function ofPattern(object: Json) {
	const pattern = object['pattern']
	if (object['type'] !== 'indicator' || typeof pattern !== 'string') return []
	const pairs = [...pattern.matchAll(compared)].flatMap((match): [string, string][] => {
		const [, before, single, double, bare, negated, operator = '', value = ''] = match
		if (before !== undefined || negated !== undefined) return []
		if (operator !== '=' && operator.toUpperCase() !== 'IN') return []
		return [...value.matchAll(/'([^']*)'/g)].map(([, hash = '']) => [single ?? double ?? bare ?? '', hash])
	})
	return strongest(pairs)
}

/** STIX 2.0 keeps what was observed inside of one object. */
function ofObserved(object: Json) {
	const inner = object['objects']
	if (object['type'] !== 'observed-data' || !isRecord(inner)) return []
	return Object.values(inner).filter(isRecord).flatMap(ofFile)
}

function strongest(pairs: readonly (readonly [algorithm: string, hash: unknown])[]) {
	const named = pairs.flatMap(([algorithm, hash]) =>
		typeof hash === 'string' ? [{algorithm: algorithm.toLowerCase().replaceAll(/[^a-z0-9]/g, ''), hash}] : []
	)
	for (const wanted of ['sha256', 'sha1', 'md5']) {
		const found = named.filter(({algorithm}) => algorithm === wanted)
		if (found.length > 0) return found.map(({hash}) => hash)
	}
	return []
}

/** Hashes in a table (RFC 4180, or with semicolons, tabs or bars): a column of hashes, and perhaps one of notes. */
const delimiters = [',', ';', '\t', '|'] as const
const mostColumns = 200
const sampleSize = 3
/** Looked at to tell how columns are parted. */
const longestHead = 65_536

interface Row {
	record: readonly string[]
	line: number
}

/** The delimiter that stands equally often in the first lines; `undefined`: it is no table. */
function delimiterOf(text: string) {
	const lines = text
		.slice(0, longestHead)
		.replaceAll(/"(?:[^"]|"")*"/g, '')
		.split(/\r\n|\n|\r/, 12)
		.filter(line => line.trim() !== '')
		.slice(0, 10)
	if (lines.length < 2) return undefined
	return delimiters.find(delimiter => {
		const counts = lines.map(line => line.split(delimiter).length - 1)
		return (counts[0] ?? 0) > 0 && counts.every(count => count === counts[0])
	})
}

/** Throws `usage` when the text is no table, or has not the columns that were chosen. */
async function readCsv(text: string, columns?: {hash: number; note: number | null}): Promise<ReadSource> {
	const rows = await rowsOf(text, delimiterOf(text) ?? ',')
	const [first] = rows
	const hasHeader = first !== undefined && !first.record.some(cell => isSha256(cell.trim()))
	const body = hasHeader ? rows.slice(1) : rows
	const described = await describe(hasHeader ? first.record : [], body)
	const chosen = columns ?? {hash: mostHashes(described), note: null}
	checkColumn(chosen.hash, described.length, 'hash')
	if (chosen.note !== null) checkColumn(chosen.note, described.length, 'note')
	const found = body.flatMap(row => foundIn(row, chosen))
	const empty = body.length - found.length
	const ignored = empty === 0 ? [] : [`${counted(empty, nouns.row)} with nothing in the column`]
	return {format: 'csv', found, ignored, columns: described, chosen}
}

async function rowsOf(text: string, delimiter: string) {
	try {
		const parser = parse({delimiter, bom: true, relax_column_count: true, skip_empty_lines: true, info: true})
		const rows: Row[] = []
		const breath = breaths()
		// With `info` each row comes with where it ended.
		for await (const {record, info} of Readable.from(piecesOf(text)).pipe(parser) as AsyncIterable<Parsed>) {
			rows.push({record, line: info.lines})
			await breath()
		}
		return rows
	} catch (error) {
		const why = messageOf(error)
		throw new CordonError('usage', `The table cannot be read: ${why}.`, {field: 'text', fix: 'Mend the line, or save the table anew as CSV.'})
	}
}

interface Parsed {
	record: readonly string[]
	info: {lines: number}
}

/** As bytes: a character may be cut in two. */
function* piecesOf(text: string) {
	const bytes = Buffer.from(text)
	for (let at = 0; at < bytes.length; at += longestHead) yield bytes.subarray(at, at + longestHead)
}

async function describe(header: readonly string[], body: readonly Row[]) {
	const width = Math.min(mostColumns, Math.max(header.length, ...body.slice(0, 1000).map(({record}) => record.length), 0))
	const breath = breaths()
	const described: SourceColumn[] = []
	for (let index = 0; index < width; index += 1) {
		const title = (header[index] ?? '').trim()
		const sample: string[] = []
		let hashes = 0
		for (const {record} of body) {
			const cell = (record[index] ?? '').trim()
			if (isSha256(cell)) hashes += 1
			if (cell !== '' && sample.length < sampleSize) sample.push(cell)
			await breath()
		}
		described.push({index, title: title === '' ? `Column ${index + 1}` : title, hashes, sample})
	}
	return described
}

function mostHashes(columns: readonly SourceColumn[]) {
	return columns.toSorted((a, b) => b.hashes - a.hashes)[0]?.index ?? 0
}

function checkColumn(index: number, width: number, field: string) {
	if (index < width) return
	throw usageError(`The table has ${width} columns; there is no column ${index + 1}.`, field)
}

function foundIn({record, line}: Row, chosen: {hash: number; note: number | null}): FoundHash[] {
	const text = (record[chosen.hash] ?? '').trim()
	if (text === '') return []
	const note = chosen.note === null ? '' : (record[chosen.note] ?? '').trim()
	return [{text: text.slice(0, 200), note, place: `line ${line}`}]
}
