/** The server's own answers (route description, 1.6; RFC 9457, RFC 9209). They reveal neither instance, name nor path. */
import {STATUS_CODES} from 'node:http'

import {combined} from './headers/lookup.ts'
import {proxyName} from './headers/names.ts'
import {strictTransport} from './headers/response.ts'
import type {OwnAnswer} from './pipeline-parts.ts'
import type {Fields, Refusal, RequestHead} from './message-types.ts'
import type {ForwarderConfig} from './types.ts'

function reasonOf(status: number) {
	return STATUS_CODES[status] ?? ''
}

/** JSON unless the client accepts only a page. */
export function wantsJson(fields: Fields) {
	const accept = combined(fields, 'accept')
	if (accept === null) return true
	const lower = accept.toLowerCase()
	if (/(?:application\/(?:[a-z0-9.+-]*\+)?json|application\/\*)/.test(lower)) return true
	return !lower.includes('text/') && lower.includes('*/*')
}

export class Answers {
	readonly #us: string
	readonly #always: Fields
	readonly #version: Buffer

	constructor(config: ForwarderConfig) {
		this.#us = proxyName(config)
		const strict = config.strictTransportSecurity ? ['Strict-Transport-Security', strictTransport] : []
		this.#always = ['Cache-Control', 'no-store', 'X-Content-Type-Options', 'nosniff', ...strict]
		this.#version = Buffer.from(JSON.stringify({version: config.platformVersion}))
	}

	refusal({status, detail, proxyError, fields = []}: Refusal, head: RequestHead, requestId: string): OwnAnswer {
		const own = proxyError === undefined ? fields : ['Proxy-Status', `${this.#us}; error=${proxyError}`, ...fields]
		if (status === 204) return this.#answer(status, own, Buffer.alloc(0), requestId)
		const isJson = wantsJson(head.fields)
		const title = reasonOf(status)
		const text = isJson ? JSON.stringify({type: 'about:blank', title, status, detail}) : `${detail}\n`
		const type = isJson ? 'application/problem+json' : 'text/plain; charset=utf-8'
		return this.#answer(status, ['Content-Type', type, ...own], Buffer.from(text), requestId)
	}

	redirect(location: string, requestId: string): OwnAnswer {
		return this.#answer(308, ['Location', location], Buffer.alloc(0), requestId)
	}

	version(requestId: string): OwnAnswer {
		return this.#answer(200, ['Content-Type', 'application/json'], this.#version, requestId)
	}

	#answer(status: number, fields: Fields, body: Buffer, requestId: string): OwnAnswer {
		const whole = ['Date', new Date().toUTCString(), 'X-Request-Id', requestId, ...this.#always, ...fields]
		return {status, reason: reasonOf(status), fields: whole, body}
	}
}
