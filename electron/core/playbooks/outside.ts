/**
 * Requests to addresses outside Cordon: only to origins listed in the guard rules of the connection, without redirects, and with
 * the address checked on connection.
 */
import {request as plainRequest, type IncomingMessage} from 'node:http'
import {request} from 'node:https'

import {CordonError, messageOf, invalidArgument} from '#contract/errors.ts'
import {readOrigin, type AllowedOrigin} from '#model/origin.ts'

import {guardedLookup, RefusedAddress} from '#base/outbound.ts'
import {verifying} from '#core/service/api/trust.ts'
import type {PlaybookCommand} from './document.ts'
import {readStartLine} from './routes.ts'
import {fillJson, fillTarget, fillText, longestValue, referencesIn, type Lookup} from './variables.ts'

export function allowedOrigin(lines: readonly string[], url: string): AllowedOrigin | undefined {
	if (!URL.canParse(url)) return undefined
	const {origin, username, password} = new URL(url)
	if (username !== '' || password !== '') return undefined
	return lines.flatMap(line => readOrigin(line) ?? []).find(one => one.origin === origin)
}

export interface OutsideOrder {
	kind: 'outside'
	method: string
	url: string
	headers: Readonly<Record<string, string>>
	body: string
}

/** Headers of the connection itself, or for secrets, which are never in a document. */
const ownHeaders = /^(?:host|connection|content-length|transfer-encoding|upgrade|te|trailer|authorization|cookie|proxy-.*)$/i

const wrong = (message: string, field: string) => invalidArgument(message, field)

/** Fills variables by position: each stays within its part of the path, its header or its JSON string. */
export function outsideOrderOf(base: string, command: PlaybookCommand, lookup: Lookup): OutsideOrder {
	const {method, target} = readStartLine(command.command ?? '')
	const {path, query} = fillTarget(target, lookup)
	if (path.some(part => part === '.' || part === '..')) throw wrong('A value leads out of its part of the path.', 'command')
	const parts = path.map(part => encodeURIComponent(part)).join('/')
	const asked = query.map(pair => pair.map(text => encodeURIComponent(text)).join('=')).join('&')
	const headers = Object.entries(command.headers ?? {}).map(([name, values]) => {
		const value = values.map(one => headerOf(one, lookup)).join(', ')
		const isOwn = ownHeaders.test(name) && !(/^authorization$/i.test(name) && namesSecret({headers: {[name]: values}}))
		if (isOwn || !/^[\w-]+$/.test(name)) throw wrong(`The header ${name} cannot stand in a playbook.`, 'headers')
		if (/[^\t\x20-\x7e]/.test(value)) throw wrong(`The value of ${name} does not fit into a header.`, 'headers')
		return [name, value] as const
	})
	return {
		...{kind: 'outside', method, headers: Object.fromEntries(headers), body: bodyOf(command, lookup)},
		url: `${base}/${parts}${asked === '' ? '' : `?${asked}`}`
	}
}

/** A header may name a stored secret; the value of a variable may not. */
const secretPattern = /\$secret:([\w.-]+)/g

export const namesSecret = ({headers = {}}: Pick<PlaybookCommand, 'headers'>) =>
	Object.values(headers)
		.flat()
		.some(value => value.includes('$secret:'))

function headerOf(text: string, lookup: Lookup) {
	// Odd positions hold names of secrets.
	const parts = text.split(secretPattern).map((part, index) => (index % 2 === 1 ? `$secret:${part}` : fillText(part, lookup)))
	if (parts.some((part, index) => index % 2 === 0 && part.includes('$secret:')))
		throw wrong('A value names a secret. Only the document may.', 'headers')
	return parts.join('')
}

export type SecretOf = (name: string, origin: string) => Promise<string | undefined>

async function withSecrets(headers: OutsideOrder['headers'], origin: string, secretOf: SecretOf) {
	const known = new Map<string, string>()
	for (const [, name = ''] of Object.values(headers).flatMap(value => [...value.matchAll(secretPattern)])) {
		const secret = await secretOf(name, origin)
		if (secret === undefined) throw new CordonError('protected', `The secret ${name} is not stored for ${origin}. Nothing was sent.`)
		known.set(name, secret)
	}
	const filled = Object.entries(headers).map(([key, value]) => [
		key,
		value.replaceAll(secretPattern, (_whole, name: string) => known.get(name) ?? '')
	])
	// The longest first: one may hold another.
	const told = [...known].toSorted(([, one], [, other]) => other.length - one.length).map(([name, secret]) => [writtenAs(secret), name] as const)
	return {
		// The keys are unchanged.
		headers: Object.fromEntries(filled) as OutsideOrder['headers'],
		/** Masks secrets that an answer repeats. */
		masked: (text: string) => told.reduce((shown, [secret, name]) => shown.replaceAll(secret, `[secret ${name}]`), text)
	}
}

