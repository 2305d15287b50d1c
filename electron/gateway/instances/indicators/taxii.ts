/** TAXII 2.1 (OASIS Standard, 10 June 2021) as answers to requests. Read-only; without sockets. */
import {createHmac, timingSafeEqual} from 'node:crypto'
import type {IncomingHttpHeaders} from 'node:http'

import {indicatorOf, microTime, microsOf, type Version} from './stix.ts'
import type {IndicatorShelf, VersionFilter, Wanted} from './shelf.ts'

export const taxiiType = 'application/taxii+json;version=2.1'
const stixType = 'application/stix+json;version=2.1'
const root = 'indicators'
const tokenMs = 24 * 3_600_000
const mostIds = 500

export interface CollectionFacts {
	id: string
	/** Also its alias in addresses. */
	name: string
	description: string
}

export interface TaxiiHost {
	title: string
	collections: readonly CollectionFacts[]
	pageSize: number
	shelf: IndicatorShelf
	now: () => number
}

interface TaxiiRequest {
	method: string
	/** With its query. */
	target: string
	headers: IncomingHttpHeaders
}

interface TaxiiAnswer {
	status: number
	headers: Readonly<Record<string, string>>
	body: unknown
}

class Refused extends Error {
	readonly status: number

	constructor(status: number, message: string) {
		super(message)
		this.status = status
	}
}

export function answerTaxii(host: TaxiiHost, request: TaxiiRequest): TaxiiAnswer {
	try {
		return answered(host, request)
	} catch (error) {
		if (!(error instanceof Refused)) throw error
		const {status, message} = error
		const body = {title: message, http_status: String(status), error_code: String(status)}
		return {status, headers: {'content-type': taxiiType}, body}
	}
}

function answered(host: TaxiiHost, {method, target, headers}: TaxiiRequest): TaxiiAnswer {
	const mark = target.indexOf('?')
	const path = (mark < 0 ? target : target.slice(0, mark)).replace(/\/+$/, '')
	const query = new URLSearchParams(mark < 0 ? '' : target.slice(mark + 1))
	if (!accepts(headers.accept)) throw new Refused(406, `Accept must name ${taxiiType}.`)
	const parts = path.split('/').slice(1)
	const isKnown = parts[0] === 'taxii2' || parts[0] === root
	if (isKnown && (method === 'POST' || method === 'DELETE')) throw new Refused(403, 'These collections are only read.')
	if (method !== 'GET' && method !== 'HEAD') throw new Refused(405, 'Only GET is answered.')
	// The instance's own address says where discovery is, to a health check as to a person with curl.
	if (path === '/taxii2' || path === '') return said(discovery(host, baseOf(headers)))
	if (path === `/${root}`) return said(apiRoot(host))
	if (parts[0] !== root || parts[1] !== 'collections') throw new Refused(404, 'There is nothing at this address.')
	if (parts.length === 2) return said(host.collections.length === 0 ? {} : {collections: host.collections.map(shown)})
	return ofCollection(host, parts.slice(2), query)
}

/** Absent, or acceptable; a blank after the semicolon is allowed. */
function accepts(accept: string | undefined) {
	if (accept === undefined) return true
	return accept
		.toLowerCase()
		.split(',')
		.map(one => one.replaceAll(/\s/g, '').split(';'))
		.some(([type = '', ...rest]) => {
			const version = rest.find(each => each.startsWith('version='))
			const isOurs = type === 'application/taxii+json' || type === '*/*' || type === 'application/*'
			return isOurs && (version === undefined || version === 'version=2.1') && !rest.includes('q=0')
		})
}

function said(body: unknown, headers: Readonly<Record<string, string>> = {}): TaxiiAnswer {
	return {status: 200, headers: {'content-type': taxiiType, 'cache-control': 'no-cache', ...headers}, body}
}

/**
 * The base address from the client's view: behind the forwarding server with its prefix. Without HTTPS it must be relative
 * (4.1.1).
 */
function baseOf(headers: IncomingHttpHeaders) {
	const one = (name: string) => [headers[name] ?? []].flat()[0]
	const host = one('x-forwarded-host') ?? headers.host
	const origin = one('x-forwarded-proto') === 'https' && host !== undefined ? `https://${host}` : ''
	return `${origin}${one('x-forwarded-prefix') ?? ''}`
}

function discovery({title}: TaxiiHost, base: string) {
	const url = `${base}/${root}/`
	return {title, description: 'Indicators that Cordon publishes.', default: url, api_roots: [url]}
}

function apiRoot({title}: TaxiiHost) {
	return {title, versions: [taxiiType], max_content_length: 10_485_760}
}

function shown({id, name, description}: CollectionFacts) {
	const about = description === '' ? {} : {description}
	return {id, title: name, ...about, alias: name, can_read: true, can_write: false, media_types: [stixType]}
}

