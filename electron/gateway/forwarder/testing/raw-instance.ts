/** An instance that answers with arbitrary bytes. */
import {once} from 'node:events'
import {createServer, type Socket} from 'node:net'

import {openPort} from '#base/testing/port.ts'

export interface RawRequest {
	socket: Socket
	/** Up to the empty line. */
	head: string
	/** The body received so far. */
	body(): string
	/** Resolves when the body so far satisfies `test`. */
	until(test: (body: string) => boolean): Promise<void>
}

/** `answer` is called for each complete head; `count`: from 1, of all requests. */
export async function startRawInstance(answer: (request: RawRequest, count: number) => void) {
	const sockets = new Set<Socket>()
	const waiting: (() => void)[] = []
	let accepted = 0
	let count = 0
	const server = createServer({allowHalfOpen: false}, socket => {
		accepted += 1
		sockets.add(socket)
		listen(socket, request => answer(request, (count += 1)))
		socket.on('error', () => {})
		socket.on('close', () => {
			sockets.delete(socket)
			if (sockets.size === 0) for (const resolve of waiting.splice(0)) resolve()
		})
	})
	const port = await openPort(server)
	return {
		port,
		/** Connections accepted in total, and open now. */
		get accepted() {
			return accepted
		},
		get open() {
			return sockets.size
		},
		/** Resolves when there were connections and all have closed. */
		idle: () => new Promise<void>(resolve => (accepted > 0 && sockets.size === 0 ? resolve() : waiting.push(resolve))),
		stop: async () => {
			for (const socket of sockets) socket.destroy()
			server.close()
			await once(server, 'close')
		}
	}
}

function listen(socket: Socket, onRequest: (request: RawRequest) => void) {
	let text = ''
	let body: string | null = null
	let look = () => {}
	socket.on('data', (chunk: Buffer) => {
		if (body !== null && !/^(GET|HEAD|POST) /.test(chunk.toString('latin1', 0, 5))) {
			body += chunk.toString('latin1')
			look()
			return
		}
		text = (body === null ? text : '') + chunk.toString('latin1')
		const end = text.indexOf('\r\n\r\n')
		if (end === -1) return
		body = text.slice(end + 4)
		const head = text.slice(0, end)
		text = ''
		onRequest({
			socket,
			head,
			body: () => body ?? '',
			until: test =>
				new Promise(resolve => {
					look = () => {
						if (test(body ?? '')) resolve()
					}
					look()
				})
		})
	})
}

/** An answer with a length. */
export function answerOf(body: string, more = '') {
	return `HTTP/1.1 200 OK\r\nContent-Length: ${String(body.length)}\r\n${more}\r\n${body}`
}

/** An instance that answers every request so. */
export function answering(body: string): (request: RawRequest) => void {
	return ({socket}) => socket.write(answerOf(body))
}
