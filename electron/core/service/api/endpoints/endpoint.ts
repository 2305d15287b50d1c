import {member} from '#shared/is-record.ts'
import {CordonError} from '#contract/errors.ts'
import {stringifyExact} from '#model/exact-json.ts'
import {type Odd, oddKey} from '#model/odd.ts'
import {omitUndefined} from '#shared/omit-undefined.ts'
import {breaths, ownTurn} from '#base/breaths.ts'
import {redact} from '#base/redact.ts'

import {checkInteger} from '../checks.ts'
import {jsonOf, textOf} from '../body.ts'
import {hasErrors} from '../errors.ts'
import {walkPages} from '../listing.ts'
import type {Listing, Page, WalkOptions} from '../pages.ts'
import type {Answered, ApiAnswer, ApiClient, ApiRequest, CallOptions} from '../types.ts'

type Query = readonly (readonly [name: string, value: string])[]

/** Checks a value, and names its argument where it is wrong. */
type Check<T> = (name: string, value: T) => T | string

/** Array parameters go out as repeated `name[]=` (API reference, "Request format"). */
export function many<Name extends string, T extends string | number>(
	args: {[N in Name]?: readonly T[] | undefined},
	name: Name,
	check: Check<T>
): Query {
	return (args[name] ?? []).map(value => [`${name}[]`, String(check(name, value))])
}

export function one<Name extends string, T extends string | number>(args: {[N in Name]?: T | undefined}, name: Name, check: Check<T>): Query {
	const value = args[name]
	return value === undefined ? [] : [[name, String(check(name, value))]]
}

/** Calls an endpoint that answers with one object in `data`. */
export async function callFor<T>(client: ApiClient, request: ApiRequest, shape: Shape<T>, options?: CallOptions): Promise<Answered<T>> {
	const answer = await client.call(request, options)
	return {...factsOf(answer), data: parseData(request, answer, shape)}
}

/** The `data` of an answer in its documented form, or as near to it as it can be read. */
export function parseData<T>(request: ApiRequest, answer: Told, shape: Shape<T>) {
	const read = readLeniently(shape, member(answer.body, 'data'))
	if ('record' in read) return read.record
	throw unexpectedShape(request, answer, read.issue)
}

interface Listed<T> {
	path: readonly string[]
	query: Query
	key: (record: T) => string
}

interface ListSpec<T> extends Listed<T>, Records<T> {}

interface Records<T> {
	/** Of one record. */
	shape: Shape<T>
	/** Where the records are in `data`; left out, it is the list itself. */
	itemsOf?: (data: unknown, request: ApiRequest, answer: Told) => unknown
}

/** What is told of an answer in an error. */
export type Told = Pick<ApiAnswer, 'body' | 'status' | 'requestId'>

/** What a page holds, besides the facts of its answer. */
type PageContent<T> = Pick<Page<T>, 'records' | 'unusable' | 'total' | 'hasNext'>

/** `readPage` in another thread. */
export type PageReader<T> = (bytes: Uint8Array, encoding: string) => Promise<PageContent<T> | {errors: unknown}>

export interface Range {
	readonly limit?: number | undefined
	readonly offset?: number | undefined
}

/** Reads a paged listing; see `walkPages`. */
export async function list<T>(client: ApiClient, spec: ListSpec<T>, range: Range, walk: WalkOptions<T> = {}): Promise<Listing<T>> {
	return walkList(client, spec, range, walk, async (request, answer) => {
		// Parsing took its time; a page is read in a turn of its own, and so is what follows from it.
		await ownTurn()
		const content = await contentOf(request, answer, spec)
		await ownTurn()
		return content
	})
}

/** Reads all pages of a listing, by the reader in `walk`, which keeps what else the records hold. */
export async function listElsewhere<T>(client: ApiClient, spec: Listed<T>, walk: WalkOptions<T> & {read: PageReader<T>}): Promise<Listing<T>> {
	// The client returns what the reader gave, except for errors.
	return walkList(client, spec, {}, {...walk, all: true, keep: false}, async (_request, {body}) => body as PageContent<T>)
}