function ofCollection(host: TaxiiHost, parts: readonly string[], query: URLSearchParams) {
	const [word = '', what, object, versions, ...rest] = parts
	const collection = host.collections.find(({id, name}) => id === word.toLowerCase() || name === word)
	if (collection === undefined || rest.length > 0) throw new Refused(404, 'There is no such collection.')
	if (what === undefined) return said(shown(collection))
	if (what === 'manifest' && object === undefined) return page(host, collection, query, {form: manifestOf, key: 'objects'})
	if (what !== 'objects') throw new Refused(404, 'There is nothing at this address.')
	if (object === undefined) return page(host, collection, query, {form: indicatorOf, key: 'objects'})
	if (!host.shelf.has(collection.id, object)) throw new Refused(404, 'There is no such object.')
	if (versions === undefined) return page(host, collection, query, {form: indicatorOf, key: 'objects', object})
	if (versions !== 'versions') throw new Refused(404, 'There is nothing at this address.')
	const form = ({modified}: Version) => new Date(modified).toISOString()
	return page(host, collection, query, {form, key: 'versions', object, all: true})
}

function manifestOf({id, modified, added}: Version) {
	return {id, date_added: microTime(added), version: new Date(modified).toISOString(), media_type: stixType}
}

interface Form {
	form: (version: Version) => unknown
	key: string
	/** Only of this object. */
	object?: string
	/** Every version, whatever the request. */
	all?: boolean
}

function page(host: TaxiiHost, {id: collection}: CollectionFacts, query: URLSearchParams, form: Form): TaxiiAnswer {
	const wanted = wantedOf(host, collection, query, form)
	const found = wanted === null ? [] : host.shelf.find(wanted)
	const versions = wanted === null ? [] : found.slice(0, wanted.limit)
	const [first, last] = [versions[0], versions.at(-1)]
	// No result is an empty resource.
	if (first === undefined || last === undefined) return said({})
	const more = versions.length < found.length
	const next = more ? {next: tokenOf(host, collection, last.added)} : {}
	return said(
		{more, ...next, [form.key]: versions.map(version => form.form(version))},
		{'x-taxii-date-added-first': microTime(first.added), 'x-taxii-date-added-last': microTime(last.added)}
	)
}

/** `null`: nothing can match. */
function wantedOf(host: TaxiiHost, collection: string, query: URLSearchParams, {object, all}: Form): Wanted | null {
	const list = (name: string): readonly string[] | null =>
		query
			.get(name)
			?.split(',')
			.map(each => each.trim()) ?? null
	const twice = [...query.keys()].find((name, place, all) => all.indexOf(name) < place)
	if (twice !== undefined) throw new Refused(400, `${twice} is there more than once.`)
	const after = addedAfter(query.get('added_after'))
	const next = query.get('next')
	const ids = object === undefined ? list('match[id]') : [object]
	if (ids !== null && ids.length > mostIds) throw new Refused(400, `match[id] names more than ${mostIds} objects.`)
	const versions = all === true ? (['all'] as const) : versionsOf(list('match[version]') ?? ['last'])
	const limit = limitOf(query.get('limit'), host.pageSize)
	if (list('match[type]')?.includes('indicator') === false) return null
	if (list('match[spec_version]')?.includes('2.1') === false) return null
	return {collection, after: Math.max(after, next === null ? -1 : positionOf(host, collection, next)), limit, versions, ids}
}

function addedAfter(text: string | null) {
	const micros = text === null ? -1 : microsOf(text)
	if (micros === null) throw new Refused(400, 'added_after is not a timestamp such as 2026-01-31T08:00:00Z.')
	return micros
}

function limitOf(text: string | null, most: number) {
	if (text === null) return most
	if (!/^[1-9]\d{0,9}$/.test(text)) throw new Refused(400, 'limit is not a positive number.')
	return Math.min(Number(text), most)
}

function versionsOf(texts: readonly string[]) {
	const isRepeated = new Set(texts).size < texts.length
	if (isRepeated || (texts.length > 1 && texts.includes('all'))) throw new Refused(400, 'match[version] names each version once, and all alone.')
	return texts.map(versionOf)
}

function versionOf(text: string): VersionFilter {
	if (text === 'first' || text === 'last' || text === 'all') return text
	const micros = microsOf(text)
	if (micros === null) throw new Refused(400, 'match[version] is first, last, all or a timestamp.')
	return {modified: Math.floor(micros / 1000)}
}

/** Where to continue: the time of the last one, which stays valid while the list changes. */
function tokenOf(host: TaxiiHost, collection: string, added: number) {
	const text = `${added}.${host.now() + tokenMs}`
	return `${text}.${signed(host, collection, text).toString('base64url')}`
}

function positionOf(host: TaxiiHost, collection: string, token: string) {
	const [added = '', until = '', signature = ''] = token.split('.')
	const expected = signed(host, collection, `${added}.${until}`)
	const given = Buffer.from(signature, 'base64url')
	const isOurs = given.length === expected.length && timingSafeEqual(given, expected)
	if (!isOurs || Number(until) < host.now()) throw new Refused(400, 'next is not known here, or expired.')
	return Number(added)
}

function signed({shelf}: TaxiiHost, collection: string, text: string) {
	return createHmac('sha256', shelf.token).update(`${collection}.${text}`).digest().subarray(0, 16)
}
