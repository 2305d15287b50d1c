import {createServer, type IncomingMessage, type Server} from 'node:http'
import {createServer as createTlsServer} from 'node:https'
import {connect, type Socket} from 'node:net'

import {openPort} from '#base/testing/port.ts'

interface ProxyOptions {
	/** Status and reason that every tunnel is refused with. */
	refuse?: string | undefined
	/** `user:password`; without it a tunnel is refused with 407. */
	wants?: string
	tls?: {cert: string; key: string}
}

/** A real CONNECT proxy that leads every name to one port of this computer. */
export async function startProxy(port: number, {refuse, wants, tls}: ProxyOptions) {
	const asked: {target: string; credentials: string | undefined}[] = []
	const sockets = new Set<Socket>()
	const server: Server = tls === undefined ? createServer() : createTlsServer(tls)
	server.on('request', (_request, response) => response.writeHead(405).end())
	server.on('connection', socket => sockets.add(socket.on('error', () => {})))
	server.on('connect', (request: IncomingMessage, socket: Socket) => {
		socket.on('error', () => {})
		const credentials = request.headers['proxy-authorization']
		asked.push({target: request.url ?? '', credentials})
		const answer = refuse ?? (wants === undefined || credentials === basic(wants) ? undefined : notWithout)
		if (answer !== undefined) return socket.end(`HTTP/1.1 ${answer}\r\nContent-Length: 0\r\n\r\n`)
		const through = connect(port, '127.0.0.1', () => {
			socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
			through.pipe(socket).pipe(through)
		})
		sockets.add(through.on('error', () => socket.destroy()))
		return undefined
	})
	const own = await openPort(server)
	const url = tls === undefined ? `http://127.0.0.1:${own}` : `https://localhost:${own}`
	const close = async () => {
		for (const socket of sockets) socket.destroy()
		await new Promise(resolve => server.close(resolve))
	}
	return {
		port: own,
		/** `http://127.0.0.1:port`, or `https://localhost:port`. */
		url,
		asked,
		close
	}
}

const notWithout = '407 Proxy Authentication Required'

export function basic(login: string) {
	return `Basic ${Buffer.from(login).toString('base64')}`
}
