/** A running forwarding server with real instances behind it, for tests over real sockets. */
import {hash} from 'node:crypto'
import {once} from 'node:events'
import {createServer, type ClientRequest, type IncomingMessage, type RequestListener} from 'node:http'
import {connect as connectHttp2, type ClientHttp2Session, type OutgoingHttpHeaders} from 'node:http2'
import {Agent, request as httpsRequest, type RequestOptions} from 'node:https'
import {connect as connectTls} from 'node:tls'

import {openPort} from '#base/testing/port.ts'
import {startForwarder} from '../../server.ts'
import {configOf, type InstanceWish} from '../../testing/heads.ts'
import {testCredentials, type TestCredentials} from '../../tls/testing/credentials.ts'
import type {RequestRecord} from '../../record-types.ts'
import type {Forwarder, ForwarderConfig} from '../../types.ts'

export type RunningInstance = Awaited<ReturnType<typeof startInstance>>

/** A Node HTTP server on a free loopback port. */
export async function startInstance(handle: RequestListener) {
	const requests: string[] = []
	const server = createServer((request, response) => {
		requests.push(`${request.method ?? ''} ${request.url ?? ''}`)
		handle(request, response)
	})
	const port = await openPort(server)
	const stop = async () => {
		if (!server.listening) return
		const closed = once(server, 'close')
		server.close()
		server.closeAllConnections()
		await closed
	}
	return {
		server,
		port,
		/** Requests that arrived. */
		requests,
		stop
	}
}

export function hashed(bytes: Uint8Array) {
	return hash('sha256', bytes, 'hex')
}

export async function responseTo(outgoing: ClientRequest) {
	const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage] // what the event carries
	return incoming
}

export interface Answer {
	status: number
	headers: IncomingMessage['headers']
	body: string
}

export class Scene {
	forwarder: Forwarder
	credentials: TestCredentials
	records: RequestRecord[]
	troubles: unknown[]
	readonly #agent: Agent
	readonly #sessions: ClientHttp2Session[] = []
	#wishes: readonly InstanceWish[]

	constructor(
		forwarder: Forwarder,
		credentials: TestCredentials,
		wishes: readonly InstanceWish[],
		told: {records: RequestRecord[]; troubles: unknown[]}
	) {
		this.forwarder = forwarder
		this.credentials = credentials
		this.records = told.records
		this.troubles = told.troubles
		this.#wishes = wishes
		this.#agent = new Agent({ca: credentials.authority, keepAlive: true})
	}

	get port() {
		return this.forwarder.listen.port
	}

	url(path: string) {
		return `https://localhost:${this.port}/instance/execute/${path}`
	}

	options(path: string, more: RequestOptions = {}): RequestOptions {
		const target = `/instance/execute/${path}`
		return {host: 'localhost', port: this.port, path: target, ca: this.credentials.authority, agent: this.#agent, ...more}
	}

	/** A whole request over HTTP/1.1. */
	async get(path: string, more: RequestOptions = {}): Promise<Answer> {
		const outgoing = httpsRequest(this.options(path, more))
		outgoing.end()
		const incoming = await responseTo(outgoing)
		const chunks: Buffer[] = await incoming.toArray()
		return {status: incoming.statusCode ?? 0, headers: incoming.headers, body: Buffer.concat(chunks).toString()}
	}

	http2() {
		const session = connectHttp2(`https://localhost:${this.port}`, {ca: this.credentials.authority})
		session.on('error', () => {})
		this.#sessions.push(session)
		return session
	}

	/** A request over HTTP/2. */
	stream(path: string, session = this.http2(), headers: OutgoingHttpHeaders = {}) {
		const stream = session.request({':path': `/instance/execute/${path}`, ...headers})
		return stream.on('error', () => {})
	}

	/** Status and body of as many requests at once, every second one over HTTP/2, in so many sessions. */
	many(path: string, count: number, sessions = 1): Promise<string>[] {
		const opened = Array.from({length: sessions}, () => this.http2())
		return Array.from({length: count}, async (_, at) => {
			if (at % 2 === 0) {
				const {status, body} = await this.get(path)
				return `${status} ${body}`
			}
			const request = this.stream(path, opened[at % sessions])
			const [headers] = await once(request, 'response')
			return `${headers[':status']} ${Buffer.concat(await request.toArray()).toString()}`
		})
	}

	/** A connection on which the test writes the requests. */
	async tls(ca = this.credentials.authority) {
		const socket = connectTls({host: '127.0.0.1', port: this.port, servername: 'localhost', ca})
		await once(socket, 'secureConnect')
		return socket
	}

	/** Changes instances by name, and other parts of the configuration. */
	reload(wishes: readonly InstanceWish[] = this.#wishes, more: Partial<ForwarderConfig> = {}) {
		this.#wishes = wishes
		this.forwarder.reload(configOf(wishes, more))
	}

	/** Throws when the server reported an internal problem: no peer may cause one. */
	mustBeCalm() {
		if (this.troubles.length > 0) throw new AggregateError(this.troubles, 'The forwarding server had trouble of its own.')
	}

	async close() {
		for (const session of this.#sessions) session.destroy()
		this.#agent.destroy()
		await this.forwarder.stop(0)
	}
}

let kept: Promise<TestCredentials> | null = null

export async function startScene(wishes: readonly InstanceWish[], more: Partial<ForwarderConfig> = {}) {
	kept ??= testCredentials()
	const credentials = await kept
	const records: RequestRecord[] = []
	const troubles: unknown[] = []
	const forwarder = await startForwarder({
		listen: {host: '127.0.0.1', port: 0},
		config: configOf(wishes, more),
		credentials,
		onRequest: record => void records.push(record),
		onTrouble: (message, error) => void troubles.push([message, error])
	})
	return new Scene(forwarder, credentials, wishes, {records, troubles})
}
