/** The HTTP side of the list service: plain, behind the forwarding server or on its own port. */
import {createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse} from 'node:http'
import {join} from 'node:path'
import type {Writable} from 'node:stream'
import {pipeline} from 'node:stream/promises'
import {createGzip} from 'node:zlib'

import type {ListStatus} from '#contract/instances.ts'
import type {ListService} from '#model/instance.ts'
import {isLoopback} from '../../forwarder/access/addresses.ts'
import {isLocal, listenOn} from '../http-service.ts'
import {type Bodies, bodyFile, Busy, createBodies, piecesOf} from './bodies.ts'
import type {BodyFacts} from './build.ts'
import {acceptsGzip, type ByteRange, isNotModified, rangeOf} from './conditional.ts'
import type {BuildRecord, Shelf} from './shelf.ts'
import {defaultVariant, readArguments, type Variant} from './variant.ts'

interface ListServerOptions {
	host: string
	port: number
	shelf: Shelf
	definition: () => ListService
	/** The build to serve, if any. */
	served: () => BuildRecord | null
	status: () => ListStatus
	onTrouble: (message: string, error?: unknown) => void
}

/** Rejects with `taken` when the port is in use. */
export async function startListServer(options: ListServerOptions) {
	const bodies = createBodies(options.shelf)
	const server = createServer({keepAliveTimeout: 75_000, headersTimeout: 10_000, requestTimeout: 60_000})
	// A reader that takes nothing for this long is dropped.
	server.setTimeout(300_000)
	server.on('request', (request, response) => {
		answer(options, bodies, request, response).catch((error: unknown) => failed(options, response, error))
	})
	const {port, stop} = await listenOn(server, options, 'The list service')
	return {
		port,
		stop: async () => {
			bodies.stop()
			await stop()
		}
	}
}

async function answer(options: ListServerOptions, bodies: Bodies, request: IncomingMessage, response: ServerResponse) {
	if (isLoopback(options.host) && !isLocal(request.headers)) return say(response, 421, 'Name an address of this computer.')
	if (request.method !== 'GET' && request.method !== 'HEAD') {
		return say(response, 405, 'Lists are read with GET or HEAD.', {Allow: 'GET, HEAD'})
	}
	const [path = '/', query = ''] = cutQuery(request.url ?? '/')
	const place = placeOf(path, options.definition().type)
	if (place === null) return say(response, 404, `There is no such address for a list of type ${options.definition().type}.`)
	if (place.kind === 'status') return sayStatus(options, response)
	const record = options.served()
	if (record === null) {
		return say(response, 503, 'The list was not built yet.', {'Retry-After': '10', 'Cache-Control': 'no-store'})
	}
	if (place.kind === 'log') return sendLog(options, record, request, response)
	const variant = readArguments(query, {...defaultVariant(record.definition), ...place.change})
	if ('problem' in variant) return say(response, 400, variant.problem)
	return sendList({...options, bodies, record, variant, checksum: place.checksum}, request, response)
}

function cutQuery(target: string) {
	const mark = target.indexOf('?')
	return mark < 0 ? [target, ''] : [target.slice(0, mark), target.slice(mark + 1)]
}

interface Sending extends ListServerOptions {
	bodies: Bodies
	record: BuildRecord
	variant: Variant
	checksum: Checksum | null
}

async function sendList(sending: Sending, request: IncomingMessage, response: ServerResponse) {
	const {shelf, bodies, record, variant, checksum} = sending
	// The build must stay from its measurement to its last byte.
	const release = shelf.holdId(record.id)
	const left = new AbortController()
	response.once('close', () => left.abort())
	try {
		const facts = await bodies.factsOf(record, variant, left.signal)
		if (response.destroyed) return
		if (checksum !== null) return sendText(response, request, facts[checksum], mediaType.text)
		// Of GET alone (RFC 9110, section 14.2).
		const asked = request.method === 'HEAD' ? {...request.headers, range: undefined} : request.headers
		const {status, headers, range, gzip} = replyOf(sending, facts, asked)
		if (status === 304) return void response.writeHead(304, headers).end()
		if (status === 416) return say(response, 416, 'The list is shorter.', headers)
		await send(request, response, status, headers, bodies.open(record, variant, range), gzip)
	} finally {
		release()
	}
}