async function walkList<T>(
	client: ApiClient,
	spec: Listed<T>,
	range: Range,
	{all, most, offsets, keep, onPage, signal, ...options}: WalkOptions<T>,
	content: (request: ApiRequest, answer: ApiAnswer) => Promise<PageContent<T>>
) {
	const limit = range.limit === undefined ? undefined : checkInteger('limit', range.limit, 1, 10_000_000)
	const offset = checkInteger('offset', range.offset ?? 0, 0, 10_000_000)
	const whole = all === true ? (most ?? 'all') : 'default'
	const want = limit === undefined ? whole : Math.min(limit, most ?? limit)
	const read = async (at: number, count: number | undefined, inner: AbortSignal | undefined) => {
		const query = [...spec.query, ...pageQuery(at, count)]
		const request: ApiRequest = {method: 'GET', path: spec.path, query}
		const answer = await client.call(request, {...options, signal: inner})
		return {...factsOf(answer), ...(await content(request, answer))}
	}
	return walkPages(read, {want, offset, offsets, keep, key: spec.key, onPage: reporting(onPage, options), signal})
}

function reporting<T>(onPage: WalkOptions<T>['onPage'], options: CallOptions): WalkOptions<T>['onPage'] {
	return (records, progress) => {
		onPage?.(records, progress)
		options.onProgress?.({kind: 'pages', read: progress.pagesRead, total: progress.pages, records: progress.records})
	}
}

function pageQuery(offset: number, limit: number | undefined): Query {
	const size: Query = limit === undefined ? [] : [['limit', String(limit)]]
	return offset === 0 ? size : [...size, ['offset', String(offset)]]
}

/** A page of a listing out of the bytes of a success, or the errors in it. Throws `CordonError`. */
export async function readPage<T>(bytes: Uint8Array, encoding: string, shape: Shape<T>): ReturnType<PageReader<T>> {
	const text = await textOf(bytes, encoding)
	const body = text.ok ? jsonOf(text.value) : text
	if (text.ok && text.value.trim() === '') throw new CordonError('empty_body')
	if (!body.ok) throw body.failure.error
	if (hasErrors(body.value)) return {errors: member(body.value, 'errors')}
	// The client knows status and request ID, and adds them.
	return contentOf({method: 'GET', path: []}, {body: body.value, status: 200, requestId: undefined}, {shape})
}

async function contentOf<T>(request: ApiRequest, answer: Told, records: Records<T>): Promise<PageContent<T>> {
	const metadata = member(answer.body, 'metadata')
	const total = member(member(metadata, 'results'), 'total')
	const next = member(member(metadata, 'links'), 'next')
	return {...(await recordsOf(request, answer, records)), total: typeof total === 'number' ? total : null, hasNext: typeof next === 'string'}
}

/** An answer in which no record can be read is unreadable as a whole. */
async function recordsOf<T>(request: ApiRequest, answer: Told, {shape, itemsOf}: Records<T>) {
	const data = member(answer.body, 'data')
	const given = itemsOf === undefined ? data : itemsOf(data, request, answer)
	if (!Array.isArray(given)) throw unexpectedShape(request, answer, {path: [], message: 'expected a list'})
	const records: T[] = []
	let first: Issue | undefined
	const breath = breaths()
	for (const [index, one] of given.entries()) {
		const read = readLeniently(shape, one)
		if ('record' in read) records.push(read.record)
		else first ??= {...read.issue, path: [index, ...read.issue.path]}
		await breath()
	}
	if (records.length === 0 && first !== undefined) throw unexpectedShape(request, answer, first)
	return {records, unusable: given.length - records.length}
}

export function factsOf({status, requestId, durationMs, at}: ApiAnswer): Pick<ApiAnswer, 'status' | 'requestId' | 'durationMs' | 'at'> {
	return {status, requestId, durationMs, at}
}

/** After a change an unreadable answer leaves its outcome unknown; after a reading it is only a defect of the service. */
export function unexpectedShape(request: ApiRequest, answer: Told, issue: Issue | undefined) {
	const where = issue === undefined ? '' : ` (${['data', ...issue.path].map(String).join('.')}: ${issue.message})`
	const details = {status: answer.status, ...omitUndefined({requestId: answer.requestId})}
	const shape = new CordonError('unexpected_shape', `The service's answer does not have the documented form${where}.`, details)
	if (request.method === 'GET' || request.method === 'OPTIONS') return shape
	const message = `The service accepted the request, but its answer does not have the documented form${where}. Check the current state before retrying.`
	return new CordonError('outcome_unknown', message, details, {cause: shape})
}

/*
 * Reads a record that is not as documented: one odd record must not hide a thousand good ones. Every field but the id may be
 * missing or of another kind; it is read as what it says (`"5"` for 5), or left out. The record says which fields were odd,
 * and keeps its text. Nothing is made up: a list or a state that is missing stays an error.
 */

/** What a schema of `shared/model` can do; named here so that no command loads schemas that it does not need. */
interface Shape<T> {
	safeParse(value: unknown): {success: true; data: T} | {success: false; error: {issues: readonly Issue[]}}
}