const entities: Readonly<Record<string, string>> = {'&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos'}

/** Each character as it is, or as JSON, an address, a form or HTML writes it. */
function writtenAs(secret: string) {
	const forms = Array.from(secret, char => {
		const code = char.codePointAt(0) ?? 0
		const hex = code.toString(16)
		const bytes = Buffer.from(char).toString('hex').replaceAll(/../g, '%$&')
		const plain = `\\u{${hex}}`
		const html = `&(?:#0*${code}|#x0*${hex}|${entities[char] ?? plain});`
		const inJson = /["\\/]/.test(char) ? `\\\\?${plain}` : plain
		return `(?:${inJson}|\\\\u0*${hex}|${bytes}|${html}${char === ' ' ? '|\\+' : ''})`
	})
	return new RegExp(forms.join(''), 'giu')
}

function bodyOf({content = '', content_b64: encoded}: PlaybookCommand, lookup: Lookup) {
	if (encoded !== undefined) return Buffer.from(encoded, 'base64').toString('utf8')
	if (referencesIn(content).length === 0) return content
	try {
		return JSON.stringify(fillJson(content, lookup))
	} catch {
		throw wrong('Content with variables has to be JSON, each variable between quotation marks.', 'content')
	}
}

export const isReading = ({method}: OutsideOrder) => method === 'GET' || method === 'HEAD'

const patienceMs = 30_000

/** Returns the response body. Throws `protected` for an unlisted origin, and `outcome_unknown` for a change without an answer. */
export async function sendOutside(
	order: OutsideOrder,
	origins: readonly string[],
	signal: AbortSignal,
	secretOf: SecretOf = async () => {}
): Promise<string> {
	const url = new URL(order.url)
	const allowed = allowedOrigin(origins, order.url)
	if (allowed === undefined)
		throw new CordonError('protected', `${url.origin} is not listed in the guard rules of this connection. Nothing was sent.`)
	const sent = {is: false}
	const {headers, masked} = await withSecrets(order.headers, url.origin, secretOf)
	try {
		const {status, text: answer} = await exchange({...order, headers}, url, allowed.private, signal, sent)
		const text = masked(answer)
		if (status >= 200 && status < 300) return text
		const redirects = status >= 300 && status < 400 ? ' Redirects are not followed.' : ''
		throw new CordonError('unexpected_status', `${url.origin} answered ${status}.${redirects} ${text.slice(0, 300)}`.trim())
	} catch (error) {
		if (error instanceof CordonError) throw error
		if (error instanceof RefusedAddress) throw new CordonError('protected', `${error.message}. Nothing was sent.`)
		if (signal.aborted && !sent.is) throw new CordonError('cancelled')
		const why = masked(messageOf(error))
		throw new CordonError(sent.is && !isReading(order) ? 'outcome_unknown' : 'unreachable', `${url.origin}: ${why}`)
	}
}

async function exchange({method, headers, body}: OutsideOrder, url: URL, isPrivate: boolean, signal: AbortSignal, sent: {is: boolean}) {
	const isPlain = url.protocol === 'http:'
	const response = await new Promise<IncomingMessage>((resolve, reject) => {
		const asked = (isPlain ? plainRequest : request)(url, {
			...{method, agent: false, lookup: guardedLookup(url.hostname, isPrivate)},
			...(!isPlain && verifying()),
			signal: AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]),
			headers: {'user-agent': 'Cordon', ...headers, ...(body !== '' && {'content-length': Buffer.byteLength(body)})}
		})
		asked.on('error', reject)
		asked.on('response', resolve)
		asked.on('socket', socket => socket.once(isPlain ? 'connect' : 'secureConnect', () => (sent.is = true)))
		asked.end(body)
	})
	let text = ''
	for await (const piece of response.setEncoding('utf8')) {
		text += String(piece)
		if (text.length > longestValue) throw new Error('the answer is too long for a variable')
	}
	return {status: response.statusCode ?? 0, text}
}
