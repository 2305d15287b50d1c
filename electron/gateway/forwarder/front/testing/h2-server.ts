/** A TLS server that passes every connection to HTTP/2, for separate tests. */
import {once} from 'node:events'
import {connect} from 'node:http2'
import {createServer} from 'node:tls'

import {openPort} from '#base/testing/port.ts'
import type {ClientExchange} from '../../exchange.ts'
import {defaultLimits} from '../../limits.ts'
import {HandTicker} from '../../testing/hand-ticker.ts'
import {testCredentials} from '../../tls/testing/credentials.ts'
import type {ServerLimits} from '../../types.ts'
import {acceptHttp2} from '../h2.ts'
import type {ServedConnection} from '../serving.ts'
import {rawHttp2, requestFields} from './frames.ts'
import {sendEmpty} from './h2-handlers.ts'

export type Http2TestServer = Awaited<ReturnType<typeof http2TestServer>>

interface Asking {
	flags?: number
	/** Fields after those of every request. */
	more?: readonly (readonly [string, string])[]
	settings?: Buffer
}

let credentialsMade: ReturnType<typeof testCredentials> | undefined

export function http2Credentials(): ReturnType<typeof testCredentials> {
	return (credentialsMade ??= testCredentials())
}

export async function http2TestServer(handle: (exchange: ClientExchange) => void, limits: Partial<ServerLimits> = {}) {
	const credentials = await http2Credentials()
	const connections: ServedConnection[] = []
	const refused: string[] = []
	const handled: ClientExchange[] = []
	const ticker = new HandTicker()
	const server = createServer({key: credentials.key, cert: credentials.certificate, ALPNProtocols: ['h2']}, socket => {
		const connection = acceptHttp2(socket, {
			limits: {...defaultLimits, ...limits},
			ticker,
			graceMs: 40,
			peer: {address: '127.0.0.1', port: 0, client: '127.0.0.1', localPort: 0, certificate: null},
			tlsMs: 1,
			handle: exchange => {
				handled.push(exchange)
				handle(exchange)
			},
			refuse: (exchange, refusal) => {
				refused.push(refusal.reason)
				sendEmpty(exchange, refusal.status)
			},
			closed: () => {}
		})
		connections.push(connection)
	})
	const port = await openPort(server)
	const closing: (() => void)[] = []
	const client = () => {
		const session = connect(`https://localhost:${port}`, {ca: credentials.authority})
		session.on('error', () => {})
		closing.push(() => session.destroy())
		return session
	}
	const raw = async (settings?: Buffer) => {
		const connection = await rawHttp2(port, credentials.authority, settings)
		closing.push(() => connection.close())
		return connection
	}
	const asking = async (method: string, path: string, {flags, more, settings}: Asking = {}) => {
		const connection = await raw(settings)
		connection.write(connection.headers(1, requestFields(method, path, more), flags))
		return connection
	}
	const close = async () => {
		for (const one of closing) one()
		for (const connection of connections) connection.destroy()
		const closed = once(server, 'close')
		server.close()
		await closed
	}
	return {
		port,
		/** The connections' clock. */
		ticker,
		connections,
		/** Reasons of refused heads. */
		refused,
		handled,
		/** A regular client, and one for raw bytes. Closed with the server. */
		client,
		raw,
		/** A raw client with a request on stream 1. */
		asking,
		close
	}
}