interface Issue {
	path: readonly PropertyKey[]
	message: string
	code?: string | undefined
	/** The kind that is documented. */
	expected?: string | undefined
}

type Path = readonly PropertyKey[]
type Members = Record<PropertyKey, unknown>

/** What a record is about, and how things stand: without it there is nothing to show. */
const needed: ReadonlySet<PropertyKey> = new Set(['connector_guid', 'guid', 'sha256', 'status'])
/** Each round mends what the one before uncovered: a list, its elements, their members. */
const mostRounds = 6
/** Deeper than anything that is documented, and far from where writing would end with an overflow. */
const mostLevels = 64
const mostRaw = 20_000

/** The record, or the issue that keeps it from being read. */
export function readLeniently<T>(shape: Shape<T>, given: unknown): {record: T} | {issue: Issue} {
	const asIs = shape.safeParse(given)
	const deep = isDeep(given, mostLevels)
	if (asIs.success && !deep) return {record: asIs.data}
	const copy = copyOf(given, mostLevels)
	const fields = new Set(deep ? ['(nested too deep)'] : [])
	for (let round = 0; round < mostRounds; round += 1) {
		const parsed = shape.safeParse(copy)
		if (parsed.success) return {record: withMark(parsed.data, given, fields)}
		// Backwards, so that an element that is taken out moves none that comes later.
		for (const issue of parsed.error.issues.toReversed()) {
			if (!mend(copy, issue)) return {issue}
			fields.add(String(issue.path[0]))
		}
	}
	return {issue: {path: [], message: 'it is odd in too many ways'}}
}

/** Whether it could be mended. */
function mend(record: unknown, issue: Issue): boolean {
	const {path} = issue
	const name = path.at(-1)
	const parent = memberAt(record, path.slice(0, -1))
	// One of another kind is left out; if it has to be there, the next round comes here.
	const isNeeded = path.length === 1 && name !== undefined && needed.has(name)
	if (name === undefined || (isNeeded && parent?.[name] === undefined)) return false
	if (parent === undefined || takeOut(parent, name)) return true
	const said = isNeeded ? undefined : asSaid(parent[name], issue)
	if (said !== undefined) parent[name] = said
	else if (parent[name] !== undefined) delete parent[name]
	else if (issue.expected === 'string') parent[name] = ''
	else return path.length > 1 && mend(record, {...issue, path: path.slice(0, -1), expected: undefined})
	return true
}

function takeOut(parent: unknown, index: PropertyKey) {
	if (!Array.isArray(parent)) return false
	parent.splice(Number(index), 1)
	return true
}

/** `"5"` where a number is documented, and 5 where a text is. */
function asSaid(value: unknown, {expected, code}: Issue): unknown {
	if (expected === 'string' && (typeof value === 'number' || typeof value === 'bigint')) return String(value)
	if (expected === 'boolean' && (value === 'true' || value === 'false')) return value === 'true'
	if (typeof value !== 'string' || !/^-?\d{1,19}$/.test(value)) return undefined
	const isSafe = Number.isSafeInteger(Number(value))
	if (code === 'invalid_union') return isSafe ? Number(value) : BigInt(value)
	return expected === 'number' && isSafe ? Number(value) : undefined
}

function memberAt(record: unknown, path: Path) {
	let found = record
	for (const name of path) found = isObject(found) ? found[name] : undefined
	return isObject(found) ? found : undefined
}

function isObject(value: unknown): value is Members {
	return typeof value === 'object' && value !== null
}

function withMark<T>(record: T, given: unknown, fields: ReadonlySet<string>): T {
	// It is shown as one text, in which no code could be masked any more.
	const raw = stringifyExact(redact(copyOf(given, mostLevels))).slice(0, mostRaw)
	const odd: Odd = {fields: [...fields].toSorted(), raw}
	return {...record, [oddKey]: odd}
}

function isDeep(value: unknown, levels: number): boolean {
	if (!isObject(value)) return false
	if (levels === 0) return true
	// Every record passes here: `for in` over a list makes a text of each index.
	if (Array.isArray(value)) return value.some(one => isDeep(one, levels - 1))
	for (const name in value) {
		const one = value[name]
		if (typeof one === 'object' && one !== null && isDeep(one, levels - 1)) return true
	}
	return false
}

/** It ends where it is too deep. */
function copyOf(value: unknown, levels: number): unknown {
	if (!isObject(value)) return value
	if (levels === 0) return '(nested too deep to be shown)'
	if (Array.isArray(value)) return value.map(one => copyOf(one, levels - 1))
	return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, copyOf(one, levels - 1)]))
}
