import {createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse} from 'node:http'
import {createServer as createTlsServer} from 'node:https'
import {createServer as createTcpServer, type Server as TcpServer, type Socket} from 'node:net'

import {openPort} from '#base/testing/port.ts'

export type TestServer = Awaited<ReturnType<typeof startServer>>

export type Answerer = (request: IncomingMessage, response: ServerResponse, count: number) => void

/** A real server on a free loopback port that answers as it is told; `count` is 1 for its first request. */
export async function startServer(answer: Answerer, tls?: {cert: string; key: string}) {
	const requests: string[] = []
	const headers: IncomingMessage['headers'][] = []
	const bodies: string[] = []
	const listener: RequestListener = (request, response) => {
		let body = ''
		request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk))
		request.on('end', () => {
			requests.push(`${request.method} ${request.url}`)
			headers.push(request.headers)
			bodies.push(body)
			answer(request, response, requests.length)
		})
	}
	const server: Server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener)
	let connections = 0
	server.on(tls === undefined ? 'connection' : 'secureConnection', () => (connections += 1))
	const {port, close} = await listening(server)
	const url = `${tls === undefined ? 'http://127.0.0.1' : 'https://localhost'}:${port}`
	return {
		port,
		url,
		/** Method and address of every request so far. */
		requests,
		headers,
		bodies,
		connections: () => connections,
		close
	}
}

/** A server that does with raw connections what it is told. */
export async function startTcpServer(serve: (socket: Socket) => void): Promise<{port: number; close(): Promise<void>}> {
	return listening(createTcpServer(serve))
}

async function listening(server: TcpServer): Promise<{port: number; close(): Promise<void>}> {
	const sockets = new Set<Socket>()
	server.on('connection', socket => {
		sockets.add(socket)
		socket.on('error', () => {}).on('close', () => sockets.delete(socket))
	})
	const port = await openPort(server)
	const close = (): Promise<void> =>
		new Promise(resolve => {
			for (const socket of sockets) socket.destroy()
			server.close(() => resolve())
		})
	return {port, close}
}

/** Answers always so. */
export const always =
	(status: number, headers: Readonly<Record<string, string>> = {}, body?: string | Uint8Array): Answerer =>
	(_request, response) =>
		void response.writeHead(status, headers).end(body)

/** Answers always with that failure. */
export const alwaysBad =
	(status: number, detail: string, headers?: Readonly<Record<string, string>>): Answerer =>
	(_request, response) =>
		bad(response, status, detail, headers)

export const alwaysGood: Answerer = (_request, response) => good(response)

/** A good answer in the service's envelope. */
export function good(response: ServerResponse, data: unknown = {}, headers: Readonly<Record<string, string>> = {}) {
	response.writeHead(200, {'content-type': 'application/json', ...headers})
	response.end(JSON.stringify({version: 'v1.2.0', metadata: {links: {}}, data}))
}

/** A failure in the service's envelope. */
export function bad(response: ServerResponse, status: number, detail: string, headers: Readonly<Record<string, string>> = {}) {
	response.writeHead(status, {'content-type': 'application/json', 'x-request-id': 'req-1', ...headers})
	response.end(JSON.stringify({version: 'v1.2.0', data: {}, errors: [{error_code: status, description: 'Problem', details: [detail]}]}))
}