interface Reply {
	status: 200 | 206 | 304 | 416
	headers: Headers
	range: ByteRange | null
	gzip: boolean
}

function replyOf({record, variant, definition}: Sending, facts: BodyFacts, asked: IncomingHttpHeaders): Reply {
	const {shared, all, ranges} = listHeaders(record, variant, facts, definition().refreshS)
	const validators = {etag: `"${facts.sha256}"`, modifiedAt: record.changedAt}
	const whole = {range: null, gzip: false} as const
	if (isNotModified(asked, validators)) return {status: 304, headers: shared, ...whole}
	// Compressed ranges would be useless.
	if (asked.range === undefined && acceptsGzip(asked['accept-encoding'])) {
		const headers = {...all, ETag: `W/${validators.etag}`, 'Content-Encoding': 'gzip'}
		return {status: 200, headers, range: null, gzip: true}
	}
	const range = ranges ? rangeOf(asked, facts.bytes, validators) : null
	if (range === null) return {status: 200, headers: {...all, 'Content-Length': facts.bytes}, ...whole}
	if (range === 'unsatisfiable') {
		return {status: 416, headers: {'Content-Range': `bytes */${facts.bytes}`}, ...whole}
	}
	return {status: 206, headers: {...all, ...partHeaders(range, facts.bytes)}, range, gzip: false}
}

function partHeaders({first, last}: ByteRange, size: number): Readonly<Record<string, string | number>> {
	return {'Content-Range': `bytes ${first}-${last}/${size}`, 'Content-Length': last - first + 1}
}

type Headers = Readonly<Record<string, string | number>>

/** A body that fails halfway destroys the connection: it must not look whole. */
async function send(
	request: IncomingMessage,
	response: ServerResponse,
	status: number,
	headers: Headers,
	body: AsyncIterable<Buffer>,
	gzip = false
) {
	response.writeHead(status, headers)
	if (request.method === 'HEAD') return void response.end()
	if (!gzip) return pour(body, response)
	const coder = createGzip({level: 3})
	await Promise.all([pour(body, coder), pipeline(coder, response)])
}

/** One piece at a time; its memory is reused once written. */
async function pour(body: AsyncIterable<Buffer>, sink: Writable) {
	const gone = new Promise<never>((_, reject) => {
		sink.once('close', () => reject(new Error('The client left.')))
	})
	gone.catch(() => {})
	for await (const piece of body) {
		const written = new Promise<void>((resolve, reject) => {
			sink.write(piece, error => (error ? reject(error) : resolve()))
		})
		await Promise.race([written, gone])
	}
	sink.end()
}

async function sendLog({shelf}: ListServerOptions, record: BuildRecord, request: IncomingMessage, response: ServerResponse) {
	const release = shelf.holdId(record.id)
	try {
		const headers = {'Content-Type': mediaType.text, 'Cache-Control': 'no-cache'}
		const path = join(shelf.folderOf(record.id), 'log')
		await send(request, response, 200, headers, piecesOf(path, null))
	} finally {
		release()
	}
}

function sayStatus({status, definition}: ListServerOptions, response: ServerResponse) {
	const body = JSON.stringify({type: definition().type, refreshS: definition().refreshS, ...status()})
	response.writeHead(200, {'Content-Type': mediaType.json, 'Cache-Control': 'no-store'}).end(body)
}

function sendText(response: ServerResponse, request: IncomingMessage, text: string, type: string) {
	response.writeHead(200, {'Content-Type': type, 'Content-Length': text.length, 'Cache-Control': 'no-cache'})
	response.end(request.method === 'HEAD' ? undefined : text)
}

