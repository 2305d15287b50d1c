import http from 'node:http'
import https from 'node:https'
import {isIP, type Socket} from 'node:net'

import {messageOf} from '#contract/errors.ts'
import type {Proxy} from './proxy.ts'
import {tlsProblem} from './tls-problems.ts'
import {TransportError} from './transport-errors.ts'
import type {Trusted} from './trust.ts'
import {bareHost} from './url.ts'

/**
 * A TCP connection to the server through the proxy's CONNECT. `trusted` is for a proxy that speaks TLS itself. Rejects with a
 * `TransportError` of kind `proxy`.
 */
export async function openTunnel({url: proxy, login: readLogin}: Proxy, server: URL, signal: AbortSignal, trusted: Trusted): Promise<Socket> {
	const login = await readLogin().catch((error: unknown) => {
		throw new TransportError('proxy', messageOf(error), false)
	})
	signal.throwIfAborted()
	const target = `${server.hostname}:${server.port === '' ? '443' : server.port}`
	const host = bareHost(proxy.hostname)
	const request = (proxy.protocol === 'https:' ? https : http).request({
		host,
		// Else Node takes it from the Host header, which names the server behind the proxy.
		servername: isIP(host) === 0 ? host : '',
		port: proxy.port === '' ? (proxy.protocol === 'https:' ? 443 : 80) : Number(proxy.port),
		method: 'CONNECT',
		path: target,
		agent: false,
		headers: {host: target, ...credentialsOf(login)},
		signal,
		rejectUnauthorized: true,
		...trusted
	})
	return new Promise((resolve, reject) => {
		request.once('error', error => {
			const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
			const tls = tlsProblem(error, code ?? '', proxy)
			const why = tls === undefined ? ` (${code ?? error.message}).` : `: ${tls}`
			reject(new TransportError('proxy', `The proxy ${proxy.host} cannot be used${why}`, tls === undefined, code))
		})
		request.once('response', answer => reject(refusal(proxy, login, answer, request)))
		request.once('connect', (answer, socket, head: Buffer) => {
			if (answer.statusCode !== 200) return reject(refusal(proxy, login, answer, socket))
			if (head.length > 0) socket.unshift(head)
			resolve(socket)
		})
		request.end()
	})
}

function refusal({host}: URL, login: string | undefined, answer: http.IncomingMessage, handle: {destroy(): unknown}) {
	handle.destroy()
	const status = answer.statusCode ?? 0
	const why =
		status !== 407
			? 'refused the connection'
			: login === undefined
				? 'asks for a user name and a password, and this connection has none'
				: 'refuses the user name and password of this connection'
	return new TransportError('proxy', `The proxy ${host} ${why} (status ${status}).`, [502, 503, 504].includes(status))
}

function credentialsOf(login: string | undefined): {'proxy-authorization'?: string} {
	return login === undefined ? {} : {'proxy-authorization': `Basic ${Buffer.from(login).toString('base64')}`}
}
