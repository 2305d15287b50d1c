import {randomUUID} from 'node:crypto'
import type {ServerResponse} from 'node:http'
import type {Socket} from 'node:net'
import {TLSSocket} from 'node:tls'
import {crc32} from 'node:zlib'

import {stringifyExact} from '#model/exact-json.ts'

import {apiVersion, errorEntry, problem, type Answer} from './answer.ts'
import type {WeatherEffect} from './weather.ts'

/** The response bytes and how they are sent. */
interface Delivery {
	answer: Answer
	headers: Readonly<Record<string, string>>
	now: number
	effects: readonly WeatherEffect[]
	/** Waits; ends early when the server stops. */
	wait: (ms: number) => Promise<void>
}

type EffectOf<K extends WeatherEffect['kind']> = Extract<WeatherEffect, {kind: K}>

export function effectOf<K extends WeatherEffect['kind']>(effects: readonly WeatherEffect[], kind: K) {
	return effects.find((effect): effect is EffectOf<K> => effect.kind === kind)
}

/** The response of the weather instead of the service's, before anything is carried out. */
export function stormAnswer(effects: readonly WeatherEffect[], self: string) {
	for (const effect of effects) {
		if (effect.kind === 'rate_limit') return rateLimited(self, effect.resetSeconds)
		if (effect.kind === 'status') return problem(effect.status, self, 'The sandbox was told to fail')
		if (effect.kind === 'html') return {status: effect.status, text: {type: 'text/html', content: gatewayPage(effect.status)}}
		if (effect.kind === 'redirect') return {status: 302, headers: {Location: effect.location}, text: {type: 'text/html', content: ''}}
	}
	return undefined
}

function rateLimited(self: string, seconds: number): Answer {
	return {
		...problem(429, self, 'The request limit of this API client is exhausted'),
		headers: {'X-RateLimit-Remaining': '0', 'X-RateLimit-Reset': String(seconds)}
	}
}

function gatewayPage(status: number) {
	const title = `${status} Bad Gateway`
	return `<html>\r\n<head><title>${title}</title></head>\r\n<body>\r\n<center><h1>${title}</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n`
}

/** Writes the response under the given weather. Never throws; a closed connection ends it. */
export async function deliver(response: ServerResponse, delivery: Delivery) {
	const {effects} = delivery
	if (effectOf(effects, 'drop') !== undefined) return void cutOff(response.socket)
	const payload = payloadOf(delivery)
	response.writeHead(delivery.answer.status, headersOf(delivery, payload))
	if (delivery.answer.status === 204) return void response.end()
	if (effectOf(effects, 'truncate') !== undefined) return cutShort(response, payload)
	const drip = effectOf(effects, 'drip')
	if (drip !== undefined) return dripOut(response, payload, drip.ms, delivery.wait)
	response.end(payload)
}

/** Resets the connection; under TLS, where Node cannot, closes it silently. */
export function cutOff(socket: Socket | null) {
	if (socket instanceof TLSSocket) socket.destroy()
	else socket?.resetAndDestroy()
}

function payloadOf({answer, effects}: Delivery) {
	if (effectOf(effects, 'empty') !== undefined) return Buffer.alloc(0)
	const text = answer.text?.content ?? jsonOf(answer, effectOf(effects, 'errors') !== undefined)
	const broken = effectOf(effects, 'malformed') === undefined ? text : `${text.slice(0, Math.floor(text.length / 2))}<!-- }`
	return Buffer.from(broken, 'utf8')
}

function jsonOf(answer: Answer, withErrors: boolean) {
	const body = withErrors
		? {version: apiVersion, ...objectOf(answer.body), errors: [errorEntry(500, ['Part of the request failed'])]}
		: answer.body
	if (body === undefined) return ''
	return answer.exact === true ? stringifyExact(body) : JSON.stringify(body)
}

function objectOf(body: unknown) {
	return typeof body === 'object' && body !== null ? body : {}
}

function headersOf({answer, headers, now, effects}: Delivery, payload: Buffer): Record<string, string> {
	const skew = effectOf(effects, 'skew')?.seconds ?? 0
	const type = answer.text?.type ?? 'application/json; charset=utf-8'
	return {
		Date: new Date(now + skew * 1000).toUTCString(),
		'X-Request-Id': randomUUID(),
		'Strict-Transport-Security': 'max-age=31536000',
		'X-Frame-Options': 'SAMEORIGIN',
		...cacheHeaders(answer.status, payload),
		...(answer.status === 204 ? {} : {'Content-Type': type, 'Content-Length': String(payload.length)}),
		...headers,
		...answer.headers
	}
}

function cacheHeaders(status: number, payload: Buffer): Record<string, string> {
	if (status !== 200) return {'Cache-Control': 'no-cache'}
	const tag = `${payload.length.toString(16)}-${crc32(payload).toString(16)}`
	return {ETag: `W/"${tag}"`, 'Cache-Control': 'no-cache, no-store, max-age=0, must-revalidate'}
}

function cutShort(response: ServerResponse, payload: Buffer) {
	response.write(payload.subarray(0, Math.floor(payload.length / 2)), () => response.socket?.destroy())
}

async function dripOut(response: ServerResponse, payload: Buffer, ms: number, wait: (ms: number) => Promise<void>) {
	const size = Math.max(1, Math.ceil(payload.length / 20))
	for (let at = 0; at < payload.length && !response.destroyed; at += size) {
		response.write(payload.subarray(at, at + size))
		await wait(ms)
	}
	response.end()
}