function say(response: ServerResponse, status: number, sentence: string, headers: Headers = {}) {
	response.writeHead(status, {'Content-Type': mediaType.text, ...headers}).end(`${sentence}\n`)
}

function failed({onTrouble}: ListServerOptions, response: ServerResponse, error: unknown) {
	if (response.destroyed) return
	if (error instanceof Busy) return say(response, 503, 'Too many forms of this list are being prepared.', {'Retry-After': '5'})
	onTrouble('A list could not be sent.', error)
	if (response.headersSent) response.destroy()
	else say(response, 503, 'The list cannot be read now.', {'Retry-After': '10'})
}

const mediaType = {text: 'text/plain; charset=utf-8', json: 'application/json; charset=utf-8', csv: 'text/csv; charset=utf-8'} as const

/** Names and meanings as in the original service (route description, 2.2), and validators of exactly these bytes. */
function listHeaders(record: BuildRecord, variant: Variant, facts: BodyFacts, refreshS: number) {
	/** Headers that a 304 repeats. */
	const shared = {
		ETag: `"${facts.sha256}"`,
		'Last-Modified': new Date(record.changedAt).toUTCString(),
		'Cache-Control': `max-age=${refreshS}, stale-if-error=600`,
		Vary: 'Accept-Encoding',
		'X-EDL-Created': new Date(record.builtAt).toISOString(),
		'X-EDL-Query-Time-Secs': record.seconds.toFixed(3),
		'X-EDL-Size': facts.values,
		'X-EDL-Origin-Size': record.facts.originSize
	}
	/** Whether ranges are supported. */
	const ranges = bodyFile(record, variant) !== null
	const type = variant.format === 'csv' && variant.csvAsText ? mediaType.text : mediaType[variant.format]
	const all = {...shared, 'Content-Type': type, 'Accept-Ranges': ranges ? 'bytes' : 'none'}
	return {shared, all: {...all, 'X-Content-Type-Options': 'nosniff'}, ranges}
}

/** The addresses of the list service, and the list format of each. */
type Checksum = 'md5' | 'sha256'

type Place = {kind: 'list'; change: Partial<Variant>; checksum: Checksum | null} | {kind: 'log'} | {kind: 'status'}

/** `null`: not found, or not available for this type of list. */
function placeOf(path: string, type: ListService['type']): Place | null {
	if (path === '/log') return {kind: 'log'}
	if (path === '/status') return {kind: 'status'}
	const change = formOf(path, type)
	if (change !== null) return {kind: 'list', change, checksum: null}
	const [, listed = '', checksum] = /^(.*)\.(md5|sha256)$/s.exec(path) ?? []
	if (checksum !== 'md5' && checksum !== 'sha256') return null
	const sidecar = formOf(listed, type)
	return sidecar === null ? null : {kind: 'list', change: sidecar, checksum}
}

const forms: Readonly<Record<string, Partial<Variant>>> = {
	'/': {},
	'/plain': {format: 'text'},
	'/json': {format: 'json'},
	'/csv': {format: 'csv'}
}

function formOf(path: string, type: ListService['type']) {
	if (Object.hasOwn(forms, path)) return forms[path] ?? null
	const [, product = '', kind = ''] = /^\/(panos|cisco|fortigate)\/([a-z0-9]+)$/.exec(path) ?? []
	const named = kind === 'dns' ? 'domain' : kind
	return product === '' || named !== type ? null : formFor(product, type)
}

/** Formats by product; see route description, 5.1. */
function formFor(product: string, type: ListService['type']): Partial<Variant> {
	// None accepts a scheme or an invalid line.
	const text: Partial<Variant> = {format: 'text', dropInvalid: true}
	if (type === 'url' && product !== 'fortigate') return {...text, stripProtocol: true}
	// Cisco supports addresses and networks, no ranges.
	return type === 'ip' && product === 'cisco' ? {...text, collapse: 'cidrs'} : text
}
