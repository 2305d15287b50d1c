/** CloudEvents 1.0 over HTTP, each signed as in Standard Webhooks. Redirects are not followed. */
import {createHmac} from 'node:crypto'
import {Agent as PlainAgent, request as plainRequest, type IncomingMessage} from 'node:http'
import {Agent, request} from 'node:https'

import {verifying} from '#core/service/api/trust.ts'
import {redactText} from '#base/redact.ts'
import {showUnseen} from '#text/foreign.ts'
import {guardedLookup} from '#base/outbound.ts'
import type {Batch, Item, SessionHost, TargetSession, ToOf} from './session.ts'

const patienceMs = 15_000
/** For a receiver that asks for it, or is gone. */
const longestRestMs = 3_600_000
/** Maximum response size. */
const mostAnswer = 4096

/** These refuse the message; every other status is a problem of the receiver, which may recover. */
const refusing: ReadonlySet<number> = new Set([400, 406, 411, 413, 414, 415, 422, 431])

/** `whsec_` and base64, or the bytes of the text. */
export function webhookKey(secret: string): Buffer {
	return secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : Buffer.from(secret, 'utf8')
}

/** Pure: `v1,` and the signature over id, time and body. */
export function webhookSignature(secret: string, id: string, seconds: number, body: string) {
	return `v1,${createHmac('sha256', webhookKey(secret)).update(`${id}.${seconds}.${body}`).digest('base64')}`
}

export async function openWebhook(to: ToOf<'webhook'>, host: SessionHost): Promise<TargetSession> {
	const {secret} = host
	if (secret === undefined) throw new Error('Its signing secret is not in the secret store: give it a new one')
	const url = new URL(to.url)
	const isOwn = url.protocol === 'http:'
	const poster = makePoster(url, to, isOwn, host.signal)
	return {send: batch => send({poster, secret, host}, batch), close: async () => poster.agent.destroy()}
}

interface Sending {
	poster: Poster
	secret: string
	host: SessionHost
}

/** Number confirmed together: a crash sends them again. */
const together = 25

async function send(sending: Sending, batch: Batch) {
	const {host} = sending
	const {source, items, upTo} = batch
	let last = 0
	let count = 0
	const confirm = () => {
		if (last > 0) host.delivered(batch, last, count)
		count = 0
	}
	try {
		for (const [place, item] of items.entries()) {
			const reason = await sendOne(sending, source, item)
			if (reason === null) count += 1
			else host.refuse(source, item, reason)
			last = item.position
			if (place % together === together - 1) confirm()
		}
		last = upTo
	} finally {
		confirm()
	}
}

/** Resolves with the reason of a refusal, `null` on success; rejects when the receiver is unreachable. */
async function sendOne({poster, secret, host: {clock}}: Sending, source: string, item: Item) {
	const body = cloudEvent(item, source)
	const seconds = Math.floor(clock.now() / 1000)
	const {status, text, after} = await poster.post(body, {
		'webhook-id': item.id,
		'webhook-timestamp': String(seconds),
		'webhook-signature': webhookSignature(secret, item.id, seconds, body)
	})
	const said = cleaned(redactText(text, [secret]))
	if (refusing.has(status)) return `The receiver answered ${status}. ${said}`.trim()
	const waitMs = status === 410 ? longestRestMs : Math.min(longestRestMs, waitOf(after, clock.now()))
	if (status < 200 || status > 299) throw Object.assign(new Error(awayWords(status), {cause: said}), {waitMs})
	return null
}

/** Of `Retry-After`, which has seconds or a date (RFC 9110, section 10.2.3). */
function waitOf(after: string, now: number) {
	return /^\d+$/.test(after) ? Number(after) * 1000 : Date.parse(after) - now
}

function awayWords(status: number) {
	const why = status === 410 ? ': it wants no more' : status >= 300 && status < 400 ? ': redirects are not followed' : ''
	return `The receiver answered ${status}${why}`
}

/** Inserts the body unchanged: long numbers keep every digit. */
function cloudEvent({id, kind, at, body}: Item, source: string) {
	const type = source === 'events' ? 'io.cordon.event' : `io.cordon.log.${kind}`
	const head = {specversion: '1.0', id, source: `urn:cordon:${source}`, type, time: at}
	return `${JSON.stringify({...head, datacontenttype: 'application/json'}).slice(0, -1)},"data":${body}}`
}

interface Poster {
	agent: PlainAgent
	post(body: string, headers: Readonly<Record<string, string>>): Promise<{status: number; text: string; after: string}>
}

function makePoster(url: URL, to: ToOf<'webhook'>, isOwn: boolean, signal: AbortSignal): Poster {
	const lookup = guardedLookup(url.hostname, to.private || isOwn)
	const kept = {keepAlive: true, maxSockets: 1, lookup}
	const agent = isOwn ? new PlainAgent(kept) : new Agent({...kept, ...verifying(to.ca === null ? [] : [to.ca])})
	const post: Poster['post'] = (body, headers) =>
		new Promise((resolve, reject) => {
			const sent = (isOwn ? plainRequest : request)(url, {
				method: 'POST',
				agent,
				signal: AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]),
				headers: {
					'content-type': 'application/cloudevents+json; charset=utf-8',
					'content-length': Buffer.byteLength(body),
					'user-agent': 'Cordon',
					...headers
				}
			})
			const failed = (error: Error) => {
				// A kept connection may be closed at the moment of its next use.
				if (sent.reusedSocket && 'code' in error && error.code === 'ECONNRESET') return resolve(post(body, headers))
				reject(error.name === 'AbortError' ? new Error(`No answer within ${patienceMs / 1000} seconds`) : error)
			}
			sent.on('error', failed)
			sent.on('response', async response => {
				// The status alone decides, however the answer goes on.
				sent.off('error', failed).on('error', () => {})
				const {statusCode: status = 0, headers} = response
				resolve({status, text: await answerText(response), after: headers['retry-after'] ?? ''})
			})
			sent.end(body)
		})
	return {agent, post}
}

async function answerText(response: IncomingMessage) {
	let text = ''
	try {
		for await (const piece of response.setEncoding('utf8')) if ((text += String(piece)).length > mostAnswer) break
	} catch {
		// What came is enough.
	}
	return text.slice(0, mostAnswer)
}

/** One line, of an error page too. */
function cleaned(text: string) {
	return showUnseen(
		text
			.replaceAll(/(?:<[^>]*>|\s)+/g, ' ')
			.trim()
			.slice(0, 300)
	)
}
